"""How far a trajectory is, which of its steps have changed, and writes that wait for nothing."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import apsw

from stepwell.store.database import BUSY_SECONDS, explained
from stepwell.store.rowids import span, step_of

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

__all__ = [
    "Progress",
    "first_rewritten",
    "progress_of",
    "save_at_once",
    "snapshot",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a trajectory is.

    Attributes:
        trajectory_id: Its id.
        n_steps: Steps stored.
        revision: How often stored steps have been changed or dropped.
    """

    trajectory_id: str
    n_steps: int
    revision: int


@contextmanager
def snapshot(db: apsw.Connection) -> Generator[None]:
    """Read the same state throughout this block, whatever others write meanwhile."""
    with explained(db):
        if db.in_transaction:
            yield
            return
        db.execute("BEGIN")
        try:
            yield
        finally:
            db.execute("COMMIT")


def progress_of(db: apsw.Connection, number: int) -> Progress | None:
    """Return how far a trajectory is; None when there is none of this number."""
    row = db.execute(
        "SELECT trajectory_id, n_steps, revision FROM trajectories WHERE no = ?", (number,)
    ).fetchone()
    if row is None:
        return None
    return Progress(trajectory_id=row[0], n_steps=row[1], revision=row[2])


def first_rewritten(db: apsw.Connection, number: int, *, since: int) -> int | None:
    """Return the first step that was changed or dropped after a revision; None without any."""
    ((row,),) = db.execute(
        "SELECT min(id) FROM rewrites WHERE id BETWEEN ? AND ? AND revision > ?",
        (*span(number), since),
    )
    return None if row is None else step_of(int(row))


def save_at_once(
    db: apsw.Connection,
    number: int,
    insert: str,
    rows: Sequence[tuple[int | str | bytes, ...]],
    *,
    revision: int,
) -> bool:
    """Store rows about a trajectory's steps if that can be done without waiting.

    Args:
        db: The database, outside any transaction.
        number: The trajectory.
        insert: The statement for each row.
        rows: Its parameters.
        revision: The trajectory's when the steps were read; a later one leaves all as it is.

    Returns:
        Whether they are stored.
    """
    if db.in_transaction or db.readonly("main"):
        return False
    try:
        db.set_busy_timeout(0)
        db.execute("BEGIN IMMEDIATE")
        is_current = (now := progress_of(db, number)) is not None and now.revision == revision
        if is_current:
            db.executemany(insert, rows)
        db.execute("COMMIT")
    except apsw.Error:
        return False
    finally:
        if not db.get_autocommit():  # after Ctrl-C as well: else nobody could write any more
            db.execute("ROLLBACK")
        db.set_busy_timeout(BUSY_SECONDS * 1000)
    return is_current
