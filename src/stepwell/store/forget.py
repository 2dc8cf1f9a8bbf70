"""Delete everywhere: rows, full-text index, vectors, blobs and raw records, and the freed bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.store.rowids import rowid, span
from stepwell.store.schema import TRAJECTORY_TABLES
from stepwell.store.vectors import recount

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

__all__ = ["delete_from", "delete_trajectories", "erase_traces"]


def delete_trajectories(db: apsw.Connection, numbers: Iterable[int]) -> None:
    """Delete all that belongs to the given trajectories; inside the caller's transaction."""
    for number in numbers:
        first, last = span(number)
        _delete_index(db, first, last)
        for table in TRAJECTORY_TABLES:
            db.execute(f"DELETE FROM {table} WHERE id BETWEEN ? AND ?", (first, last))  # noqa: S608  (fixed names)
        db.execute("DELETE FROM vector_states WHERE no = ?", (number,))
        db.execute("DELETE FROM trajectories WHERE no = ?", (number,))


def delete_from(db: apsw.Connection, number: int, *, step: int) -> None:
    """Delete the steps of a trajectory from one index on, with their passages and vectors."""
    _, last = span(number)
    rows = db.execute(
        "SELECT id FROM passages WHERE id >> 32 = ? AND step >= ? ORDER BY id", (number, step)
    )
    ids = [(int(row),) for (row,) in rows]
    if ids:
        db.executemany("DELETE FROM passages_fts WHERE rowid = ?", ids)
        db.executemany("DELETE FROM passages WHERE id = ?", ids)
        db.executemany(
            "DELETE FROM vectors WHERE encoder IN (SELECT no FROM encoders) AND id = ?", ids
        )
        recount(db, number)
    db.execute("DELETE FROM steps WHERE id BETWEEN ? AND ?", (rowid(number, step), last))


def erase_traces(db: apsw.Connection) -> None:
    """Remove what deleted rows left behind in the index and the log file.

    A contentless index only marks rows as deleted until its segments are merged, and the
    write-ahead log keeps old pages until it is truncated. Outside any transaction.
    """
    db.execute("INSERT INTO passages_fts (passages_fts) VALUES ('optimize')")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _delete_index(db: apsw.Connection, first: int, last: int) -> None:
    # By the ids of the passages: a range on the index itself would visit every row of it.
    db.execute(
        "DELETE FROM passages_fts WHERE rowid IN (SELECT id FROM passages WHERE id BETWEEN ? AND ?)",
        (first, last),
    )
