"""Rows that are saved at once or not at all, and snapshots that always end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from stepwell.errors import StoreError
from stepwell.store.database import open_database, transaction
from stepwell.store.rowids import rowid
from stepwell.store.units import save_at_once, snapshot
from support.stores import stored, table_rows
from support.trajectories import said, trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from stepwell.store.database import Database

INSERT = "INSERT INTO derived VALUES (?, 's', 'v', ?)"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def db(path: Path) -> Iterator[Database]:
    connection = open_database(path)
    stored(connection, trajectory([said(i, f"x{i}") for i in range(3)], name="one"))
    stored(connection, trajectory([said(i, f"x{i}") for i in range(2)], name="two"))
    yield connection
    connection.close()


def test_a_snapshot_does_not_see_what_others_write_meanwhile(db: Database, path: Path) -> None:
    other = open_database(path)
    with snapshot(db):
        before = table_rows(db, "steps")
        stored(other, trajectory([said(0, "new")], name="three"))
        assert table_rows(db, "steps") == before
    assert not db.in_transaction
    assert len(table_rows(db, "steps")) == len(before) + 1
    other.close()


def test_a_snapshot_in_a_transaction_leaves_it_open(db: Database) -> None:
    with transaction(db):
        with snapshot(db):
            assert table_rows(db, "steps")
        assert db.in_transaction


def test_a_snapshot_ends_when_its_block_fails(db: Database) -> None:
    with pytest.raises(StoreError, match="no such table"), snapshot(db):
        db.execute("SELECT * FROM missing")
    assert not db.in_transaction


@pytest.mark.parametrize(("number", "revision"), [(1, 1), (1, -1), (3, 0)])
def test_a_changed_or_forgotten_trajectory_gets_no_rows(
    db: Database, number: int, revision: int
) -> None:
    assert not save_at_once(db, number, INSERT, [(rowid(1, 0), b"a")], revision=revision)
    assert table_rows(db, "derived") == []
    assert not db.in_transaction


def test_rows_that_cannot_be_saved_leave_nothing_behind(db: Database) -> None:
    twice = [(rowid(1, 0), b"a"), (rowid(1, 0), b"b")]
    assert not save_at_once(db, 1, INSERT, twice, revision=0)
    assert table_rows(db, "derived") == []
    assert not db.in_transaction
    assert db.execute("PRAGMA busy_timeout").get == 30_000


def test_an_interrupt_leaves_no_transaction_open(db: Database) -> None:
    class Interrupted:
        def __len__(self) -> int:
            return 1

        def __getitem__(self, place: int) -> tuple[int, bytes]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save_at_once(db, 1, INSERT, Interrupted(), revision=0)  # type: ignore[arg-type]
    assert not db.in_transaction
    assert db.execute("PRAGMA busy_timeout").get == 30_000


def test_a_busy_database_is_not_waited_for(db: Database, path: Path) -> None:
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    assert not save_at_once(db, 1, INSERT, [(rowid(1, 0), b"a")], revision=0)
    other.execute("ROLLBACK")
    other.close()
    assert save_at_once(db, 1, INSERT, [(rowid(1, 0), b"a")], revision=0)
