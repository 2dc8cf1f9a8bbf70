"""Open the database: one SQLite file, write-ahead log, durable by default."""

from __future__ import annotations

import re
import stat
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import apsw

from stepwell.errors import InvalidInputError, StepwellError, StoreError
from stepwell.store.backup import back_up
from stepwell.store.contents import fill_contents
from stepwell.store.damage import damage_in
from stepwell.store.forget import BUSY_SECONDS
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

_CACHE_KIB = 65_536

_FILLED: Mapping[int, tuple[Callable[[apsw.Connection], None], ...]] = {
    6: (fill_contents, index_anew)
}
"""What fills the tables of a schema version from what an older file holds."""

_OWN_TABLES = {"trajectories", "steps", "passages", "raw_records"}
"""Tables of every schema there was: a file without them is another program's."""

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
        _make_do(db)
        _check_owner(db)  # before anything is set: another program's file is left as it is
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
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:  # too long, a loop of links, no permission
        raise StoreError(
            f"{str(path)[:200]} cannot be opened: {error.strerror}.", hint="Choose another path."
        ) from error
    if stat.S_ISDIR(mode):
        raise StoreError(
            f"{path} is a folder; name a file.", hint=f"Such as --db {path / 'stepwell.db'}."
        )
    if not stat.S_ISREG(mode):
        raise StoreError(f"{path} is no file.", hint="Name a file, or a new path.")


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


def _make_do(db: apsw.Connection) -> None:
    """Where a full disk has no room for the file that processes share, do without sharing."""
    try:
        schema_version(db)
    except (apsw.FullError, apsw.IOError):
        db.execute("PRAGMA locking_mode = EXCLUSIVE")


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
    if names and not names >= _OWN_TABLES:
        raise StoreError(
            "This SQLite file belongs to another program.",
            hint="Give a new path with --db or STEPWELL_DB.",
        )


def _store_error(error: apsw.Error, *, where: str) -> StoreError:
    if isinstance(error, apsw.NotADBError | apsw.CorruptError):
        return _damaged(f"{where} is not an intact SQLite database ({error}).")
    for kinds, told, hint, reason in _TOLD:
        if isinstance(error, kinds):
            return StoreError(f"{where}: {told} ({error}).", hint=hint, reason=reason)
    return StoreError(f"{where}: {error}.", hint="Run `stepwell doctor` to see what is wrong.")


_TOLD: tuple[tuple[tuple[type[apsw.Error], ...], str, str, str], ...] = (
    (
        (apsw.BusyError, apsw.LockedError),
        f"another process has held it for {BUSY_SECONDS} s",
        "Wait for it to finish, then try again.",
        "busy",
    ),
    (
        (apsw.FullError,),
        "the disk is full; nothing of this was stored, and all else can be read",
        "Make room, or `stepwell forget` what is no longer needed, then try again.",
        "full",
    ),
    (
        (apsw.ReadOnlyError,),
        "the database is read-only",
        "It can be read; to add or forget, make the file and its folder writable.",
        "",
    ),
    (
        (apsw.CantOpenError, apsw.PermissionsError, apsw.AuthError),
        "it cannot be opened",
        "Check that the file and its folder exist and may be read and written.",
        "",
    ),
    (
        (apsw.IOError,),
        "the disk cannot be read or written",
        "Check the disk and its permissions, then run `stepwell doctor`.",
        "",
    ),
)


@contextmanager
def explained(db: apsw.Connection) -> Generator[None]:
    """Turn SQLite's errors in this block into StoreErrors that say what to do."""
    try:
        yield
    except apsw.ConnectionClosedError as error:
        raise StoreError("this memory is closed.", hint="Open it again.") from error
    except apsw.Error as error:
        raise _store_error(error, where=db.filename or "the database in memory") from error
    except StepwellError:
        raise
    except Exception as error:
        # What damage does to a value shows anywhere; whether it was damage, the file can tell.
        found = next(damage_in(db), "") if db.filename else ""
        if not found:
            raise
        raise _damaged(f"{db.filename} is damaged ({found}).") from error


def _damaged(what: str) -> StoreError:
    return StoreError(
        what,
        hint="Run `stepwell doctor`; `stepwell doctor --repair` saves what can be read.",
        reason="damaged",
    )


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
        if db.in_transaction:  # SQLite has rolled back by itself where the disk was full
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
