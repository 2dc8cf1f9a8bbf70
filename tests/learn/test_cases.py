from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.learn.cases import Evaluation
from support.worlds import cases_of

CASES = cases_of(1)


def evaluation(rewards: list[float], tokens: list[float], weights: list[float]) -> Evaluation:
    return Evaluation(
        cases=CASES[: len(rewards)],
        chosen=[("vector",)] * len(rewards),
        rewards=np.array(rewards, dtype=np.float64),
        tokens=np.array(tokens, dtype=np.float64),
        weights=np.array(weights, dtype=np.float64),
    )


def test_reward_and_cost_are_weighted_means() -> None:
    found = evaluation([1.0, 0.5, 0.0], [100.0, 200.0, 900.0], [1.0, 3.0, 0.0])
    assert found.reward == pytest.approx(2.5 / 4)
    assert found.cost == pytest.approx(700 / 4)


@pytest.mark.parametrize(
    ("penalty", "expected"), [(0.0, 0.75), (0.001, 0.6), (-0.001, 0.9), (0.01, -0.75)]
)
def test_the_objective_takes_off_what_tokens_cost(penalty: float, expected: float) -> None:
    found = evaluation([1.0, 0.5], [100.0, 200.0], [1.0, 1.0])
    assert found.objective(penalty) == pytest.approx(expected)


@pytest.mark.parametrize("n", [0, 2])
def test_where_nothing_is_known_all_is_nothing(n: int) -> None:
    found = evaluation([1.0] * n, [50.0] * n, [0.0] * n)
    assert (found.reward, found.cost, found.objective(1.0)) == (0.0, 0.0, 0.0)


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0.01, 100)), min_size=1, max_size=8),
    st.floats(0.1, 10),
)
def test_a_mean_lies_among_its_values_whatever_weights_are_counted_in(
    pairs: list[tuple[float, float]], factor: float
) -> None:
    rewards, weights = [one for one, _ in pairs], [weight for _, weight in pairs]
    found = evaluation(rewards, rewards, weights)
    assert min(rewards) - 1e-9 <= found.reward <= max(rewards) + 1e-9
    scaled = evaluation(rewards, rewards, [weight * factor for weight in weights])
    assert scaled.reward == pytest.approx(found.reward)
    assert found.reward == found.cost
