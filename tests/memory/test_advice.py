"""What is hot, what is cold and what nobody reads: thresholds, shares, ties and order."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.memory.advice import Hot, Unused, cold_steps, hot_items, unused_runs
from stepwell.store.read import Entry
from stepwell.store.usage import FATES, Fate, Usage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Row = tuple[int, int, int, Fate, int]
"""Place of the recall, trajectory, step, fate and rank, which is also its tokens."""


def usage(rows: Sequence[Row], *, recalls: int) -> Usage:
    columns = np.array([(*row[:3], FATES.index(row[3]), row[4]) for row in rows], dtype=np.int64)
    recall, number, step, fate, rank = columns.reshape(-1, 5).T
    return Usage(
        recalls=tuple(f"q{n}" for n in range(recalls)),
        structures=("episodic", "vector"),
        recall=recall,
        number=number,
        step=step,
        rank=rank,
        fate=fate,
        structure=rank % 2,
        tokens=rank,
    )


def entry(number: int, name: str, n_steps: int = 10) -> Entry:
    return Entry(
        number=number,
        trajectory_id=name,
        user_id="",
        agent_id="",
        run_id="",
        session_id=name,
        parent_id=None,
        source_format="live",
        source_uri="live",
        title="",
        n_steps=n_steps,
        n_passages=n_steps,
        added_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


RUNS = [entry(1, "a"), entry(2, "b")]


def none(recalls: int) -> NDArray[np.float64]:
    return np.full(recalls, np.nan)


def quoted(times: int, *, number: int = 1, step: int = 4, tokens: int = 1) -> list[Row]:
    return [(n, number, step, "quoted", tokens) for n in range(times)]


def hot(
    rows: Sequence[Row], rewards: NDArray[np.float64], *, by_step: bool = True
) -> tuple[Hot, ...]:
    return hot_items(RUNS, usage(rows, recalls=len(rewards)), rewards, by_step=by_step)


def test_nothing_is_hot_or_cold_without_recalls() -> None:
    assert hot([], none(0)) == ()
    assert cold_steps(RUNS, usage([], recalls=0), none(0)) == ()


@pytest.mark.parametrize(("times", "recalls"), [(3, 30), (3, 4), (5, 50)])
def test_an_item_of_a_tenth_of_the_recalls_and_three_at_least_is_hot(
    times: int, recalls: int
) -> None:
    (found,) = hot(quoted(times), none(recalls))
    assert (found.id, found.n_recalls, found.recalls) == ("a/s4", times, times / recalls)


@pytest.mark.parametrize(("times", "recalls"), [(2, 2), (3, 31), (5, 51)])
def test_an_item_of_fewer_is_not(times: int, recalls: int) -> None:
    assert hot(quoted(times), none(recalls)) == ()


def test_only_quotes_heat() -> None:
    rows: list[Row] = [(n, 1, 4, "told" if n % 2 else "cut", 1) for n in range(6)]
    assert hot(rows, none(6)) == ()


def test_a_step_quoted_twice_by_one_recall_is_quoted_by_one() -> None:
    assert hot([*quoted(2), *quoted(2)], none(3)) == ()


def test_tokens_are_a_share_of_all_that_is_quoted_and_order_what_is_hot() -> None:
    rows = [*quoted(3, tokens=1), *quoted(3, number=2, tokens=2), (0, 1, 9, "quoted", 3)]
    told: Row = (0, 1, 4, "told", 100)
    assert [(one.id, one.tokens) for one in hot([*rows, told], none(3))] == [
        ("b/s4", 0.5),
        ("a/s4", 0.25),
    ]


def test_of_equal_tokens_the_smaller_id_comes_first() -> None:
    rows = [*quoted(3, number=2), *quoted(3, step=5), *quoted(3)]
    assert [one.id for one in hot(rows, none(3))] == ["a/s4", "a/s5", "b/s4"]


def test_ten_hot_items_are_shown() -> None:
    rows = [row for step in range(12) for row in quoted(3, step=step, tokens=step + 1)]
    assert [one.id for one in hot(rows, none(3))] == [f"a/s{n}" for n in range(11, 1, -1)]


def test_trajectories_are_counted_over_all_their_steps() -> None:
    rows = [*quoted(2, step=1), (2, 1, 7, "quoted", 2), *quoted(2, number=2)]
    (found,) = hot(rows, none(3), by_step=False)
    assert (found.id, found.n_recalls, found.tokens) == ("a", 3, 4 / 6)


def test_nothing_quoted_costs_nothing_rather_than_failing() -> None:
    (found,) = hot(quoted(3, tokens=0), none(3))
    assert found.tokens == 0


def test_rewards_count_from_three_on_either_side() -> None:
    (few,) = hot(quoted(3), np.array([1.0, 0.5, np.nan, 0.2, 0.3]))
    assert (few.reward, few.reward_without, few.crowds_out) == (None, None, False)
    (enough,) = hot(quoted(3), np.array([0.25, 0.25, 0.25, 0.5, 1.0, np.nan, 0.75]))
    assert (enough.reward, enough.reward_without, enough.crowds_out) == (0.25, 0.75, True)


@pytest.mark.parametrize(
    ("with_it", "without", "crowds_out"),
    [
        (0.5, 0.75, False),
        (0.25, 0.25, False),
        (0.25, 0.0, False),
        (0.25, 0.3, True),
        (0.0, 0.1, True),
    ],
)
def test_what_crowds_out_has_poor_answers_and_poorer_than_without_it(
    with_it: float, without: float, *, crowds_out: bool
) -> None:
    (found,) = hot(quoted(3), np.array([with_it] * 3 + [without] * 3))
    assert found.crowds_out is crowds_out


def test_poor_answers_with_nothing_to_compare_count_as_crowded_out() -> None:
    (found,) = hot(quoted(3), np.array([0.25] * 3))
    assert (found.reward_without, found.crowds_out) == (None, True)


def test_a_step_is_cold_that_poor_answers_cut_and_nobody_showed() -> None:
    rows: list[Row] = [
        (0, 1, 4, "cut", 9),
        (1, 1, 4, "cut", 3),
        (2, 1, 4, "cut", 1),  # the answer was good
        (3, 1, 4, "cut", 2),  # nobody said
        (4, 1, 4, "cut", 8),  # a half is not poor
    ]
    (cold,) = cold_steps(RUNS, usage(rows, recalls=5), np.array([0.0, 0.49, 1.0, np.nan, 0.5]))
    assert (cold.id, cold.n_recalls, cold.best_rank) == ("a/s4", 2, 3)
    assert cold.recalls == ("q1", "q0")
    assert cold.structure == "vector"


@pytest.mark.parametrize("fate", ["quoted", "told"])
def test_a_step_that_was_ever_shown_is_not_cold(fate: Fate) -> None:
    rows: list[Row] = [(0, 1, 4, "cut", 2), (1, 1, 4, fate, 1), (0, 2, 4, "cut", 3)]
    found = cold_steps(RUNS, usage(rows, recalls=2), np.array([0.0, 1.0]))
    assert [one.id for one in found] == ["b/s4"]


def test_cold_steps_come_by_number_of_cuts_then_rank_then_id() -> None:
    rows: list[Row] = [
        (0, 2, 1, "cut", 5),
        (0, 1, 1, "cut", 5),
        (0, 1, 2, "cut", 4),
        (0, 1, 3, "cut", 9),
        (1, 1, 3, "cut", 9),
    ]
    found = cold_steps(RUNS, usage(rows, recalls=2), np.zeros(2))
    assert [one.id for one in found] == ["a/s3", "a/s2", "a/s1", "b/s1"]


def test_three_recalls_of_a_cold_step_are_named_and_ten_steps_shown() -> None:
    rows: list[Row] = [(n, 1, step, "cut", 7) for step in range(12) for n in range(4)]
    found = cold_steps([entry(1, "a", 12)], usage(rows, recalls=4), np.zeros(4))
    assert [one.id for one in found] == sorted(f"a/s{n}" for n in range(12))[:10]
    assert found[0].recalls == ("q0", "q1", "q2")  # of one rank, the oldest first
    assert found[0].n_recalls == 4


def test_unused_steps_are_named_in_one_word_the_most_first() -> None:
    runs = [entry(1, "a", 4), entry(2, "b", 4), entry(3, "c", 2), entry(4, "d", 4)]
    rows: list[Row] = [(0, 1, 1, "cut", 1), (0, 3, 0, "told", 1), (0, 3, 1, "quoted", 1)]
    assert unused_runs(runs, usage(rows, recalls=1)) == (
        Unused(trajectory="b", n_steps=4, n_unused=4, steps="s0-s3"),
        Unused(trajectory="d", n_steps=4, n_unused=4, steps="s0-s3"),
        Unused(trajectory="a", n_steps=4, n_unused=3, steps="s0,s2-s3"),
    )
