"""Forgetting: what may be deleted on request, and its deletion everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.errors import InvalidInputError
from stepwell.store.database import transaction
from stepwell.store.forget import delete_trajectories, erase_traces
from stepwell.store.read import entries
from stepwell.store.scope import Scope

if TYPE_CHECKING:
    from stepwell.store.database import Database

__all__ = ["check_named", "forget"]


def check_named(scope: Scope, *, everything: bool) -> Scope:
    """Return what is to be forgotten, which must be named.

    Raises:
        InvalidInputError: Nothing is named, and nobody said everything.
    """
    if scope == Scope() and not everything:
        raise InvalidInputError(
            "Nothing was named to forget.",
            hint="Name a session, trajectory, user, agent or run; or say everything=True.",
        )
    return scope


def forget(db: Database, scope: Scope) -> int:
    """Delete the trajectories in scope, and all traces of them; return how many there were."""
    with transaction(db):
        numbers = [entry.number for entry in entries(db, scope)]
        delete_trajectories(db, numbers)
    erase_traces(db)
    return len(numbers)
