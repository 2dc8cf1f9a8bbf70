"""Opening: every schema is brought up to date, a block is written whole or not, errors advise."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

from stepwell.errors import InvalidInputError, StoreError
from stepwell.store import database
from stepwell.store.contents import load_contents
from stepwell.store.database import (
    connect_reading,
    explained,
    is_writable,
    open_database,
    schema_version,
    transaction,
)
from stepwell.store.read import entries, load_trajectory
from stepwell.store.schema import MIGRATIONS
from stepwell.store.scope import Scope
from stepwell.store.units import snapshot
from support.stores import stored
from support.trajectories import said, trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

WHOLE = trajectory([said(0, "zebra"), said(1, "yard")])


def schema_of(db: apsw.Connection) -> set[tuple[str, str]]:
    return set(db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))


def aged(path: Path, version: int) -> None:
    """Make a file as code of that schema version left it, empty."""
    db = apsw.Connection(str(path))
    for script in MIGRATIONS[:version]:
        db.execute(script)
    db.execute(f"PRAGMA user_version = {version}")
    db.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def two(path: Path) -> Iterator[tuple[apsw.Connection, apsw.Connection]]:
    one, other = open_database(path), open_database(path)
    one.set_busy_timeout(0)
    other.set_busy_timeout(0)
    yield one, other
    one.close()
    other.close()


def test_a_new_file_is_made_with_its_folder_and_the_newest_schema(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "memory.db"
    db = open_database(path)
    assert schema_version(db) == len(MIGRATIONS)
    stored(db, WHOLE)
    db.close()
    again = open_database(path)
    (entry,) = entries(again, Scope())
    assert load_trajectory(again, entry.number) == WHOLE
    again.close()


@pytest.mark.parametrize("version", range(len(MIGRATIONS) + 1))
def test_every_older_schema_becomes_the_newest(path: Path, version: int) -> None:
    aged(path, version)
    db, new = open_database(path), open_database(None)
    assert schema_version(db) == len(MIGRATIONS)
    assert schema_of(db) == schema_of(new)
    stored(db, WHOLE)
    db.close()
    new.close()


def test_a_trajectory_of_the_first_schema_is_still_read(path: Path) -> None:
    aged(path, 1)
    old, new = apsw.Connection(str(path)), open_database(None)
    stored(new, WHOLE)
    for table in ("trajectories", "steps", "passages", "raw_records"):
        columns = [c[1] for c in old.execute(f"PRAGMA table_info({table})")]
        names = ", ".join("x''" if name == "fingerprint" else name for name in columns)
        rows = new.execute(f"SELECT {names} FROM {table}").fetchall()  # noqa: S608
        marks = ", ".join("?" * len(columns))
        old.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608
    old.close()
    db = open_database(path)
    (entry,) = entries(db, Scope())
    assert load_trajectory(db, entry.number) == WHOLE
    assert load_contents(db, entry.number) == load_contents(new, 1)
    assert stored(db, WHOLE).state == "unchanged"
    db.close()
    new.close()


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    aged(path, 2)
    broken = (*MIGRATIONS[:3], "CREATE TABLE half (x); SELECT no_such_column;")
    monkeypatch.setattr(database, "MIGRATIONS", broken)
    with pytest.raises(StoreError, match="no_such_column"):
        open_database(path)
    left = apsw.Connection(str(path))
    assert schema_version(left) == 2
    names = {name for name, _ in schema_of(left)}
    assert "derived" not in names
    assert "half" not in names
    left.close()


def test_a_file_is_durable_and_forgets_its_bytes(path: Path) -> None:
    db = open_database(path)
    settings = {
        name: db.execute(f"PRAGMA {name}").get
        for name in ("journal_mode", "synchronous", "secure_delete", "foreign_keys", "temp_store")
    }
    assert settings == {
        "journal_mode": "wal",
        "synchronous": 2,  # FULL
        "secure_delete": 1,
        "foreign_keys": 1,
        "temp_store": 2,  # in memory
    }
    db.close()


@pytest.mark.parametrize("name", ["a\0b", "a\udcffb"])
def test_a_name_that_sqlite_cannot_take_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInputError, match="cannot name a database") as caught:
        open_database(tmp_path / name)
    assert caught.value.hint == "Give a path in Unicode, without a NUL."


@pytest.mark.parametrize("name", ["ä 🦓.db", "a\nb.db", "100%?x=1#y.db"])
def test_any_other_name_will_do_for_writing_and_for_reading(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    db = open_database(path)
    stored(db, WHOLE)
    assert path.exists()
    reading = connect_reading(path)
    assert len(entries(reading, Scope())) == 1
    reading.close()
    db.close()


def test_a_folder_is_refused_with_a_name_to_give(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is a folder; name a file") as caught:
        open_database(tmp_path)
    assert str(tmp_path / "stepwell.db") in str(caught.value.hint)


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StoreError, match="cannot be opened") as caught:
        open_database(tmp_path / "file" / "below" / "memory.db")
    assert caught.value.hint == "Choose another path."


def test_a_missing_file_cannot_be_read_and_is_not_made(path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be read") as caught:
        connect_reading(path)
    assert caught.value.hint == "Check its permissions."
    assert not is_writable(path)
    assert not path.exists()


def test_reading_alone_writes_nothing(path: Path) -> None:
    open_database(path).close()
    reading = connect_reading(path)
    with pytest.raises(StoreError, match="read-only"), explained(reading):
        reading.execute("DELETE FROM trajectories")
    reading.close()


def test_a_block_is_written_whole_or_not_at_all(path: Path) -> None:
    db = open_database(path)

    def insert(name: str) -> None:
        stored_name = "INSERT INTO encoders (encoder_id, dimension) VALUES (?, 1)"
        db.execute(stored_name, (name,))

    def fail() -> None:
        with transaction(db):
            insert("lost")
            raise ValueError

    with transaction(db):
        insert("kept")
    with pytest.raises(ValueError):  # noqa: PT011  (raised above)
        fail()
    assert not db.in_transaction
    other = open_database(path)
    assert other.execute("SELECT encoder_id FROM encoders").fetchall() == [("kept",)]
    other.close()
    db.close()


def test_a_writer_that_waits_too_long_is_told_who_holds_the_file(
    two: tuple[apsw.Connection, apsw.Connection], path: Path
) -> None:
    one, other = two
    with (
        transaction(one),
        pytest.raises(StoreError, match="another process has held") as caught,
        transaction(other),
    ):
        raise AssertionError
    assert str(path) in str(caught.value)
    assert caught.value.hint == "Wait for it to finish, then try again."
    with transaction(other):
        pass


def test_a_snapshot_sees_one_state_and_the_next_sees_the_new_one(
    two: tuple[apsw.Connection, apsw.Connection],
) -> None:
    one, other = two
    with snapshot(one):
        assert entries(one, Scope()) == []
        stored(other, WHOLE)
        with snapshot(one):  # within another it is the same
            assert entries(one, Scope()) == []
        assert entries(one, Scope()) == []
    assert not one.in_transaction
    with snapshot(one):
        assert len(entries(one, Scope())) == 1


def test_a_snapshot_ends_with_an_error_in_it(db: apsw.Connection) -> None:
    with pytest.raises(StoreError, match="no such table"), snapshot(db):
        db.execute("SELECT * FROM missing")
    assert not db.in_transaction


def test_a_closed_memory_says_so() -> None:
    db = open_database(None)
    db.close()
    with pytest.raises(StoreError, match="this memory is closed") as caught, explained(db):
        db.execute("SELECT 1")
    assert caught.value.hint == "Open it again."


def test_an_unforeseen_error_of_sqlite_points_to_the_doctor(db: apsw.Connection) -> None:
    with pytest.raises(StoreError, match="the database in memory: ") as caught, explained(db):
        db.execute("SELECT nothing")
    assert "stepwell doctor" in str(caught.value.hint)


def test_a_damaged_file_points_to_the_doctor_and_to_backups(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 4096)
    with pytest.raises(StoreError, match="not an intact SQLite database") as caught:
        open_database(path)
    assert "doctor --repair" in str(caught.value.hint)
    assert path.name in str(caught.value)


def test_a_relative_path_is_opened_where_it_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    open_database(Path("memory.db")).close()
    connect_reading(Path("memory.db")).close()
    assert (tmp_path / "memory.db").exists()


def test_a_name_that_is_too_long_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened") as caught:
        open_database(tmp_path / ("x" * 5_000))
    assert caught.value.hint == "Choose another path."
    assert len(str(caught.value)) < 400


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes of a name here")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreError, match="is no file"):
        open_database(tmp_path / "pipe")
