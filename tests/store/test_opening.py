"""Opening files that are sealed, torn, newer or another program's; and waiting for none of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from stepwell.errors import StoreError
from stepwell.store.database import (
    BUSY_SECONDS,
    connect_reading,
    explained,
    is_writable,
    open_database,
    schema_version,
    transaction,
)
from stepwell.store.read import entries
from stepwell.store.schema import MIGRATIONS
from stepwell.store.scope import Scope
from support.sealed_files import sealed
from support.stores import stored, table_names, table_rows
from support.trajectories import said, trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from stepwell.store.database import Database

NEWEST = len(MIGRATIONS)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def db(path: Path) -> Iterator[Database]:
    connection = open_database(path)
    yield connection
    connection.close()


def at_version(path: Path, version: int) -> None:
    """Make a file as an older Stepwell left it."""
    db = apsw.Connection(str(path))
    for script in MIGRATIONS[:version]:
        db.execute(script)
    db.execute(f"PRAGMA user_version = {version}")
    db.close()


def pragma(db: Database, name: str) -> object:
    return db.execute(f"PRAGMA {name}").get


def schema_of(db: Database) -> set[tuple[str, str]]:
    found = db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {(str(name), str(sql)) for name, sql in found}


def test_without_a_path_nothing_is_on_disk_and_nothing_is_shared() -> None:
    one, two = open_database(None), open_database(None)
    stored(one, trajectory([said(0, "x")]))
    assert one.filename == ""
    assert len(entries(one, Scope())) == 1
    assert entries(two, Scope()) == []
    one.close()
    two.close()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("journal_mode", "wal"),
        ("synchronous", 2),
        ("secure_delete", 1),
        ("foreign_keys", 1),
        ("temp_store", 2),
        ("cache_size", -65_536),
        ("busy_timeout", 30_000),
    ],
)
def test_a_database_is_durable_erases_and_waits(db: Database, name: str, value: object) -> None:
    assert pragma(db, name) == value


def test_a_writer_waits_half_a_minute() -> None:
    assert BUSY_SECONDS == 30


def test_a_failed_migration_leaves_the_file_as_it_was(path: Path) -> None:
    at_version(path, 2)
    old = apsw.Connection(str(path))
    old.execute("CREATE TABLE usage (x)")  # the fourth script creates it and must fail
    old.close()
    with pytest.raises(StoreError, match="already exists") as caught:
        open_database(path)
    assert "stepwell doctor" in str(caught.value.hint)
    left = apsw.Connection(str(path))
    assert schema_version(left) == 2
    assert "recalls" not in table_names(left)
    left.close()


def test_the_newest_schema_is_not_touched_again(path: Path) -> None:
    open_database(path).close()
    db = open_database(path)
    assert db.total_changes() == 0
    assert not db.in_transaction
    db.close()


@pytest.mark.parametrize("more", [1, 20])
def test_a_newer_schema_is_refused_and_left_alone(path: Path, more: int) -> None:
    db = open_database(path)
    db.execute(f"PRAGMA user_version = {NEWEST + more}")
    db.close()
    expected = f"has schema version {NEWEST + more}, this Stepwell knows {NEWEST}"
    with pytest.raises(StoreError, match=expected) as caught:
        open_database(path)
    assert "pip install --upgrade stepwell" in str(caught.value.hint)
    db = apsw.Connection(str(path))
    assert schema_version(db) == NEWEST + more
    db.close()


def test_another_programs_file_is_refused_and_left_alone(path: Path) -> None:
    theirs = apsw.Connection(str(path))
    theirs.execute("CREATE TABLE bookmarks (x); INSERT INTO bookmarks VALUES (1)")
    theirs.close()
    with pytest.raises(StoreError, match="belongs to another program") as caught:
        open_database(path)
    assert "--db or STEPWELL_DB" in str(caught.value.hint)
    theirs = apsw.Connection(str(path))
    assert table_names(theirs) == ["bookmarks"]
    assert table_rows(theirs, "bookmarks") == [(1,)]
    theirs.close()


def test_an_empty_file_is_a_new_database(path: Path) -> None:
    path.touch()
    db = open_database(path)
    assert schema_version(db) == NEWEST
    db.close()


@pytest.mark.parametrize("content", [b"plain text " * 400, b"\0" * 4096, b"SQLite format 3\0" * 99])
def test_what_is_no_database_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(StoreError, match="is not an intact SQLite database") as caught:
        open_database(path)
    assert str(path) in str(caught.value)
    assert "doctor --repair" in str(caught.value.hint)
    assert path.read_bytes() == content


def test_a_torn_database_is_no_intact_one(path: Path) -> None:
    db = open_database(path)
    stored(db, trajectory([said(i, f"text {i}") for i in range(200)]))
    db.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + b"\xff" * 4096 + whole[4196:])
    with pytest.raises(StoreError, match="is not an intact SQLite database"):
        open_database(path)


def test_a_file_is_writable_unless_it_is_sealed_or_missing(db: Database, path: Path) -> None:
    db.close()
    assert is_writable(path)
    assert [file.name for file in path.parent.iterdir()] == ["memory.db"]
    assert not is_writable(path.with_name("missing.db"))
    assert not path.with_name("missing.db").exists()
    with sealed(path, with_folder=False):
        assert not is_writable(path)
    with sealed(path, with_folder=True):
        assert not is_writable(path)


def test_a_sealed_file_is_read_and_writing_says_why_not(db: Database, path: Path) -> None:
    stored(db, trajectory([said(0, "x")]))
    db.close()
    with sealed(path, with_folder=True):
        reading = open_database(path)
        assert pragma(reading, "cache_size") == -65_536
        assert pragma(reading, "busy_timeout") == 30_000
        assert len(entries(reading, Scope())) == 1
        with (
            pytest.raises(StoreError, match="the database is read-only") as caught,
            transaction(reading),
        ):
            reading.execute("DELETE FROM steps")
        reading.close()
    assert "make the file and its folder writable" in str(caught.value.hint)


def test_a_sealed_file_of_another_program_or_a_newer_one_is_refused(tmp_path: Path) -> None:
    theirs, newer = tmp_path / "theirs" / "x.db", tmp_path / "newer" / "x.db"
    for file, script in ((theirs, "CREATE TABLE bookmarks (x)"), (newer, MIGRATIONS[0])):
        file.parent.mkdir()
        db = apsw.Connection(str(file))
        db.execute(script)
        db.execute(f"PRAGMA user_version = {NEWEST + 1}")
        db.close()
    with sealed(theirs, with_folder=True), pytest.raises(StoreError, match="another program"):
        open_database(theirs)
    with sealed(newer, with_folder=True), pytest.raises(StoreError, match="this Stepwell knows"):
        open_database(newer)


def test_a_sealed_older_file_says_which_version_it_has(path: Path) -> None:
    at_version(path, NEWEST - 1)
    expected = f"schema version {NEWEST - 1}, this Stepwell needs {NEWEST}"
    with sealed(path, with_folder=True), pytest.raises(StoreError, match=expected) as caught:
        open_database(path)
    assert "where it can be written" in str(caught.value.hint)


def test_who_connects_for_reading_cannot_write(db: Database, path: Path) -> None:
    reading = connect_reading(path)
    assert reading.readonly("main")
    assert pragma(reading, "busy_timeout") == 30_000
    with pytest.raises(apsw.ReadOnlyError):
        reading.execute("CREATE TABLE x (y)")
    stored(db, trajectory([said(0, "x")]))
    assert len(entries(reading, Scope())) == 1  # it sees what others write
    reading.close()


def test_a_transaction_commits_all_or_nothing(db: Database, path: Path) -> None:
    other = open_database(path)
    with transaction(db):
        db.execute("INSERT INTO encoders VALUES (1, 'a', 2)")
        assert table_rows(other, "encoders") == []
    assert table_rows(other, "encoders") == [(1, "a", 2)]

    def write_and_fail(error: BaseException) -> None:
        with transaction(db):
            db.execute("INSERT INTO encoders VALUES (2, 'b', 2)")
            raise error

    for error in (ValueError("no"), KeyboardInterrupt()):
        with pytest.raises(type(error)):
            write_and_fail(error)
        assert not db.in_transaction
        assert table_rows(other, "encoders") == [(1, "a", 2)]
    other.close()


def test_a_transaction_takes_the_writers_place_at_its_start(db: Database, path: Path) -> None:
    other = open_database(path)
    other.set_busy_timeout(0)
    with (
        transaction(db),
        pytest.raises(StoreError, match=f"another process has held it for {BUSY_SECONDS} s"),
        transaction(other),
    ):
        pass
    with transaction(other):  # free again
        assert other.in_transaction
    other.close()


def test_any_other_error_is_named_with_the_file(db: Database, path: Path) -> None:
    with pytest.raises(StoreError, match="no such table: missing") as caught, explained(db):
        db.execute("SELECT * FROM missing")
    assert str(path) in str(caught.value)
    assert isinstance(caught.value.__cause__, apsw.SQLError)


def test_errors_that_are_not_sqlites_pass(db: Database) -> None:
    with pytest.raises(ZeroDivisionError), explained(db):
        assert 1 / 0
