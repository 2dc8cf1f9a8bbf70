"""Files that were read: what tells that one has not changed, and what was read of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

    from stepwell.store.contents import Owner

__all__ = ["known_file", "put_file"]


def known_file(
    db: apsw.Connection, uri: str, *, owner: Owner, reader: str
) -> tuple[str, str, bytes] | None:
    """Return stamp, digest and report of a file as it was read last; None for never.

    Args:
        db: The database.
        uri: The file.
        owner: Whose it is.
        reader: What it would be read by now; what another read of it is not known.
    """
    row = db.execute(
        "SELECT stamp, sha256, report FROM files WHERE user_id = ? AND agent_id = ? "
        "AND run_id = ? AND uri = ? AND reader = ?",
        (*owner, uri, reader),
    ).fetchone()
    return None if row is None else (str(row[0]), bytes(row[1]).hex(), bytes(row[2]))


def put_file(
    db: apsw.Connection,
    uri: str,
    *,
    owner: Owner,
    read: tuple[str, str, str, bytes],
    runs: Iterable[int],
) -> None:
    """Note a file as read, inside the caller's transaction.

    Args:
        db: The database.
        uri: The file.
        owner: Whose it is.
        read: Its stamp and digest, what it was read by, and the report.
        runs: Numbers of the trajectories it told of; forgetting one of them forgets this.
    """
    stamp, digest, reader, report = read
    db.execute(
        "INSERT INTO files (user_id, agent_id, run_id, uri, stamp, sha256, reader, report) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (user_id, agent_id, run_id, uri) DO UPDATE "
        "SET stamp = excluded.stamp, sha256 = excluded.sha256, reader = excluded.reader, "
        "report = excluded.report",
        (*owner, uri, stamp, bytes.fromhex(digest), reader, report),
    )
    ((file,),) = db.execute(
        "SELECT no FROM files WHERE user_id = ? AND agent_id = ? AND run_id = ? AND uri = ?",
        (*owner, uri),
    ).fetchall()
    db.executemany(
        "INSERT OR IGNORE INTO file_runs VALUES (?, ?)", ((file, number) for number in runs)
    )
