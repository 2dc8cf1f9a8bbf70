"""Settings of a database: values that are made once and stay with the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw

__all__ = ["mark_key"]


def mark_key(db: apsw.Connection) -> bytes | None:
    """Return the secret that payloads are marked with; None in a file without one.

    Only a file of an older schema, opened for reading, has none.
    """
    is_there = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'settings'").fetchone()
    row = is_there and db.execute("SELECT value FROM settings WHERE name = 'mark'").fetchone()
    return bytes(row[0]) if row else None
