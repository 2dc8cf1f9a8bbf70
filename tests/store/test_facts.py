"""Facts of steps: what is known of them without their text."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from stepwell.store.facts import (
    StepFacts,
    called_tools,
    count_passages,
    count_stored,
    first_step_since,
    keys_answered_since,
    keys_between,
    live_steps,
    n_characters,
    step_facts,
    steps_before,
)
from stepwell.store.read import load_head
from stepwell.store.rowids import MAX_PLACES, rowid, span
from support.stores import stored
from support.trajectories import NOW, said, trajectory, turn

if TYPE_CHECKING:
    from datetime import datetime

    from stepwell.store.database import Database

MINUTE = timedelta(minutes=1)
TICK = timedelta(microseconds=1)
STEPS = [
    replace(said(0, "zéro"), t_start=NOW),
    replace(turn(1, "ls", "alpha"), t_start=NOW + MINUTE, t_end=NOW + 2 * MINUTE),
    replace(turn(2, "pwd", "beta"), status="error", t_end=NOW + 4 * MINUTE),
    replace(turn(3, "id", "gamma"), status="error", active=False),
    replace(said(4, "five"), t_start=NOW + 5 * MINUTE),
]


@pytest.fixture
def number(db: Database) -> int:
    stored(db, trajectory([replace(said(0, "other"), status="error")], name="other"))
    return stored(db, trajectory(STEPS)).number


def key(number: int, step: int) -> int:
    return rowid(number, step) // MAX_PLACES


def test_facts_are_found_by_key_those_there_are(db: Database, number: int) -> None:
    found = step_facts(db, [key(number, 1), key(number, 3), key(number, 5), key(number + 1, 0)])
    assert found == {
        key(number, 1): StepFacts(
            kind="agent",
            active=True,
            has_error=False,
            time=NOW + MINUTE,
            answered=NOW + 2 * MINUTE,
        ),
        key(number, 3): StepFacts(
            kind="agent", active=False, has_error=True, time=None, answered=None
        ),
    }
    assert step_facts(db, []) == {}


def test_steps_on_the_live_path_are_told_by_what_they_did(db: Database, number: int) -> None:
    assert live_steps(db, span(number), which="failed") == [2]
    assert live_steps(db, span(number), which="acting") == [1, 2]
    assert live_steps(db, span(number, end=2), which="acting") == [1]
    assert live_steps(db, span(number, first=2), which="acting") == [2]
    assert live_steps(db, span(number, first=3), which="failed") == []


def test_steps_on_the_live_path_are_told_by_who_speaks(db: Database, number: int) -> None:
    assert live_steps(db, span(number), which="asking") == [0, 4]
    assert live_steps(db, span(number), which="live") == [0, 1, 2, 4]
    assert live_steps(db, span(number), which="introducing") == [0]
    assert live_steps(db, span(number, end=1), which="introducing") == [0]
    assert live_steps(db, span(number), which="saying") == []
    spoken = replace(said(1, "done"), kind="agent", actor="agent")
    run = stored(db, trajectory([said(0, "go"), spoken, turn(2, "ls", "a")], name="spoken"))
    assert live_steps(db, span(run.number), which="saying") == [1]


def test_tools_are_told_by_the_steps_that_call_them(db: Database, number: int) -> None:
    assert called_tools(db, span(number)) == {
        1: [("bash", "command: ls")],
        2: [("bash", "command: pwd")],
    }
    assert list(called_tools(db, span(number, first=2))) == [2]


def test_steps_between_two_moments_began_at_the_first_or_later(db: Database, number: int) -> None:
    def between(start: datetime, end: datetime) -> list[int]:
        return keys_between(db, span(number), start, end)

    assert between(NOW, NOW + MINUTE) == [key(number, 0)]
    assert between(NOW + TICK, NOW + MINUTE + TICK) == [key(number, 1)]
    assert between(NOW + MINUTE, NOW + 5 * MINUTE) == [key(number, 1)]


@pytest.mark.parametrize(
    ("moment", "step"),
    [(NOW - MINUTE, 0), (NOW, 0), (NOW + TICK, 1), (NOW + MINUTE, 1), (NOW + 2 * MINUTE, 4)],
)
def test_the_first_step_since_a_moment_began_then_or_later(
    db: Database, number: int, moment: object, step: int
) -> None:
    assert first_step_since(db, number, moment) == step  # type: ignore[arg-type]


def test_no_step_began_after_the_last(db: Database, number: int) -> None:
    assert first_step_since(db, number, NOW + 5 * MINUTE + TICK) is None
    assert first_step_since(db, number + 1, NOW) is None


def test_steps_are_answered_by_their_last_result(db: Database, number: int) -> None:
    both = [key(number, 1), key(number, 2)]
    assert sorted(keys_answered_since(db, span(number), NOW)) == both
    assert sorted(keys_answered_since(db, span(number), NOW + 2 * MINUTE)) == both
    assert list(keys_answered_since(db, span(number), NOW + 2 * MINUTE + TICK)) == both[1:]
    assert list(keys_answered_since(db, span(number, end=2), NOW)) == both[:1]


def test_counts_are_of_the_store_of_a_span_and_of_a_trajectory(db: Database, number: int) -> None:
    assert count_stored(db) == (2, 9)
    assert count_passages(db, span(number)) == 8
    assert count_passages(db, span(number, first=1, end=3)) == 4
    assert count_passages(db, span(number + 1)) == 0
    assert n_characters(db, number) == sum(
        map(
            len,
            [
                "zéro",
                "command: ls",
                "alpha",
                "command: pwd",
                "beta",
                "command: id",
                "gamma",
                "five",
            ],
        )
    )
    assert n_characters(db, number + 1) == 0


def test_an_empty_store_holds_nothing(db: Database) -> None:
    assert count_stored(db) == (0, 0)


def test_a_head_is_read_or_none(db: Database, number: int) -> None:
    head = load_head(db, number)
    assert head is not None
    assert (head.trajectory_id, head.steps) == ("run", ())
    assert load_head(db, number + 1) is None


@pytest.mark.parametrize(
    ("moment", "older"),
    [
        (NOW, []),
        (NOW + TICK, [0]),
        (NOW + MINUTE + TICK, [0]),  # a step is as old as the last that came of it
        (NOW + 2 * MINUTE, [0]),
        (NOW + 2 * MINUTE + TICK, [0, 1]),
        (NOW + 4 * MINUTE, [0, 1]),
        (NOW + 4 * MINUTE + TICK, [0, 1, 2, 3]),  # one without a time is as old as that before it
        (NOW + 5 * MINUTE + TICK, [0, 1, 2, 3, 4]),
    ],
)
def test_steps_are_older_than_a_moment_by_their_latest_time(
    db: Database, number: int, moment: datetime, older: list[int]
) -> None:
    assert steps_before(db, number, moment) == older


def test_steps_in_front_without_a_time_are_as_old_as_the_first_that_has_one(db: Database) -> None:
    steps = [said(0, "a"), said(1, "b"), replace(said(2, "c"), t_start=NOW), said(3, "d")]
    number = stored(db, trajectory(steps)).number
    assert steps_before(db, number, NOW) == []
    assert steps_before(db, number, NOW + TICK) == [0, 1, 2, 3]


def test_where_no_step_has_a_time_none_is_known_to_be_older(db: Database) -> None:
    number = stored(db, trajectory([said(0, "a"), said(1, "b")])).number
    assert steps_before(db, number, NOW) is None
    assert steps_before(db, number + 1, NOW) is None
