"""Policies on a terminal: lists of them, what they do, what they select, how they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.policy.cues import cues_of
from stepwell.policy.describe import lines_of
from stepwell.policy.files import digest
from stepwell.serve.documents.policies import (
    difference_document,
    path_document,
    policies_document,
    policy_document,
    selection_document,
    warnings_of,
)
from stepwell.serve.render import print_json, print_table, print_text, say

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from stepwell.policy.base import Context
    from stepwell.policy.files import PolicyFile
    from stepwell.policy.registry import Listed

__all__ = ["print_difference", "print_path", "print_policies", "print_policy", "print_selection"]


def print_policies(listed: Sequence[Listed], *, as_json: bool) -> None:
    """Print every policy on a line, or what is wrong with its file."""
    if as_json:
        print_json(policies_document(listed))
        return
    for one in listed:
        if one.problem:
            say(f"passed over: {one.problem}")
    print_table(
        ("name", "kind", "version", "description"),
        [
            (one.name, one.file.policy.name, one.file.version, one.file.description)
            for one in listed
            if one.file is not None
        ],
    )


def print_policy(file: PolicyFile, *, as_json: bool) -> None:
    """Print a policy in words."""
    if as_json:
        print_json(policy_document(file))
        return
    print_text(f"{file.name}, version {file.version}, {file.policy.name}, {digest(file)[:12]}")
    if file.description:
        print_text(file.description)
    for key, value in file.origin.items():
        print_text(f"{key}: {value}")
    print_text("")
    for line in lines_of(file.policy):
        print_text(line)
    for warning in warnings_of(file):
        say(f"warning: {warning} It is passed over unless a memory has one of its own.")


def print_selection(question: str, file: PolicyFile, context: Context, *, as_json: bool) -> None:
    """Print what a policy selects for a question.

    Args:
        question: The question.
        file: The policy.
        context: What it sees besides.
        as_json: Whether to print one JSON document.

    Raises:
        PolicyError: The policy failed.
    """
    selection = file.select(question, context)
    if as_json:
        print_json(selection_document(question, file, selection, context=context))
        return
    read = ", ".join(
        f"{name} (at most {selection.tokens[name]} tokens)" if name in selection.tokens else name
        for name in selection.structures
    )
    print_text(f"read: {read}")
    print_text(f"why: {selection.why}")
    print_text(f"cues: {', '.join(sorted(cues_of(question)))}")
    signals = ", ".join(f"{name} = {value:g}" for name, value in context.signals.items())
    print_text(f"signals: {signals or 'none'}")


def print_difference(difference: str, *, as_json: bool) -> None:
    """Print a unified diff of two policies; nothing where they are the same."""
    if as_json:
        print_json(difference_document(difference))
    elif difference:
        print_text(difference.rstrip("\n"))


def print_path(path: Path, *, as_json: bool) -> None:
    """Print the file of a policy."""
    if as_json:
        print_json(path_document(path))
    else:
        print_text(str(path))
