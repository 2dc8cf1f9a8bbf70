"""The log of recalls: whose it is, what goes first, and what it never waits for."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from stepwell.errors import StoreError
from stepwell.store.database import open_database, transaction
from stepwell.store.recalls import (
    Recalled,
    find_recall,
    load_recalls,
    save_feedback,
    save_recalls,
)
from stepwell.store.usage import Access
from support.sealed_files import sealed
from support.stores import number_at, stored, table_rows
from support.trajectories import NOW, said, trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from stepwell.store.database import Database

MOST = 10_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def db(path: Path) -> Iterator[Database]:
    connection = open_database(path)
    for name in ("one", "two", "three"):
        stored(connection, trajectory([said(0, name)], name=name))
    yield connection
    connection.close()


def recalled(name: str = "r", *numbers: int) -> Recalled:
    return Recalled(
        id=name,
        asked_at=NOW + timedelta(microseconds=7),
        question="Où est 漢字?",
        context=b'{"n": 1}',
        policy="fixed",
        structures=("summary", "vector"),
        chance=0.25,
        budget=1000,
        tokens=900,
        trajectories=numbers or (1,),
    )


def ids(db: Database, *numbers: int) -> list[str]:
    return [one.id for one in load_recalls(db, numbers=numbers or (1, 2, 3))]


def test_nothing_to_log_is_logged(db: Database) -> None:
    assert save_recalls(db, [])
    assert ids(db) == []


def test_only_recalls_all_of_whose_trajectories_are_allowed_are_seen(db: Database) -> None:
    save_recalls(db, [recalled("a", 1), recalled("ab", 1, 2), recalled("b", 2)])
    assert ids(db, 1) == ["a"]
    assert ids(db, 2) == ["b"]
    assert ids(db, 1, 2) == ["a", "ab", "b"]
    assert ids(db, 3) == []
    assert find_recall(db, "ab", numbers=[1]) is None
    assert find_recall(db, "ab", numbers=[2, 1]) == 2
    assert find_recall(db, "none", numbers=[1, 2, 3]) is None


def test_a_recall_that_read_nothing_is_everybodys(db: Database) -> None:
    save_recalls(db, [replace(recalled("n"), trajectories=())])
    assert next(load_recalls(db, numbers=[])).trajectories == ()
    assert find_recall(db, "n", numbers=[]) == 1


def test_trajectories_come_in_the_order_of_their_numbers(db: Database) -> None:
    save_recalls(db, [recalled("r", 3, 1)])
    assert next(load_recalls(db, numbers=[1, 3])).trajectories == (1, 3)


def test_a_recall_logged_again_replaces_itself(db: Database) -> None:
    access = Access(number=1, step=0, rank=1, fate="cut", structure="x", tokens=0)
    save_recalls(db, [replace(recalled("r"), accesses=(access,)), recalled("s")])
    save_feedback(db, 1, 1.0, now=NOW)
    save_recalls(db, [replace(recalled("r", 2), tokens=1)])
    assert ids(db) == ["s", "r"]
    assert list(load_recalls(db, numbers=[2])) == [replace(recalled("r", 2), tokens=1)]
    assert table_rows(db, "usage") == table_rows(db, "feedback") == []
    assert table_rows(db, "recall_trajectories") == [(2, 1), (3, 2)]


def test_no_structures_are_none(db: Database) -> None:
    save_recalls(db, [replace(recalled(), structures=())])
    assert next(load_recalls(db, numbers=[1])).structures == ()


def fill(db: Database, n: int) -> None:
    """Log recalls quickly, by copying the first."""
    save_recalls(db, [recalled("0")])
    with transaction(db):
        db.execute(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
            "INSERT INTO recalls SELECT i + 1, i, asked_at, question, context, policy, structures, "
            "chance, budget, tokens FROM n, recalls",
            (n - 1,),
        )
        db.execute("INSERT OR IGNORE INTO recall_trajectories SELECT no, 1 FROM recalls")


def test_the_oldest_go_when_there_are_too_many(db: Database) -> None:
    fill(db, MOST)
    save_recalls(db, [])
    assert number_at(db, "SELECT count(*) FROM recalls") == MOST
    save_recalls(db, [recalled("x"), recalled("y")])
    kept = ids(db)
    assert len(kept) == MOST
    assert (kept[0], kept[-2:]) == ("2", ["x", "y"])
    assert number_at(db, "SELECT count(*) FROM recall_trajectories") == MOST


def test_those_with_feedback_go_last(db: Database) -> None:
    fill(db, MOST)
    save_feedback(db, 1, 0.0, now=NOW)
    save_feedback(db, 3, 1.0, now=NOW)
    save_recalls(db, [recalled("x"), recalled("y")])
    kept = ids(db)
    assert len(kept) == MOST
    assert kept[:3] == ["0", "2", "4"]
    assert len(table_rows(db, "feedback")) == 2


def test_usage_goes_with_its_recall(db: Database) -> None:
    access = Access(number=1, step=0, rank=1, fate="cut", structure="x", tokens=0)
    save_recalls(db, [replace(recalled("r"), accesses=(access,))])
    with transaction(db):
        db.execute("DELETE FROM recalls")
    save_recalls(db, [])
    assert table_rows(db, "usage") == []


def test_a_recall_does_not_wait_for_its_log(db: Database, path: Path) -> None:
    other = open_database(path)
    with transaction(other):
        assert not save_recalls(db, [recalled()])
    assert db.execute("PRAGMA busy_timeout").get == 30_000
    assert ids(db) == []
    assert save_recalls(db, [recalled()])
    other.close()


def test_who_waits_is_told_when_it_was_in_vain(db: Database, path: Path) -> None:
    other = open_database(path)
    db.set_busy_timeout(1)
    with transaction(other), pytest.raises(StoreError, match="another process has held"):
        save_recalls(db, [recalled()], waits=True)
    assert save_recalls(db, [recalled()], waits=True)
    assert ids(db) == ["r"]
    other.close()


def test_a_sealed_file_logs_nothing(db: Database, path: Path) -> None:
    db.close()
    with sealed(path, with_folder=True):
        reading = open_database(path)
        assert not save_recalls(reading, [recalled()])
        assert not save_recalls(reading, [recalled()], waits=True)
        reading.close()


def test_a_failure_half_way_logs_nothing(db: Database) -> None:
    broken = replace(recalled("b"), policy=None)  # type: ignore[arg-type]
    assert not save_recalls(db, [recalled("a"), broken])
    with pytest.raises(StoreError, match="NOT NULL"):
        save_recalls(db, [recalled("a"), broken], waits=True)
    assert ids(db) == []
