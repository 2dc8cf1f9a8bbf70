"""Delete everywhere: rows, full-text index, vectors, blobs and raw records, and the freed bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.store.rowids import span
from stepwell.store.schema import TRAJECTORY_TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

__all__ = [
    "BUSY_SECONDS",
    "delete_files",
    "delete_passages",
    "delete_recalls",
    "delete_trajectories",
    "erase_traces",
    "mark_deleted",
    "mark_rewritten",
    "waits_for_erasure",
]


BUSY_SECONDS = 30
"""How long a writer waits for another process before it gives up."""

_WAITING = b"deleted"
"""Stands among the tombstones while bytes wait to be erased; their marks are of another length."""

_BULKY = ("raw_records", "blobs", "derived", "steps", "vectors")


def delete_trajectories(db: apsw.Connection, numbers: Iterable[int]) -> None:
    """Delete all that belongs to the given trajectories; inside the caller's transaction."""
    for number in numbers:
        # What frees most pages goes first: on a full disk the index needs some for its deletions.
        for table in _BULKY:
            _delete_range(db, table, *span(number))
        _delete_index(db, *span(number))
        for table in TRAJECTORY_TABLES:
            _delete_range(db, table, *span(number))
        db.execute("DELETE FROM vector_states WHERE no = ?", (number,))
        delete_recalls(db, number)
        db.execute("DELETE FROM usage WHERE no = ?", (number,))
        delete_files(db, number)
        db.execute("DELETE FROM trajectories WHERE no = ?", (number,))


def delete_passages(db: apsw.Connection, number: int, first: int, last: int) -> None:
    """Delete passages of a trajectory by row id, with their index and their vectors.

    The caller counts the vectors anew (`recount`) once all is written.
    """
    _delete_index(db, first, last)
    _delete_range(db, "vectors", first, last)
    _delete_range(db, "passages", first, last)
    db.execute(
        "UPDATE trajectories SET n_passages = n_passages - ? WHERE no = ?", (db.changes(), number)
    )


def mark_rewritten(db: apsw.Connection, number: int, *, step: int) -> None:
    """Note that a stored step is changed or dropped, and drop what was derived from there on."""
    first, last = span(number, first=step)
    # A later step's note says nothing any more to a reader who has to go back to this one.
    for table in ("derived", "rewrites"):
        _delete_range(db, table, first, last)
    db.execute("UPDATE trajectories SET revision = revision + 1 WHERE no = ?", (number,))
    db.execute(
        "INSERT INTO rewrites SELECT ?, revision FROM trajectories WHERE no = ?",
        (first, number),
    )


def delete_files(db: apsw.Connection, number: int) -> None:
    """Forget the files that a trajectory was read from: the next time they are read again."""
    read = "SELECT file FROM file_runs WHERE no = ?"
    db.execute(f"DELETE FROM files WHERE no IN ({read})", (number,))  # noqa: S608  (fixed texts)
    db.execute(f"DELETE FROM file_runs WHERE file IN ({read})", (number,))  # noqa: S608


def delete_recalls(db: apsw.Connection, number: int) -> None:
    """Delete what is logged of recalls that read a trajectory: their questions tell of it."""
    read = "SELECT recall FROM recall_trajectories WHERE no = ?"
    for table in ("feedback", "usage"):
        db.execute(f"DELETE FROM {table} WHERE recall IN ({read})", (number,))  # noqa: S608  (fixed texts)
    db.execute(f"DELETE FROM recalls WHERE no IN ({read})", (number,))  # noqa: S608
    db.execute(
        f"DELETE FROM recall_trajectories WHERE recall IN ({read})",  # noqa: S608
        (number,),
    )


def mark_deleted(db: apsw.Connection) -> None:
    """Note that bytes of what is deleted wait to be erased; in the transaction that deletes."""
    db.execute("INSERT OR IGNORE INTO tombstones VALUES (?)", (_WAITING,))


def waits_for_erasure(db: apsw.Connection) -> bool:
    """Tell whether bytes of what was deleted are still in the file or its log."""
    row = db.execute("SELECT 1 FROM tombstones WHERE mark = ?", (_WAITING,)).fetchone()
    return row is not None


def erase_traces(db: apsw.Connection, *, patience: float = BUSY_SECONDS) -> bool:
    """Remove what deleted rows left behind in the index and the log file; outside a transaction.

    A contentless index only marks rows as deleted until its segments are merged, and the
    write-ahead log keeps old pages until it is truncated, for which no other connection may read
    the file. What had to stay is noted, and erased at a later call.

    Args:
        db: The database.
        patience: Seconds that other connections are waited for.

    Returns:
        Whether all is erased.
    """
    db.set_busy_timeout(round(patience * 1000))
    try:
        db.execute("INSERT INTO passages_fts (passages_fts) VALUES ('optimize')")
        ((is_busy, _, _),) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        if not is_busy:
            db.execute("DELETE FROM tombstones WHERE mark = ?", (_WAITING,))
    finally:
        db.set_busy_timeout(BUSY_SECONDS * 1000)
    return not is_busy


def _delete_index(db: apsw.Connection, first: int, last: int) -> None:
    # By the ids of the passages: a range on the index itself would visit every row of it.
    db.execute(
        "DELETE FROM passages_fts WHERE rowid IN "
        "(SELECT id FROM passages WHERE id BETWEEN ? AND ?)",
        (first, last),
    )


def _delete_range(db: apsw.Connection, table: str, first: int, last: int) -> None:
    # Vectors are keyed by encoder first; naming the encoders makes it a range there too.
    encoders = "encoder IN (SELECT no FROM encoders) AND " if table == "vectors" else ""
    db.execute(f"DELETE FROM {table} WHERE {encoders}id BETWEEN ? AND ?", (first, last))  # noqa: S608  (fixed names)
