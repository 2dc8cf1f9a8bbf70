"""Forgetting: what may be deleted on request, and its deletion everywhere, for good."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stepwell.errors import InvalidInputError, StoreError
from stepwell.memory.looking import find_entry
from stepwell.store.blanks import forget_steps
from stepwell.store.database import explained, transaction
from stepwell.store.facts import steps_before
from stepwell.store.forget import (
    delete_trajectories,
    erase_traces,
    mark_deleted,
    waits_for_erasure,
)
from stepwell.store.read import entries
from stepwell.store.scope import Scope
from stepwell.store.tombstones import bury

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from stepwell.store.database import Database
    from stepwell.store.read import Entry
    from stepwell.trajectory.atoms import Citation

__all__ = ["Doomed", "check_named", "doomed", "finish_erasing", "forget"]

_PATIENCE = 1.0
"""Seconds that readers are waited for before their bytes are left for later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doomed:
    """What is to be forgotten.

    Attributes:
        runs: Whole trajectories, subagents included.
        steps: Single steps of others: trajectory and indices.
    """

    runs: tuple[Entry, ...]
    steps: tuple[tuple[Entry, tuple[int, ...]], ...] = ()

    @property
    def n_steps(self) -> int:
        """How many single steps it is."""
        return sum(len(indices) for _, indices in self.steps)


def check_named(scope: Scope, *, everything: bool) -> Scope:
    """Return what is to be forgotten, which must be named.

    Raises:
        InvalidInputError: Nothing is named, and nobody said everything.
    """
    if scope == Scope() and not everything:
        raise InvalidInputError(
            "Nothing was named to forget.",
            hint="Name a session, trajectory, user, agent or run, or a time before which all goes; "
            "or say everything=True.",
        )
    return scope


def doomed(
    db: Database,
    scope: Scope,
    *,
    before: datetime | None = None,
    cited: Sequence[Citation] = (),
) -> Doomed:
    """Return what is to be forgotten.

    Args:
        db: The database.
        scope: Whose.
        before: Only what is older: runs that ended before, and the older steps of others.
        cited: Only the steps that citations name.

    Raises:
        NotFoundError: A citation names no step in scope.
    """
    if cited:
        return _cited(db, scope, cited)
    within = entries(db, scope)
    if before is None:
        return Doomed(runs=tuple(_with_subagents(within, entries(db, Scope()))))
    runs: list[Entry] = []
    steps: list[tuple[Entry, tuple[int, ...]]] = []
    for entry in within:
        older = steps_before(db, entry.number, before)
        if (older is None and entry.added_at < before) or (older and len(older) == entry.n_steps):
            runs.append(entry)
        elif older:
            steps.append((entry, tuple(older)))
    return Doomed(runs=tuple(runs), steps=tuple(steps))


def _cited(db: Database, scope: Scope, cited: Sequence[Citation]) -> Doomed:
    found: dict[int, tuple[Entry, set[int]]] = {}
    for citation in cited:
        entry = find_entry(db, scope, citation.trajectory)
        found.setdefault(entry.number, (entry, set()))[1].add(citation.step)
    return Doomed(
        runs=(), steps=tuple((entry, tuple(sorted(steps))) for entry, steps in found.values())
    )


def _with_subagents(chosen: Sequence[Entry], known: Sequence[Entry]) -> list[Entry]:
    """Return trajectories and all that they started, one by way of another."""
    gone = {(_owner(entry), entry.trajectory_id) for entry in chosen}
    numbers = {entry.number for entry in chosen}
    is_growing = True
    while is_growing:
        more = [
            entry
            for entry in known
            if entry.number not in numbers and (_owner(entry), entry.parent_id) in gone
        ]
        gone |= {(_owner(entry), entry.trajectory_id) for entry in more}
        numbers |= {entry.number for entry in more}
        is_growing = bool(more)
    return [entry for entry in known if entry.number in numbers]


def _owner(entry: Entry) -> tuple[str, str, str]:
    return entry.user_id, entry.agent_id, entry.run_id


def finish_erasing(db: Database) -> None:
    """Erase what an earlier deletion left in the file, if nobody reads it just now.

    A process may have been killed between deleting and erasing, or another one have been reading.
    """
    with suppress(StoreError), explained(db):
        if not db.readonly("main") and waits_for_erasure(db):
            erase_traces(db, patience=0)


def forget(db: Database, what: Doomed) -> int:
    """Delete what is to be forgotten, and all traces of it but the hashes that keep it away.

    While another process reads the file, bytes of it stay there; they are erased when this memory
    is closed, or the next one opened, without a reader.

    Returns:
        How many trajectories and single steps there were.
    """
    with transaction(db):
        n_steps = sum(forget_steps(db, entry.number, set(steps)) for entry, steps in what.steps)
        for entry in what.runs:
            bury(db, entry.number, name=entry.trajectory_id, owner=_owner(entry))
        delete_trajectories(db, [entry.number for entry in what.runs])
        mark_deleted(db)
    erase_traces(db, patience=_PATIENCE)
    return len(what.runs) + n_steps
