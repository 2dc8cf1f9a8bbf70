"""Tell whether SQLite works here, and whether a file is intact."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import apsw

from stepwell.errors import StoreError
from stepwell.store.damage import damage_in
from stepwell.store.database import connect_reading, is_writable, schema_version
from stepwell.store.schema import MIGRATIONS

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Health", "health_of", "sqlite_in_use"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """What a look at a file found.

    Attributes:
        is_writable: Whether the file and its folder can be written.
        damage: What is broken, a line each that begins with the table; none if all is intact.
    """

    is_writable: bool
    damage: tuple[str, ...]


def sqlite_in_use() -> str:
    """Return which SQLite is used, after a test of its full-text index.

    Raises:
        StoreError: The full-text index is missing.
    """
    with closing(apsw.Connection(":memory:")) as db:
        try:
            db.execute("CREATE VIRTUAL TABLE t USING fts5 (x)")
        except apsw.Error as error:
            raise StoreError(
                f"FTS5 is missing ({error}):", hint="pip install --force-reinstall apsw"
            ) from error
    return f"SQLite {apsw.sqlite_lib_version()} through apsw {apsw.apsw_version()}"


def health_of(path: Path) -> Health:
    """Read all that a file holds, without changing it.

    Raises:
        StoreError: It cannot even be read.
    """
    try:
        writable = is_writable(path)
        found = _damage(path, writable=writable)
    except apsw.Error as error:
        return Health(is_writable=False, damage=(str(error),))
    return Health(is_writable=writable, damage=found)


def _damage(path: Path, *, writable: bool) -> tuple[str, ...]:
    flags = apsw.SQLITE_OPEN_READWRITE
    opened = apsw.Connection(str(path), flags=flags) if writable else connect_reading(path)
    with closing(opened) as db:
        version = schema_version(db)
        if version < len(
            MIGRATIONS
        ):  # it is upgraded when it is opened; what it holds is looked at then
            lines = (str(line) for (line,) in db.execute("PRAGMA integrity_check(20)"))
            return tuple(line for line in lines if line != "ok")
        return tuple(damage_in(db))
