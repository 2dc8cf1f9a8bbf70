"""The policy commands: list, show, try, compare and install policies."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stepwell.config import open_memory
from stepwell.errors import InvalidInputError
from stepwell.policy.base import STRUCTURES, Context
from stepwell.policy.cues import cues_of
from stepwell.policy.describe import lines_of, unknown_in
from stepwell.policy.exploring import Exploring
from stepwell.policy.files import diff, digest, dumps, load
from stepwell.policy.registry import find, install, list_policies, locate
from stepwell.serve.render import print_json, print_table, print_text, say

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell.config import Settings
    from stepwell.policy.registry import Listed

__all__ = [
    "Given",
    "context_given",
    "context_here",
    "install_policy",
    "print_difference",
    "print_path",
    "print_policies",
    "print_policy",
    "print_selection",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What `stepwell policy try` is told of the context.

    Attributes:
        budget: Tokens of a recall.
        domain: What the runs are about.
        kind: The type of the question.
        steps: Steps in scope.
        tokens: Tokens they hold.
        signals: Such as `temporal.slots=2`.
        without: Structures that are not there.
    """

    budget: int
    domain: str
    kind: str
    steps: int
    tokens: int
    signals: tuple[str, ...]
    without: tuple[str, ...]


def print_policies(folder: Path, *, as_json: bool) -> None:
    """Print every policy on a line, or what is wrong with its file."""
    listed = list_policies((folder,))
    if as_json:
        print_json([_row(one) for one in listed])
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


def print_policy(name: str, folder: Path, *, as_json: bool) -> None:
    """Print a policy in words.

    Raises:
        NotFoundError: There is none of this name.
        PolicyError: Its file is no policy.
    """
    file = find(name, (folder,))
    odd = [f"There is no structure `{name}` in Stepwell." for name in unknown_in(file.policy)]
    if as_json:
        document = tomllib.loads(dumps(file))
        print_json({"policy": document, "digest": digest(file), "warnings": odd})
        return
    print_text(f"{file.name}, version {file.version}, {file.policy.name}, {digest(file)[:12]}")
    if file.description:
        print_text(file.description)
    for key, value in file.origin.items():
        print_text(f"{key}: {value}")
    print_text("")
    for line in lines_of(file.policy):
        print_text(line)
    for warning in odd:
        say(f"warning: {warning} It is passed over unless a memory has one of its own.")


def context_here(question: str, budget: int, chosen: Settings) -> Context | None:
    """Return what a policy would see of the memory there is; None where there is none."""
    if chosen.db is None or not chosen.db.exists():
        return None
    with open_memory(chosen, log_recalls=False) as memory:
        everything = Exploring(policy=find("plain"), share=0.0)  # it looks at every signal
        return memory.recall(question, budget, policy=everything).context


def print_selection(
    question: str, name: str, context: Context, folder: Path, *, as_json: bool
) -> None:
    """Print what a policy selects for a question.

    Args:
        question: The question.
        name: The policy.
        context: What it sees besides.
        folder: Where policies are.
        as_json: Whether to print one JSON document.

    Raises:
        NotFoundError: There is none of this name.
        PolicyError: The policy failed.
    """
    file = find(name, (folder,))
    selection = file.select(question, context)
    cues = sorted(cues_of(question))
    if as_json:
        print_json(
            {
                "policy": file.name,
                "version": file.version,
                "structures": selection.structures,
                "tokens": selection.tokens,
                "why": selection.why,
                "cues": cues,
                "signals": dict(context.signals),
            }
        )
        return
    read = ", ".join(
        f"{name} (at most {selection.tokens[name]} tokens)" if name in selection.tokens else name
        for name in selection.structures
    )
    print_text(f"read: {read}")
    print_text(f"why: {selection.why}")
    print_text(f"cues: {', '.join(cues)}")
    signals = ", ".join(f"{name} = {value:g}" for name, value in context.signals.items())
    print_text(f"signals: {signals or 'none'}")


def print_difference(one: str, other: str, folder: Path, *, as_json: bool) -> None:
    """Print a unified diff of two policies; nothing where they are the same.

    Raises:
        NotFoundError: One of them does not exist.
        PolicyError: One of them is no policy.
    """
    files = (find(one, (folder,)), find(other, (folder,)))
    said = diff(*files)
    if as_json:
        print_json({"same": not said, "diff": said})
    elif said:
        print_text(said.rstrip("\n"))


def print_path(name: str, folder: Path, *, as_json: bool) -> None:
    """Print the file of a policy.

    Raises:
        NotFoundError: There is none of this name.
    """
    path = locate(name, (folder,))
    if as_json:
        print_json({"path": str(path)})
    else:
        print_text(str(path))


def install_policy(path: Path, folder: Path, *, as_json: bool) -> None:
    """Add a policy file to a folder and print where it is now.

    Raises:
        PolicyError: It is no policy, or has the name of one that comes with Stepwell.
    """
    installed = install(load(path.expanduser()), folder)
    if as_json:
        print_json({"path": str(installed)})
    else:
        print_text(str(installed))


def _row(one: Listed) -> dict[str, Any]:
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


def context_given(given: Given) -> Context:
    """Return the context that options say.

    Raises:
        InvalidInputError: A signal is no NAME=NUMBER.
    """
    return Context(
        available=tuple(name for name in STRUCTURES if name not in given.without),
        budget=given.budget,
        n_steps=given.steps,
        n_tokens=given.tokens,
        domain=given.domain,
        kind=given.kind,
        signals=dict(map(_signal, given.signals)),
    )


def _signal(text: str) -> tuple[str, float]:
    name, _, number = text.partition("=")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not name.strip() or not math.isfinite(value):
        raise InvalidInputError(
            f"--signal {text} is no name with a number.", hint="Such as temporal.slots=2."
        )
    return name.strip(), value
