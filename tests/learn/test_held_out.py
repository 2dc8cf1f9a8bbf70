from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.errors import InvalidInputError
from stepwell.learn.held_out import compare, hold_out, lower_sum, shares
from stepwell.policy.kinds import All, Fixed
from support.worlds import COST, PENALTY, World, cases_of

if TYPE_CHECKING:
    from stepwell.learn.cases import Evaluation
    from stepwell.policy.base import Policy

CASES = cases_of(12)


def of(policy: Fixed | All) -> Evaluation:
    return World().evaluate(policy, CASES)


def test_a_better_policy_beats_and_a_like_one_does_not() -> None:
    better = compare(
        of(Fixed(structures=("temporal", "graph"))),
        of(Fixed(structures=("summary",))),
        name="summary",
        penalty=PENALTY,
    )
    assert better.beats
    assert better.objective_difference.low > 0
    assert better.p < 0.05
    assert better.tokens_difference.mean == COST["temporal"] + COST["graph"] - COST["summary"]
    same = compare(of(All()), of(All()), name="itself", penalty=PENALTY)
    assert not same.beats
    assert same.p == 1


def test_a_worse_policy_does_not_beat_however_clearly_it_differs() -> None:
    worse = compare(
        of(Fixed(structures=("summary",))),
        of(Fixed(structures=("temporal", "graph"))),
        name="best",
        penalty=PENALTY,
    )
    assert worse.objective_difference.high < 0
    assert not worse.beats


def test_differences_are_those_of_the_objectives() -> None:
    found = hold_out(World(), All(), {"one": Fixed(structures=("units",))}, CASES, penalty=PENALTY)
    (one,) = found.against
    assert one.objective_difference.mean == pytest.approx(found.objective - one.objective)
    assert one.reward_difference.mean == pytest.approx(found.reward - one.reward)
    assert found.n_episodes == 12


def test_shares_of_weighted_values_have_the_weighted_mean() -> None:
    rng = np.random.default_rng(0)
    weighted = replace(of(All()), weights=rng.exponential(size=len(CASES)))
    assert shares(weighted, weighted.rewards).mean() == pytest.approx(weighted.reward)
    assert shares(of(All()), of(All()).rewards) == pytest.approx(of(All()).rewards)
    nothing = replace(weighted, weights=np.zeros(len(CASES)))
    assert shares(nothing, nothing.rewards).tolist() == [0.0] * len(CASES)


def test_weighted_shares_are_the_mean_and_each_ones_influence_on_it() -> None:
    cases = CASES[:3]
    found = replace(World().evaluate(All(), cases), weights=np.array([1.0, 0.0, 3.0]))
    values = np.array([0.2, 0.9, 0.6])
    # The weighted mean is (0.2 + 1.8) / 4 = 0.5 and the mean weight 4/3.
    expected = [0.5 - 0.3 * 3 / 4, 0.5, 0.5 + 3 * 0.1 * 3 / 4]
    assert shares(found, values) == pytest.approx(expected)


@pytest.mark.parametrize("caution", [0.0, 1.0, 2.0])
def test_a_lower_sum_takes_off_errors_of_sums_by_episode(caution: float) -> None:
    added, episodes = np.array([0.1, 0.2, 0.2, 0.0]), np.array([0, 0, 1, 2])
    # Episodes add 0.3, 0.2 and 0, so the standard error is the root of 0.09 + 0.04.
    expected = 0.5 - caution * math.sqrt(0.13)
    assert lower_sum(added, episodes, caution=caution) == pytest.approx(expected)


def test_one_lucky_episode_adds_nothing() -> None:
    added, episodes = np.array([0.4, 0.3, 0.0]), np.array([0, 0, 1])
    assert lower_sum(added, episodes, caution=1.0) == pytest.approx(0.0)


def test_a_comparison_names_the_other_and_states_its_worth() -> None:
    other = of(Fixed(structures=("graph",)))
    found = compare(of(All()), other, name="graph alone", penalty=PENALTY)
    assert (found.name, found.reward, found.tokens) == ("graph alone", other.reward, other.cost)
    assert found.objective == other.objective(PENALTY)
    assert found.objective_difference.n_groups == 12
    assert found.objective_difference.n_values == len(CASES)


def test_a_seed_gives_one_interval() -> None:
    pair = of(Fixed(structures=("temporal",))), of(Fixed(structures=("graph",)))
    one, same, other = (
        compare(*pair, name="g", penalty=PENALTY, seed=seed).reward_difference for seed in (1, 1, 2)
    )
    assert one == same
    assert (one.low, one.high) != (other.low, other.high)
    assert one.mean == other.mean


def test_others_are_compared_in_the_order_given() -> None:
    others: dict[str, Policy] = {"b": All(), "a": Fixed(structures=("units",))}
    found = hold_out(World(), All(), others, CASES, penalty=0.0)
    assert [one.name for one in found.against] == ["b", "a"]
    assert found.objective == found.reward
    assert found.n_cases == len(CASES)
    assert found.tokens == sum(COST.values())


def test_no_cases_are_refused() -> None:
    with pytest.raises(InvalidInputError):
        hold_out(World(), All(), {"same": All()}, [], penalty=PENALTY)
