"""What a question says about where becomes steps, the ones it means most first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.recall.rank.places import Facts, outline_of, resolve, spread
from stepwell.text.question import NearError, Places

if TYPE_CHECKING:
    from stepwell.recall.rank.places import Named

FACTS = Facts(n_steps=12, errors=(3, 8), acts=(1, 2, 4, 5, 6, 7, 9))


def steps(named: list[Named]) -> list[int]:
    return [one.step for one in named]


def near(
    side: str, pick: str, topic: str = "", scores: dict[int, float] | None = None
) -> list[Named]:
    wish = NearError(
        side="before" if side == "before" else "after",
        pick="first" if pick == "first" else "last",
        topic=topic,
    )
    return resolve(Places(near_error=wish), FACTS, topic_scores=scores)


@pytest.mark.parametrize(
    ("first", "last", "order"),
    [
        (3, 2, []),
        (3, 3, [3]),
        (3, 4, [3, 4]),
        (3, 5, [3, 5, 4]),
        (0, 8, [0, 8, 4, 2, 6, 1, 3, 5, 7]),
        (0, 3, [0, 3, 1, 2]),
    ],
)
def test_a_range_is_covered_from_its_ends_inwards(first: int, last: int, order: list[int]) -> None:
    assert spread(first, last) == order


@given(st.integers(-5, 60), st.integers(0, 60))
def test_a_spread_range_holds_every_step_once(first: int, n: int) -> None:
    assert sorted(spread(first, first + n)) == list(range(first, first + n + 1))


def test_an_outline_spreads_over_a_run_and_says_why() -> None:
    named = outline_of(3)
    assert [(one.step, one.rank) for one in named] == [(0, 0), (2, 1), (1, 2)]
    assert {one.why for one in named} == {
        "no word of the question is in this run; an outline of it"
    }
    assert outline_of(0) == []


def test_named_steps_are_found_by_number() -> None:
    (one,) = resolve(Places(ranges=((4, 4),)), FACTS)
    assert (one.step, one.rank, one.why) == (4, 0, "the question names step 4")
    several = resolve(Places(ranges=((4, 6),)), FACTS)
    assert [(each.step, each.rank) for each in several] == [(4, 0), (6, 1), (5, 2)]
    assert several[0].why == "the question names steps 4 to 6"


def test_steps_that_there_are_not_are_not_named() -> None:
    assert steps(resolve(Places(ranges=((10, 99),)), FACTS)) == [10, 11]
    assert resolve(Places(ranges=((12, 12),)), FACTS) == []
    assert resolve(Places(ranges=((-2, -2),)), FACTS) == []
    assert steps(resolve(Places(ranges=((0, 0), (11, 11))), FACTS)) == [0, 11]
    assert resolve(Places(), FACTS) == []


def test_of_two_reasons_the_better_place_is_kept() -> None:
    named = resolve(Places(ranges=((0, 6), (6, 6), (3, 3))), FACTS)
    assert steps(named)[:3] == [0, 3, 6]
    assert {one.step: one.why for one in named}[3] == "the question names step 3"
    assert len(named) == 7
    twice = resolve(Places(ranges=((4, 4),), first=5), FACTS)
    assert {one.step: one.why for one in twice}[4] == "the question names step 4"


def test_the_first_and_the_last_steps_can_be_asked_for() -> None:
    first = resolve(Places(first=2), FACTS)
    assert [(one.step, one.rank) for one in first] == [(0, 0), (1, 1)]
    assert first[0].why == "the question asks for the first steps"
    last = resolve(Places(last=3), FACTS)
    assert [(one.step, one.rank) for one in last] == [(11, 0), (10, 1), (9, 2)]
    assert last[0].why == "the question asks for the last steps"
    assert len(resolve(Places(last=99), FACTS)) == 12


def test_before_an_error_stands_the_last_act() -> None:
    last = near("before", "last")
    assert [(one.step, one.rank) for one in last] == [(8, 0), (7, 1)]
    assert last[0].why == "the last act before the error at step 8"
    assert steps(near("before", "first")) == [3, 2]


def test_after_an_error_stand_the_next_three_acts_the_very_next_first() -> None:
    first = near("after", "first")
    assert [(one.step, one.rank) for one in first] == [(4, 0), (3, 1), (5, 2), (6, 3)]
    assert first[0].why == "what followed the error at step 3"
    assert steps(near("after", "last")) == [9, 8]


def test_an_act_that_fails_is_neither_before_nor_after_itself() -> None:
    facts = Facts(n_steps=9, errors=(3,), acts=(2, 3, 4))
    before = Places(near_error=NearError(side="before", pick="last", topic=""))
    after = Places(near_error=NearError(side="after", pick="last", topic=""))
    assert steps(resolve(before, facts)) == [3, 2]
    assert steps(resolve(after, facts)) == [4, 3]


def test_without_an_error_or_an_act_there_is_little_to_name() -> None:
    wish = Places(near_error=NearError(side="before", pick="last", topic=""))
    assert resolve(wish, Facts(n_steps=9, errors=(), acts=(1, 2))) == []
    assert steps(resolve(wish, Facts(n_steps=9, errors=(4,), acts=(5,)))) == [4]
    after = Places(near_error=NearError(side="after", pick="last", topic=""))
    assert steps(resolve(after, Facts(n_steps=9, errors=(4,), acts=(1,)))) == [4]


def test_a_topic_says_which_error_is_meant() -> None:
    assert steps(near("before", "last", "db", {3: 4.0, 8: 0.9})) == [3, 2]
    assert steps(near("before", "last", "db", {3: 4.0, 8: 1.0})) == [8, 7]
    assert steps(near("before", "last", "db", {3: 4.0})) == [3, 2]
    assert steps(near("before", "first", "db", {8: 4.0})) == [8, 7]


def test_a_topic_that_no_error_is_about_does_not_choose() -> None:
    assert steps(near("before", "last", "db", {5: 4.0})) == [8, 7]
    assert steps(near("before", "last", "db", {})) == [8, 7]
    assert steps(near("before", "last", "", {3: 4.0})) == [8, 7]
