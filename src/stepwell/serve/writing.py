"""Commands that change the memory: add, index, reindex, forget."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from stepwell.errors import InvalidInputError
from stepwell.memory.adding import joined
from stepwell.serve.documents.writing import (
    encoded_document,
    forgotten_document,
    ingested_document,
    reencoded_document,
)
from stepwell.serve.render import print_json, progress, say
from stepwell.store.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from stepwell.memory.memory import Memory

__all__ = [
    "add_logs",
    "encode_missing",
    "fill_index",
    "forget_scope",
    "rebuild_index",
]


def add_logs(
    memory: Memory, paths: Sequence[Path], *, strict: bool, wait: bool, as_json: bool
) -> None:
    """Read logs, say what was read and what was odd, and fill in vectors if asked to.

    Raises:
        NotFoundError: There is no such file.
        UnknownFormatError: No reader knows a file.
        InvalidInputError: `strict`, and something is wrong with the input.
        ModelUnavailableError: `wait`, and there is no encoder.
    """
    with progress("reading") as advance:
        report = joined(memory.ingest(path, strict=strict, progress=advance) for path in paths)
    if not as_json:
        say(str(report))
    if wait:
        encode_missing(memory)
    n_missing = memory.unindexed()
    if as_json:
        print_json(ingested_document(report, n_missing=n_missing))
    elif n_missing:
        say(f"{n_missing} passages have no vector yet: stepwell index")


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


def forget_scope(
    memory: Memory, scope: Mapping[str, str], *, everything: bool, yes: bool, as_json: bool
) -> None:
    """Delete what the scope names, or everything, once it is confirmed.

    Raises:
        InvalidInputError: Nothing was named, both were, or nobody is there to confirm it.
    """
    if everything == bool(scope):
        raise InvalidInputError(
            "Say what to forget: either some of --session, --trajectory, --user, --agent and "
            "--run, or --all.",
            hint="`stepwell sessions` lists what there is.",
        )
    doomed = memory.sessions(scope=Scope(**scope))
    if doomed and not yes:
        _confirm(len(doomed))
    n_forgotten = memory.forget(scope=Scope(**scope), everything=everything) if doomed else 0
    if as_json:
        print_json(forgotten_document(doomed))
    else:
        say(f"{n_forgotten} trajectories forgotten.")


def _confirm(n: int) -> None:
    if sys.stdin is None or not sys.stdin.isatty():
        raise InvalidInputError(
            f"{n} trajectories would be deleted, and there is nobody to ask.",
            hint="Repeat the command with --yes.",
        )
    typer.confirm(f"Delete {n} trajectories for good?", abort=True, err=True)
