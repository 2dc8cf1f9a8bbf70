"""What structures derive of each step, kept so that it is derived once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

from stepwell.store.database import BUSY_SECONDS
from stepwell.store.rowids import rowid, span, step_of
from stepwell.store.units import progress_of

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    if db.in_transaction or db.readonly("main"):
        return False
    rows = [(rowid(number, first + n), *made_by, body) for n, body in enumerate(bodies)]
    try:
        db.set_busy_timeout(0)
        db.execute("BEGIN IMMEDIATE")
        is_current = (now := progress_of(db, number)) is not None and now.revision == revision
        if is_current:
            db.executemany("INSERT OR REPLACE INTO derived VALUES (?, ?, ?, ?)", rows)
        db.execute("COMMIT")
    except apsw.Error:
        return False
    finally:
        if not db.get_autocommit():  # after Ctrl-C as well: else nobody could write any more
            db.execute("ROLLBACK")
        db.set_busy_timeout(BUSY_SECONDS * 1000)
    return is_current
