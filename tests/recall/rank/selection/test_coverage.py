"""Coverage takes the step that adds most, and repeats of a unit add ever less."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from stepwell.recall.rank.selection.coverage import SATURATION, Coverage
from stepwell.recall.rank.selection.routing import route, unit_scores
from support.problems import made, problems

if TYPE_CHECKING:
    from stepwell.recall.rank.selection.base import Problem

budgets = st.integers(0, 260)


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
