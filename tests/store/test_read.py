"""Reading: in order, within bounds, and only what is there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from stepwell.errors import StoreError
from stepwell.store.read import (
    entries,
    load_head,
    load_passages,
    load_step,
    load_steps,
    step_passages,
    trajectory_passages,
)
from stepwell.store.rowids import MAX_STEPS
from stepwell.store.scope import Scope
from support.stores import stored
from support.trajectories import NOW, said, trajectory, turn

if TYPE_CHECKING:
    from stepwell.store.database import Database

STEPS = [said(0, "zero"), turn(1, "ls", "a\nb"), said(2, "two"), said(3, "three")]


@pytest.fixture
def number(db: Database) -> int:
    stored(db, trajectory([said(0, "before")], name="before"))
    number = stored(db, trajectory(STEPS, session="s")).number
    stored(db, trajectory([said(0, "after")], name="after"))
    return number


def test_an_entry_says_what_a_trajectory_is(db: Database, number: int) -> None:
    (entry,) = entries(db, Scope(trajectory="run"))
    assert entry.number == number
    assert (entry.trajectory_id, entry.session_id, entry.parent_id) == ("run", "s", None)
    assert (entry.source_format, entry.source_uri, entry.title) == ("test", "", "zero")
    assert (entry.n_steps, entry.n_passages, entry.added_at) == (4, 5, NOW)


@pytest.mark.usefixtures("number")
def test_entries_stand_in_the_order_they_were_added(db: Database) -> None:
    assert [e.trajectory_id for e in entries(db, Scope())] == ["before", "run", "after"]
    assert [e.trajectory_id for e in entries(db, Scope(session="after"))] == ["after"]
    assert entries(db, Scope(session="none")) == []
    assert entries(db, Scope(trajectory="run", session="after")) == []


@pytest.mark.parametrize(
    ("first", "last", "found"),
    [
        (0, None, [0, 1, 2, 3]),
        (1, 2, [1, 2]),
        (2, 2, [2]),
        (3, None, [3]),
        (4, None, []),
        (2, 1, []),
        (0, MAX_STEPS + 5, [0, 1, 2, 3]),
        (MAX_STEPS, None, []),
        (MAX_STEPS + 9, MAX_STEPS + 9, []),
        (2**80, None, []),
    ],
)
def test_steps_are_read_from_one_to_another_inclusive(
    db: Database, number: int, first: int, last: int | None, found: list[int]
) -> None:
    other = stored(db, trajectory(STEPS, name="other")).number
    stored(db, trajectory(STEPS, name="next"))
    assert {number % 2, (other + 1) % 2} == {0, 1}
    for one in (number, other, other + 1):
        assert [step.index for step in load_steps(db, one, first=first, last=last)] == found


def test_one_step_is_read_or_none(db: Database, number: int) -> None:
    assert load_step(db, number, 1) == STEPS[1]
    assert load_step(db, number, 3) == STEPS[3]
    assert load_step(db, number, 4) is None
    assert load_step(db, number + 9, 0) is None


def test_a_head_is_read_or_none(db: Database, number: int) -> None:
    head = load_head(db, number)
    assert head == replace(trajectory(STEPS, session="s"), steps=(), raw_records=())
    assert load_head(db, number + 9) is None


def test_passages_are_read_by_row_id_those_there_are(db: Database, number: int) -> None:
    rows = [row for row, _ in trajectory_passages(db, number)]
    found = load_passages(db, [rows[2], rows[0], rows[0], rows[-1] + 1, 2**62])
    assert {row: passage.text for row, passage in found.items()} == {
        rows[0]: "zero",
        rows[2]: "a\nb",
    }
    assert load_passages(db, []) == {}


def test_a_passage_says_where_it_stands(db: Database, number: int) -> None:
    (call, result) = step_passages(db, number, 1)
    assert [call[1].step, call[1].part, call[1].label] == [1, "c1", "bash"]
    assert [result[1].part, result[1].first_line, result[1].first_column] == ["o1", 1, 1]
    assert result[0] == call[0] + 1
    assert step_passages(db, number, 4) == []


def test_passages_of_a_trajectory_are_in_reading_order(db: Database, number: int) -> None:
    found = list(trajectory_passages(db, number))
    assert [passage.text for _, passage in found] == ["zero", "command: ls", "a\nb", "two", "three"]
    assert [row for row, _ in found] == sorted(row for row, _ in found)


def test_a_damaged_step_is_an_error_and_the_others_are_read(db: Database, number: int) -> None:
    db.execute("UPDATE steps SET body = x'00' WHERE kind = 'agent'")
    assert [step.index for step in load_steps(db, number, first=2)] == [2, 3]
    with pytest.raises(StoreError, match="damaged"):
        list(load_steps(db, number))
