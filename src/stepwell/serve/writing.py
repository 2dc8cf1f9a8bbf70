"""Commands that change the memory: add, index, reindex, forget."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import typer

from stepwell.errors import InvalidInputError, ModelUnavailableError
from stepwell.memory.adding import joined
from stepwell.serve.documents.writing import (
    encoded_document,
    feedback_document,
    forgotten_document,
    ingested_document,
    reencoded_document,
)
from stepwell.serve.render import print_json, progress, say
from stepwell.store.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from stepwell.memory.memory import Memory

__all__ = [
    "AddOptions",
    "Named",
    "add_logs",
    "encode_missing",
    "fill_index",
    "forget_named",
    "give_feedback",
    "rebuild_index",
]


_TIMED = 64
"""Passages that tell how long the others take: a second or two, and these are done."""

_MINUTE = 90
"""Seconds from which on minutes are said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddOptions:
    """How logs are added.

    Attributes:
        strict: Whether anything skipped, repaired or odd is an error.
        again: Whether what was forgotten comes back.
        wait: Whether vectors are filled in as well.
    """

    strict: bool = False
    again: bool = False
    wait: bool = False


def add_logs(
    memory: Memory,
    paths: Sequence[str | Path],
    *,
    options: AddOptions = AddOptions(),
    as_json: bool,
) -> None:
    """Read logs, say what was read and what was odd, and fill in vectors if asked to.

    Raises:
        NotFoundError: There is no such file.
        UnknownFormatError: No reader knows a file.
        InvalidInputError: They are to be read strictly, and something is wrong with the input.
        ModelUnavailableError: Vectors are wanted, and there is no encoder.
    """
    with progress("reading") as advance:
        report = joined(
            memory.ingest(path, strict=options.strict, again=options.again, progress=advance)
            for path in paths
        )
    if not as_json:
        say(str(report))
    if options.wait:
        encode_missing(memory)
    n_missing = memory.unindexed()
    if as_json:
        print_json(ingested_document(report, n_missing=n_missing))
    elif n_missing:
        _say_missing(memory)


def give_feedback(memory: Memory, recall: str, reward: float, *, as_json: bool) -> None:
    """Store how good the answer to a recall was, and say so.

    Raises:
        NotFoundError: There is no such recall.
        InvalidInputError: The reward is no number from 0 to 1.
    """
    memory.feedback(recall, reward)
    if as_json:
        print_json(feedback_document(recall, reward))
    else:
        say(f"noted {reward:g} for {recall}")


def fill_index(memory: Memory, *, as_json: bool) -> None:
    """Encode what has no vector yet.

    Raises:
        ModelUnavailableError: There is no encoder, or it failed.
    """
    n_encoded, n_missing = encode_missing(memory), memory.unindexed()
    if as_json:
        print_json(encoded_document(n_encoded, n_missing))
    else:
        say(f"{n_encoded} passages encoded; {n_missing} have no vector.")


def _say_missing(memory: Memory) -> None:
    """Say how many passages have no vector, and how long they will take, by encoding some."""
    try:
        memory.index(limit=1)  # loads the model
        started = perf_counter()
        n_encoded = memory.index(limit=_TIMED)
    except ModelUnavailableError as error:
        say(f"{memory.unindexed()} passages have no vector yet. {error}")
        return
    if n_missing := memory.unindexed():
        seconds = (perf_counter() - started) * n_missing / max(1, n_encoded)
        took = f"{math.ceil(seconds)} s" if seconds < _MINUTE else f"{math.ceil(seconds / 60)} min"
        say(f"{n_missing} passages have no vector yet; stepwell index makes them in about {took}.")


def encode_missing(memory: Memory) -> int:
    """Encode what has no vector yet, showing progress; return how many passages it was."""
    with progress("vectors", total=memory.unindexed() or None) as advance:
        return memory.index(progress=lambda n: advance(n=n))


def rebuild_index(memory: Memory, *, as_json: bool) -> None:
    """Encode everything with the encoder in use, then drop the vectors of other encoders.

    Raises:
        ModelUnavailableError: There is no encoder, or it failed.
    """
    if not as_json:
        say("The vectors of other encoders stay until this is done.")
    with progress("vectors", total=memory.unindexed() or None) as advance:
        n_encoded, n_dropped = memory.reindex(progress=lambda n: advance(n=n))
    encoder = memory.stats().encoder
    if as_json:
        print_json(reencoded_document(encoder, n_encoded, n_dropped))
    else:
        say(f"{encoder}: {n_encoded} passages encoded; {n_dropped} vectors of others dropped.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What is named to be forgotten.

    Attributes:
        scope: Whose, by the names that `Memory` uses.
        steps: A citation of single steps; empty for whole trajectories.
        before: Only what is older.
        everything: All there is.
    """

    scope: Mapping[str, str]
    steps: str = ""
    before: datetime | None = None
    everything: bool = False


def forget_named(memory: Memory, named: Named, *, yes: bool, as_json: bool) -> None:
    """Delete what is named, or everything, once it is confirmed.

    Raises:
        InvalidInputError: Nothing was named, both were, or nobody is there to confirm it.
        NotFoundError: There is no such step.
    """
    if named.everything == bool(named.scope or named.steps or named.before):
        raise InvalidInputError(
            "Say what to forget: either some of --session, --trajectory, --user, --agent, --run, "
            "--before and a citation of steps, or --all.",
            hint="`stepwell sessions` lists what there is.",
        )
    asked: dict[str, Any] = {
        "scope": Scope(**named.scope),
        "steps": named.steps,
        "before": named.before,
        "everything": named.everything,
    }
    found = memory.doomed(**asked)
    n_runs, n_steps = len(found.runs), found.n_steps
    said = f"{n_runs} trajectories" + (f" and {n_steps} steps of others" if n_steps else "")
    if (n_runs or n_steps) and not yes:
        _confirm(said)
    if n_runs or n_steps:
        memory.forget(**asked)
    if as_json:
        print_json(forgotten_document(found))
    else:
        say(f"{said} forgotten.")


def _confirm(what: str) -> None:
    if sys.stdin is None or not sys.stdin.isatty():
        raise InvalidInputError(
            f"{what} would be deleted, and there is nobody to ask.",
            hint="Repeat the command with --yes.",
        )
    typer.confirm(f"Delete {what} for good?", abort=True, err=True)
