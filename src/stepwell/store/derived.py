"""What structures derive of each step, kept so that it is derived once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.store.rowids import rowid, span, step_of
from stepwell.store.units import save_at_once

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

__all__ = ["load_derived", "save_derived"]


def load_derived(
    db: apsw.Connection, number: int, *, structure: str, version: str, first: int = 0
) -> list[bytes]:
    """Return what a structure stored of a trajectory's steps from `first` on, up to the first gap.

    Args:
        db: The database.
        number: The trajectory.
        structure: The structure.
        version: Only what this version of it derived; anything else is a gap.
        first: The first step.
    """
    rows = db.execute(
        "SELECT id, version, body FROM derived WHERE id BETWEEN ? AND ? AND structure = ? "
        "ORDER BY id",
        (*span(number, first=first), structure),
    )
    bodies: list[bytes] = []
    for row, made_by, body in rows:
        if step_of(row) != first + len(bodies) or made_by != version:
            break
        bodies.append(body)
    return bodies


def save_derived(
    db: apsw.Connection,
    number: int,
    bodies: Sequence[bytes],
    *,
    first: int,
    made_by: tuple[str, str],
    revision: int,
) -> bool:
    """Store what was derived of the steps from `first` on, if that can be done at once.

    It is derived again when it is missing, so nothing waits for it and nothing fails: a read-only
    database, one that another process writes to, and one whose steps have changed since they were
    read are left as they are.

    Args:
        db: The database, outside any transaction.
        number: The trajectory.
        bodies: What to store, one per step.
        first: The first of these steps.
        made_by: The structure and its version.
        revision: The trajectory's when the steps were read.

    Returns:
        Whether they are stored.
    """
    rows = [(rowid(number, first + n), *made_by, body) for n, body in enumerate(bodies)]
    insert = "INSERT OR REPLACE INTO derived VALUES (?, ?, ?, ?)"
    return save_at_once(db, number, insert, rows, revision=revision)
