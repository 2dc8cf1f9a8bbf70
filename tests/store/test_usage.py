"""The log of usage: accesses come back in columns, each with its recall and structure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.errors import StoreError
from stepwell.store.recalls import Recalled, save_recalls
from stepwell.store.usage import FATES, Access, Fate, is_usage, load_usage
from support.stores import stored, table_rows
from support.trajectories import NOW, said, trajectory

if TYPE_CHECKING:
    from stepwell.store.database import Database


def access(number: int, step: int, structure: str = "episodic", fate: Fate = "quoted") -> Access:
    return Access(
        number=number, step=step, rank=step + 1, fate=fate, structure=structure, tokens=10 * step
    )


def log(db: Database, name: str, *accesses: Access) -> None:
    recalled = Recalled(
        id=name,
        asked_at=NOW,
        question="what?",
        context=b"",
        policy="plain",
        structures=("episodic",),
        chance=1.0,
        budget=800,
        tokens=1,
        trajectories=(),
        accesses=accesses,
    )
    assert save_recalls(db, [recalled])


@pytest.fixture
def numbers(db: Database) -> list[int]:
    steps = [said(i, f"step {i}") for i in range(9)]
    return [stored(db, trajectory(steps, name=name)).number for name in ("one", "two")]


def test_fates_are_stored_by_their_place_which_files_rely_on() -> None:
    assert FATES == ("quoted", "told", "cut")


def test_accesses_come_back_by_recall_and_trajectory(db: Database, numbers: list[int]) -> None:
    one, two = numbers
    log(
        db,
        "first",
        access(two, 3, "vector", "cut"),
        access(one, 5, "summary", "told"),
        access(one, 2),
    )
    log(db, "second", access(two, 8, "summary"))
    found = load_usage(db, numbers=numbers)
    assert len(found) == 4
    assert found.recalls == ("first", "second")
    assert found.recall.tolist() == [0, 0, 0, 1]
    assert found.number.tolist() == [one, one, two, two]
    assert found.step.tolist() == [5, 2, 3, 8]
    assert found.rank.tolist() == [6, 3, 4, 9]
    assert [FATES[fate] for fate in found.fate] == ["told", "quoted", "cut", "quoted"]
    assert [found.structures[one] for one in found.structure] == [
        "summary",
        "episodic",
        "vector",
        "summary",
    ]
    assert found.tokens.tolist() == [50, 20, 30, 80]


def test_only_the_trajectories_asked_for_are_read(db: Database, numbers: list[int]) -> None:
    one, two = numbers
    log(db, "first", access(one, 1))
    log(db, "second", access(two, 2))
    found = load_usage(db, numbers=[two])
    assert (found.recalls, found.recall.tolist(), found.step.tolist()) == (("second",), [0], [2])


def test_a_log_of_nothing_is_empty_columns(db: Database, numbers: list[int]) -> None:
    found = load_usage(db, numbers=numbers)
    assert (len(found), found.recalls, found.structures) == (0, (), ())
    assert found.tokens.shape == (0,)
    assert found.tokens.dtype == np.int64


def test_steps_of_a_trajectory_that_is_gone_are_left_out(db: Database, numbers: list[int]) -> None:
    log(db, "first", access(77, 1), access(numbers[0], 2))
    assert load_usage(db, numbers=[*numbers, 77]).number.tolist() == [numbers[0]]


def test_chosen_accesses_keep_all_recalls(db: Database, numbers: list[int]) -> None:
    log(db, "first", access(numbers[0], 1), access(numbers[0], 4))
    log(db, "second", access(numbers[1], 6))
    found = load_usage(db, numbers=numbers)
    late = found.where(found.step > 3)
    assert (late.recalls, late.structures) == (found.recalls, found.structures)
    assert (late.recall.tolist(), late.step.tolist()) == ([0, 1], [4, 6])
    assert (late.rank.tolist(), late.tokens.tolist()) == ([5, 7], [40, 60])
    assert late.number.tolist() == numbers


def test_later_recalls_are_counted_from_nought(db: Database, numbers: list[int]) -> None:
    for n in range(3):
        log(db, f"r{n}", access(numbers[0], n))
    found = load_usage(db, numbers=numbers)
    rest = found.since(1)
    assert (rest.recalls, rest.recall.tolist(), rest.step.tolist()) == (
        ("r1", "r2"),
        [0, 1],
        [1, 2],
    )
    assert found.since(0).recall.tolist() == [0, 1, 2]
    assert (found.since(3).recalls, len(found.since(3))) == ((), 0)


def test_a_damaged_log_says_what_to_do(db: Database, numbers: list[int]) -> None:
    log(db, "first", access(numbers[0], 1))
    db.execute("UPDATE usage SET body = x'00'")
    with pytest.raises(StoreError, match="What is logged of a recall is damaged") as caught:
        load_usage(db, numbers=numbers)
    assert caught.value.hint == "Restore the file from a backup."


def test_what_is_logged_of_a_recall_can_be_read_or_is_no_usage(
    db: Database, numbers: list[int]
) -> None:
    log(db, "first", access(numbers[0], 3), access(numbers[0], 4, "vector", "cut"))
    (body,) = (bytes(row[2]) for row in table_rows(db, "usage"))
    assert is_usage(body)
    for broken in (b"", body[:-1], body + b"x", b"\x00", b"{}", bytes(len(body))):
        assert not is_usage(broken)
