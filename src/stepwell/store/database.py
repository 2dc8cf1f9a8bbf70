"""Open the database: one SQLite file, write-ahead log, durable by default."""

from __future__ import annotations

import re
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import apsw

from stepwell.errors import InvalidInputError, StoreError
from stepwell.store.backup import back_up
from stepwell.store.contents import fill_contents
from stepwell.store.schema import MIGRATIONS
from stepwell.store.words import index_anew

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

__all__ = [
    "BUSY_SECONDS",
    "Database",
    "atomic",
    "change_mark",
    "connect_reading",
    "explained",
    "is_writable",
    "open_database",
    "schema_version",
    "size_on_disk",
    "transaction",
]

Database: TypeAlias = apsw.Connection
"""An open database: what is stored is read and written by the functions of this package alone."""

BUSY_SECONDS = 30
"""How long a writer waits for another process before it gives up."""

_CACHE_KIB = 65_536

_FILLED: Mapping[int, tuple[Callable[[apsw.Connection], None], ...]] = {
    6: (fill_contents, index_anew)
}
"""What fills the tables of a schema version from what an older file holds."""

_NAME = re.compile(r"[^\0\ud800-\udfff]+", re.DOTALL)
"""SQLite takes paths in UTF-8; a surrogate stands for a byte that is none."""


def open_database(path: Path | None) -> apsw.Connection:
    """Open or create a database and bring its schema up to date.

    A file of an older schema that holds anything is copied beside itself before it is changed.

    Args:
        path: The file; None keeps everything in memory.

    Raises:
        InvalidInputError: The path is none for SQLite.
        StoreError: The file is no database of Stepwell's, is damaged, or is newer than this code.

    A file that cannot be written is opened for reading; what would write then is a StoreError.
    """
    if path is not None:
        _check_name(path)
    try:
        if path is not None and path.exists() and not is_writable(path):
            return _open_read_only(path)
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        db = apsw.Connection(":memory:" if path is None else str(path))
        _configure(db)
        _migrate(db)
    except OSError as error:
        raise StoreError(
            f"The folder of {path} cannot be made: {error.strerror}.", hint="Choose another path."
        ) from error
    except apsw.Error as error:
        raise _store_error(error, where=str(path)) from error
    return db


def _check_name(path: Path) -> None:
    if not _NAME.fullmatch(str(path)):
        raise InvalidInputError(
            f"{str(path)!r} cannot name a database.",
            hint="Give a path in Unicode, without a NUL.",
        )
    if path.is_dir():
        raise StoreError(
            f"{path} is a folder; name a file.", hint=f"Such as --db {path / 'stepwell.db'}."
        )


def is_writable(path: Path) -> bool:
    """Tell whether SQLite can write the file and, beside it, the log; it leaves no trace."""
    try:
        db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    except apsw.CantOpenError:
        return False
    try:
        db.set_busy_timeout(BUSY_SECONDS * 1000)
        schema_version(db)  # in a folder that cannot be written, opening succeeds and this fails
        return not db.readonly("main")
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        return False
    finally:
        db.close()


def _open_read_only(path: Path) -> apsw.Connection:
    db = connect_reading(path)
    _configure_reading(db)
    _check_owner(db)
    _check_not_newer(version := schema_version(db))
    if version < len(MIGRATIONS):
        raise StoreError(
            f"{path} has schema version {version}, this Stepwell needs {len(MIGRATIONS)}, and the "
            "file cannot be written.",
            hint="Open it once where it can be written, or copy it there.",
        )
    return db


def connect_reading(path: Path) -> apsw.Connection:
    """Connect to a file for reading only, as it is.

    Where no log can be made beside it, the file is read as one that nobody changes.

    Raises:
        StoreError: It cannot even be read.
    """
    db = _connected(path, "mode=ro") or _connected(path, "immutable=1")
    if db is None:
        raise StoreError(f"{path} cannot be read.", hint="Check its permissions.")
    return db


def _connected(path: Path, parameter: str) -> apsw.Connection | None:
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        db = apsw.Connection(f"{path.absolute().as_uri()}?{parameter}", flags=flags)
    except apsw.CantOpenError:
        return None
    try:
        db.set_busy_timeout(BUSY_SECONDS * 1000)
        schema_version(db)
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        db.close()
        return None
    return db


def _configure(db: apsw.Connection) -> None:
    db.set_busy_timeout(BUSY_SECONDS * 1000)
    db.execute("PRAGMA journal_mode = WAL")
    # FULL: an acknowledged step survives power loss; one fdatasync per commit.
    db.execute("PRAGMA synchronous = FULL")
    # Freed pages are zeroed, so that what was forgotten is not left in the file.
    db.execute("PRAGMA secure_delete = ON")
    db.execute("PRAGMA foreign_keys = ON")
    _configure_reading(db)


def _configure_reading(db: apsw.Connection) -> None:
    db.execute("PRAGMA temp_store = MEMORY")
    db.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")


def schema_version(db: apsw.Connection) -> int:
    """Return the schema version stored in the file; 0 for an empty one."""
    return int(db.execute("PRAGMA user_version").get)


def size_on_disk(db: apsw.Connection) -> int:
    """Return the bytes that the file takes; 0 for a database in memory."""
    pages, size = int(db.execute("PRAGMA page_count").get), int(db.execute("PRAGMA page_size").get)
    return pages * size if db.filename else 0


def change_mark(db: apsw.Connection) -> tuple[int, int]:
    """Return what differs after any change to the database, by this connection or another."""
    return int(db.execute("PRAGMA data_version").get), db.total_changes()


def _migrate(db: apsw.Connection) -> None:
    if schema_version(db) == len(MIGRATIONS):
        return
    with transaction(db):  # two processes that open a new file together migrate in turn
        _check_owner(db)
        _check_not_newer(version := schema_version(db))
        if version < len(MIGRATIONS) and _holds_data(db):
            _keep_copy(Path(db.filename), version)
        for number in range(version, len(MIGRATIONS)):
            db.execute(MIGRATIONS[number])
            for fill in _FILLED.get(number + 1, ()):
                fill(db)
            db.execute(f"PRAGMA user_version = {number + 1}")


def _holds_data(db: apsw.Connection) -> bool:
    if schema_version(db) == 0:  # a new file, which has no tables yet
        return False
    return db.execute("SELECT 1 FROM trajectories LIMIT 1").fetchone() is not None


def _keep_copy(path: Path, version: int) -> None:
    # Read through a connection of its own: it sees what was committed last, and the transaction
    # around this lets nobody commit more before the schema is changed.
    with closing(connect_reading(path)) as reading:
        back_up(reading, path, version=version)


def _check_not_newer(version: int) -> None:
    if version > len(MIGRATIONS):
        raise StoreError(
            f"The database has schema version {version}, this Stepwell knows {len(MIGRATIONS)}.",
            hint="Upgrade it: pip install --upgrade stepwell.",
        )


def _check_owner(db: apsw.Connection) -> None:
    names = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if names and "trajectories" not in names:
        raise StoreError(
            "This SQLite file belongs to another program.",
            hint="Give a new path with --db or STEPWELL_DB.",
        )


def _store_error(error: apsw.Error, *, where: str) -> StoreError:
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return StoreError(
            f"Another process has held {where} for {BUSY_SECONDS} s.",
            hint="Wait for it to finish, then try again.",
        )
    if isinstance(error, apsw.ReadOnlyError):
        return StoreError(
            f"{where}: the database is read-only.",
            hint="It can be read; to add or forget, make the file and its folder writable.",
        )
    if isinstance(error, apsw.NotADBError | apsw.CorruptError):
        return StoreError(
            f"{where} is not an intact SQLite database ({error}).",
            hint="Run `stepwell doctor`, or restore the file from a backup.",
        )
    return StoreError(f"{where}: {error}.", hint="Run `stepwell doctor` to see what is wrong.")


@contextmanager
def explained(db: apsw.Connection) -> Generator[None]:
    """Turn SQLite's errors in this block into StoreErrors that say what to do."""
    try:
        yield
    except apsw.ConnectionClosedError as error:
        raise StoreError("this memory is closed.", hint="Open it again.") from error
    except apsw.Error as error:
        raise _store_error(error, where=db.filename or "the database in memory") from error


@contextmanager
def transaction(db: apsw.Connection) -> Generator[None]:
    """Commit what this block writes, all of it, or nothing when it raises.

    Errors of SQLite are raised as StoreErrors.
    """
    with explained(db), atomic(db):
        yield


@contextmanager
def atomic(db: apsw.Connection) -> Generator[None]:
    """Commit what this block writes, or nothing when it raises; errors are left as they are.

    Waits for other writers at the start (IMMEDIATE), not half-way. apsw's own `with db` would do,
    but it waits with the interpreter locked, and two threads with a connection each then block
    one another until the wait times out.
    """
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
