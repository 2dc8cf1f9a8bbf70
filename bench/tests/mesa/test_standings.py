"""Differences are averaged by episode, so that one drawn into several seeds counts once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.learn.cases import Case, Evaluation
from stepwell.learn.split import Split
from stepwell.policy.base import Context
from stepwell_bench.mesa.learning import Trial
from stepwell_bench.mesa.standings import differences, standings

if TYPE_CHECKING:
    from collections.abc import Sequence

PENALTY = 1e-3


def evaluation(
    episodes: str, rewards: Sequence[float], tokens: float, weights: Sequence[float] | None = None
) -> Evaluation:
    n = len(episodes)
    return Evaluation(
        cases=[
            Case(id=f"{number}", episode=name, question="?", context=Context())
            for number, name in enumerate(episodes)
        ],
        chosen=[("episodic",)] * n,
        rewards=np.array(rewards, dtype=np.float64),
        tokens=np.full(n, tokens),
        weights=np.array([1.0] * n if weights is None else weights, dtype=np.float64),
    )


def trial(seed: int, **evaluations: Evaluation) -> Trial:
    return Trial(
        seed=seed,
        split=Split(train=(), validation=(), test=()),
        searches={},
        evaluations=evaluations,
        violations={},
        n_readings=0,
    )


def test_an_episode_of_two_seeds_counts_as_much_as_one_of_a_single_seed() -> None:
    trials = [
        trial(0, one=evaluation("ab", [1, 0], 10), all=evaluation("ab", [0, 0], 30)),
        trial(1, one=evaluation("aa", [1, 1], 10), all=evaluation("aa", [0, 0], 30)),
    ]
    (found,) = differences(trials, [("one", "all")], penalty=PENALTY)
    assert found.reward.mean == pytest.approx(0.5)  # a: 1, b: 0
    assert (found.tokens.mean, found.reward.n_groups) == (-20, 2)
    assert found.objective.mean == pytest.approx(0.5 + 20 * PENALTY)
    assert found.p_reward > 0.4


def test_questions_whose_reward_is_unknown_are_left_out() -> None:
    known = [1.0, 0.0]
    one, other = (evaluation("ab", [value, 1], 10, known) for value in (1, 0))
    (found,) = differences([trial(0, one=one, all=other)], [("one", "all")], penalty=PENALTY)
    assert (found.reward.mean, found.reward.n_values) == (1, 1)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=6))
def test_a_policy_does_not_differ_from_itself(rewards: list[float]) -> None:
    same = evaluation("abcdef"[: len(rewards)], rewards, 10)
    (found,) = differences([trial(0, one=same, all=same)], [("one", "all")], penalty=PENALTY)
    assert (found.reward.low, found.reward.high, found.p_objective) == (0, 0, 1)


def test_standings_are_means_over_seeds_and_tokens_a_share_of_reading_everything() -> None:
    trials = [
        trial(0, one=evaluation("ab", [1, 0], 10), all=evaluation("ab", [1, 1], 30)),
        trial(1, one=evaluation("cd", [0, 0], 20), all=evaluation("cd", [1, 1], 30)),
    ]
    one, everything = standings(trials, penalty=PENALTY)
    assert (one.reward, one.tokens, one.rewards) == (0.25, 15, (0.5, 0))
    assert one.objective == pytest.approx(0.25 - 15 * PENALTY)
    assert (one.of_all, everything.of_all) == (0.5, 1)
