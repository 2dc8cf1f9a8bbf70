"""Every selector keeps the budget; each has the properties its docstring claims."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.recall.rank.selection.coarse import Coarse
from stepwell.recall.rank.selection.coverage import SATURATION, Coverage
from stepwell.recall.rank.selection.routing import MIN_ROUTED, Routing, route, unit_scores
from stepwell.structures.units.model import PRIORITY, View
from support.problems import made, problems

if TYPE_CHECKING:
    from stepwell.recall.rank.selection.base import Problem, Selector

SELECTORS: list[Selector] = [Coarse(mode="paper"), Coarse(), Coverage()]
budgets = st.integers(0, 260)


@given(problems, budgets)
def test_budgets_are_kept_without_repeats(problem: Problem, budget: int) -> None:
    for selector in SELECTORS:
        taken = selector.select(problem, budget)
        assert len(set(taken)) == len(taken)
        assert int(problem.costs[taken].sum()) <= budget
        assert all(0 <= step < len(problem.costs) for step in taken)


@given(problems, budgets)
def test_nothing_that_fits_is_left_out_unless_the_paper_says_so(
    problem: Problem, budget: int
) -> None:
    for selector in (Coarse(), Coverage()):
        taken = selector.select(problem, budget)
        left = budget - int(problem.costs[taken].sum())
        others = np.delete(problem.costs, taken)
        assert len(others) == 0 or int(others.min()) > left


def gains(selector: Coverage, problem: Problem, taken: list[int]) -> list[float]:
    """Return the marginal gain of every step, from the definition of f."""
    scores = unit_scores(problem)
    routed = route(problem.units, scores, routing=selector.routing)
    top = max([0.0, *scores[routed].tolist()])
    terms: list[list[float]] = [[score] for score in problem.scores.tolist()]
    for unit in routed.tolist():
        members = set(problem.units.of(unit).tolist())
        if len(members & set(taken)) < SATURATION and scores[unit] > 0:
            for step in members:
                terms[step].append(scores[unit] / top * (selector.beta / SATURATION))
    return [math.fsum(one) for one in terms]


def plain_greedy(selector: Coverage, problem: Problem, budget: int) -> list[int]:
    taken: list[int] = []
    while True:
        left = budget - int(problem.costs[taken].sum())
        fitting = [i for i, cost in enumerate(problem.costs) if i not in taken and cost <= left]
        if not fitting:
            return taken
        now = gains(selector, problem, taken)
        taken.append(min(fitting, key=lambda i: (-now[i], i)))


@given(problems, budgets)
def test_lazy_greedy_picks_what_plain_greedy_picks(problem: Problem, budget: int) -> None:
    selector = Coverage(beta=0.5)
    assert selector.select(problem, budget) == plain_greedy(selector, problem, budget)


def value(selector: Coverage, problem: Problem, taken: tuple[int, ...]) -> float:
    total, so_far = 0.0, list[int]()
    for step in taken:
        total += gains(selector, problem, so_far)[step]
        so_far.append(step)
    return total


@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_with_equal_costs_coverage_is_within_its_guarantee(seed: int, size: int) -> None:
    problem = made(seed, n=8, n_units=5, encoded=False, equal=True)
    selector, budget = Coverage(beta=2.0), 7 * size
    ours = value(selector, problem, tuple(selector.select(problem, budget)))
    best = max(value(selector, problem, some) for some in combinations(range(8), size))
    assert ours >= (1 - math.exp(-1)) * best - 1e-9


@given(problems, budgets)
def test_only_steps_of_routed_units_are_taken_in_paper_mode(problem: Problem, budget: int) -> None:
    selector = Coarse(mode="paper")
    routed = route(problem.units, unit_scores(problem), routing=selector.routing)
    inside = {step for unit in routed.tolist() for step in problem.units.of(unit).tolist()}
    assert set(selector.select(problem, budget)) <= inside


@given(problems, budgets)
def test_plus_mode_begins_as_paper_mode(problem: Problem, budget: int) -> None:
    paper = Coarse(mode="paper").select(problem, budget)
    assert Coarse(mode="plus").select(problem, budget)[: len(paper)] == paper


def test_an_oracle_routes_only_to_the_units_it_is_given() -> None:
    problem = made(3, n=12, n_units=8)
    selector = Coarse(mode="paper", routing=Routing(share=0.1, allowed=frozenset({5})))
    assert set(selector.select(problem, 1000)) == set(problem.units.of(5).tolist())


def test_views_restrict_what_is_routed_to() -> None:
    problem = made(4, n=12, n_units=8)
    routing = Routing(share=1.0, views=(View.TOOL,))
    found = route(problem.units, unit_scores(problem), routing=routing)
    assert sorted(found.tolist()) == [1, 5]
    assert all(PRIORITY[problem.units.views[unit]] == View.TOOL for unit in found)


def test_few_units_are_all_routed_to() -> None:
    problem = made(5, n=12, n_units=MIN_ROUTED)
    found = route(problem.units, unit_scores(problem), routing=Routing(share=0.01))
    assert len(found) == MIN_ROUTED


def test_novelty_is_off_below_its_budget() -> None:
    problem = made(6, n=14, n_units=8)
    always, never = Coarse(novelty=5.0, novelty_from=0), Coarse(novelty=5.0, novelty_from=101)
    plain = Coarse(novelty=0.0)
    assert never.select(problem, 100) == plain.select(problem, 100)
    assert always.select(problem, 100) != plain.select(problem, 100)


def test_unit_scores_without_vectors_are_mean_scores() -> None:
    problem = made(7, n=10, n_units=4, encoded=False)
    expected = [problem.scores[problem.units.of(unit)].mean() for unit in range(4)]
    assert unit_scores(problem).tolist() == pytest.approx(expected)
