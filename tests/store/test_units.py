"""How far a trajectory is, where it was rewritten, and writes that wait for nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.store.database import BUSY_SECONDS, open_database, transaction
from stepwell.store.forget import mark_rewritten
from stepwell.store.rowids import rowid
from stepwell.store.units import Progress, first_rewritten, progress_of, save_at_once
from support.stores import stored
from support.trajectories import said, trajectory

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell.store.database import Database

INSERT = "INSERT INTO derived VALUES (?, 'mine', '1', ?)"


def put(db: Database, name: str = "run") -> int:
    return stored(db, trajectory([said(i, f"step {i}") for i in range(5)], name=name)).number


def n_derived(db: Database) -> object:
    return db.execute("SELECT count(*) FROM derived").get


def test_progress_counts_steps_and_rewrites(db: Database) -> None:
    number = put(db)
    assert progress_of(db, number) == Progress(trajectory_id="run", n_steps=5, revision=0)
    with transaction(db):
        mark_rewritten(db, number, step=4)
    assert progress_of(db, number) == Progress(trajectory_id="run", n_steps=5, revision=1)
    assert progress_of(db, number + 1) is None


def test_the_first_rewrite_since_a_revision(db: Database) -> None:
    number, other = put(db), put(db, "other")
    assert first_rewritten(db, number, since=0) is None
    with transaction(db):
        mark_rewritten(db, number, step=1)
        mark_rewritten(db, number, step=3)
        mark_rewritten(db, other, step=0)
    assert first_rewritten(db, number, since=0) == 1
    assert first_rewritten(db, number, since=1) == 3
    assert first_rewritten(db, number, since=2) is None


def test_rows_are_stored_while_the_steps_are_as_they_were_read(db: Database) -> None:
    number = put(db)
    rows = [(rowid(number, step), b"x") for step in range(2)]
    assert save_at_once(db, number, INSERT, rows, revision=0)
    assert n_derived(db) == 2
    assert not save_at_once(db, number, INSERT, [(rowid(number, 3), b"x")], revision=1)
    assert not save_at_once(db, number + 1, INSERT, [(rowid(number, 3), b"x")], revision=0)
    assert n_derived(db) == 2
    assert not db.in_transaction


def test_rows_that_cannot_all_be_stored_are_not_stored(db: Database) -> None:
    number = put(db)
    twice = [(rowid(number, 0), b"x"), (rowid(number, 0), b"y")]
    assert not save_at_once(db, number, INSERT, twice, revision=0)
    assert n_derived(db) == 0
    assert not db.in_transaction


def test_nothing_is_stored_within_a_transaction(db: Database) -> None:
    number = put(db)
    with transaction(db):
        assert not save_at_once(db, number, INSERT, [(rowid(number, 0), b"x")], revision=0)
        assert db.in_transaction
    assert n_derived(db) == 0


def test_another_writer_is_not_waited_for_now_and_is_waited_for_later(tmp_path: Path) -> None:
    one, two = open_database(tmp_path / "m.db"), open_database(tmp_path / "m.db")
    number = put(one)
    with transaction(two):
        assert not save_at_once(one, number, INSERT, [(rowid(number, 0), b"x")], revision=0)
    assert one.execute("PRAGMA busy_timeout").get == BUSY_SECONDS * 1000 == 30_000
    assert save_at_once(one, number, INSERT, [(rowid(number, 0), b"x")], revision=0)
    one.close()
    two.close()
