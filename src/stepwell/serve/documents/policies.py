"""Policies as JSON: what they are, what they select, how they differ."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

from stepwell.policy.cues import cues_of
from stepwell.policy.describe import unknown_in
from stepwell.policy.files import digest, dumps

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from stepwell.policy.base import Context, Selection
    from stepwell.policy.files import PolicyFile
    from stepwell.policy.registry import Listed

__all__ = [
    "difference_document",
    "path_document",
    "policies_document",
    "policy_document",
    "selection_document",
    "warnings_of",
]


def policies_document(listed: Sequence[Listed]) -> list[dict[str, Any]]:
    """Return policies as they are listed, those whose file cannot be read among them."""
    return [_listed(one) for one in listed]


def policy_document(file: PolicyFile) -> dict[str, Any]:
    """Return a policy as its file says it, and what is odd about it."""
    return {
        "policy": tomllib.loads(dumps(file)),
        "digest": digest(file),
        "warnings": warnings_of(file),
    }


def warnings_of(file: PolicyFile) -> list[str]:
    """Return what is odd about a policy, one sentence each."""
    return [f"There is no structure `{name}` in Stepwell." for name in unknown_in(file.policy)]


def selection_document(
    question: str, file: PolicyFile, selection: Selection, *, context: Context
) -> dict[str, Any]:
    """Return what a policy selects for a question, and what it saw.

    Args:
        question: The question.
        file: The policy.
        selection: What it selected.
        context: What it saw besides the question.
    """
    return {
        "policy": file.name,
        "version": file.version,
        "structures": list(selection.structures),
        "tokens": dict(selection.tokens),
        "why": selection.why,
        "cues": sorted(cues_of(question)),
        "signals": dict(context.signals),
    }


def difference_document(difference: str) -> dict[str, Any]:
    """Return a unified diff of two policies, and whether they are the same."""
    return {"same": not difference, "diff": difference}


def path_document(path: Path) -> dict[str, Any]:
    """Return the file of a policy."""
    return {"path": str(path)}


def _listed(one: Listed) -> dict[str, Any]:
    file = one.file
    return {
        "name": one.name,
        "path": str(one.path),
        "problem": one.problem or None,
        "kind": file and file.policy.name,
        "version": file and file.version,
        "description": file and file.description,
        "digest": file and digest(file),
    }
