"""What structures derived is read back up to the first gap, and stored only where nothing waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stepwell.store.database import open_database, transaction
from stepwell.store.derived import load_derived, save_derived
from stepwell.store.forget import mark_rewritten
from support.stores import stored
from support.trajectories import said, trajectory

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell.store.database import Database

UNITS = ("units", "1")


@pytest.fixture
def number(db: Database) -> int:
    return stored(db, trajectory([said(i, f"step {i}") for i in range(6)])).number


def read(db: Database, number: int, *, first: int = 0, version: str = "1") -> list[bytes]:
    return load_derived(db, number, structure="units", version=version, first=first)


def test_what_was_derived_comes_back_in_order(db: Database, number: int) -> None:
    assert save_derived(db, number, [b"a", b"b", b"c"], first=0, made_by=UNITS, revision=0)
    assert read(db, number) == [b"a", b"b", b"c"]
    assert read(db, number, first=1) == [b"b", b"c"]
    assert read(db, number, first=3) == []


def test_reading_stops_at_the_first_gap(db: Database, number: int) -> None:
    save_derived(db, number, [b"a", b"b"], first=0, made_by=UNITS, revision=0)
    save_derived(db, number, [b"d"], first=3, made_by=UNITS, revision=0)
    assert read(db, number) == [b"a", b"b"]
    assert read(db, number, first=2) == []
    assert read(db, number, first=3) == [b"d"]


def test_what_another_version_derived_is_a_gap(db: Database, number: int) -> None:
    save_derived(db, number, [b"a", b"b", b"c"], first=0, made_by=UNITS, revision=0)
    save_derived(db, number, [b"B"], first=1, made_by=("units", "2"), revision=0)
    assert read(db, number) == [b"a"]
    assert read(db, number, version="2") == []
    assert read(db, number, version="2", first=1) == [b"B"]


def test_structures_and_trajectories_do_not_see_each_other(db: Database, number: int) -> None:
    other = stored(db, trajectory([said(0, "x")], name="other")).number
    save_derived(db, number, [b"u"], first=0, made_by=UNITS, revision=0)
    save_derived(db, number, [b"g"], first=0, made_by=("graph", "1"), revision=0)
    save_derived(db, other, [b"o"], first=0, made_by=UNITS, revision=0)
    assert read(db, number) == [b"u"]
    assert read(db, other) == [b"o"]
    assert load_derived(db, number, structure="graph", version="1") == [b"g"]


def test_deriving_again_replaces(db: Database, number: int) -> None:
    save_derived(db, number, [b"a", b"b"], first=0, made_by=UNITS, revision=0)
    save_derived(db, number, [b"B"], first=1, made_by=UNITS, revision=0)
    assert read(db, number) == [b"a", b"B"]


def test_what_was_read_before_a_rewrite_is_not_stored(db: Database, number: int) -> None:
    with transaction(db):
        mark_rewritten(db, number, step=2)
    assert not save_derived(db, number, [b"a"], first=0, made_by=UNITS, revision=0)
    assert read(db, number) == []
    assert save_derived(db, number, [b"a"], first=0, made_by=UNITS, revision=1)
    assert read(db, number) == [b"a"]


def test_nothing_is_stored_of_a_trajectory_that_is_gone(db: Database, number: int) -> None:
    assert not save_derived(db, number + 1, [b"a"], first=0, made_by=UNITS, revision=0)
    assert read(db, number + 1) == []


def test_nothing_is_stored_within_a_transaction(db: Database, number: int) -> None:
    with transaction(db):
        assert not save_derived(db, number, [b"a"], first=0, made_by=UNITS, revision=0)
    assert read(db, number) == []


def test_a_writer_elsewhere_is_not_waited_for(tmp_path: Path) -> None:
    one, two = open_database(tmp_path / "m.db"), open_database(tmp_path / "m.db")
    number = stored(one, trajectory([said(0, "x")])).number
    with transaction(two):
        assert not save_derived(one, number, [b"a"], first=0, made_by=UNITS, revision=0)
    assert save_derived(one, number, [b"a"], first=0, made_by=UNITS, revision=0)
    assert read(two, number) == [b"a"]
    one.close()
    two.close()
