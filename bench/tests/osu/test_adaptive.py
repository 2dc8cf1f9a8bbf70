"""Adaptive selection: units are heard where scores are noise, and only there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stepwell.recall.rank.selection.base import Problem
from stepwell.recall.rank.selection.packing import best_first
from stepwell_bench.osu.adaptive import Adaptive
from support.problems import problems, units_of

budgets = st.integers(0, 260)


def plain(scores: np.ndarray, members: list[list[int]], costs: np.ndarray | None = None) -> Problem:
    """Return a problem without vectors, all of whose units are of one view."""
    units = units_of(members, n_steps=len(scores), vectors=None)
    return Problem(
        scores=scores,
        costs=np.full(len(scores), 10) if costs is None else costs,
        units=replace(units, views=np.zeros(len(members), dtype=np.int8)),
    )


@given(problems, budgets)
def test_it_is_deterministic_and_changes_nothing(problem: Problem, budget: int) -> None:
    before = [problem.scores.copy(), problem.costs.copy(), problem.units.members.copy()]
    taken = Adaptive().select(problem, budget)
    assert taken == Adaptive().select(problem, budget)
    after = [problem.scores, problem.costs, problem.units.members]
    assert all((a == b).all() for a, b in zip(before, after, strict=True))


@given(problems, budgets)
def test_a_larger_budget_changes_no_pick_before_one_that_did_not_fit(
    problem: Problem, budget: int
) -> None:
    every = Adaptive().select(problem, int(problem.costs.sum()))
    fitting = int((np.cumsum(problem.costs[every]) <= budget).sum())
    assert Adaptive().select(problem, budget)[:fitting] == every[:fitting]


@given(st.lists(st.sampled_from([-1e6, -1.0, 0.0, 0.25, 0.5, 1.0, 1e6]), max_size=7), budgets)
def test_extreme_scores_are_packed(scores: list[float], budget: int) -> None:
    n = len(scores)
    problem = plain(np.asarray(scores, dtype=np.float64), [list(range(n))] if n else [])
    taken = Adaptive().select(problem, budget)
    assert len(taken) == min(n, budget // 10)


def test_a_small_unit_of_good_steps_comes_before_the_best_stray() -> None:
    for seed in range(30):
        rng = np.random.default_rng(seed)
        scores = np.clip(rng.normal(size=200), -2.5, 2.5)
        unit = [20, 60, 100, 140]
        scores[unit] = 1.6
        stray = next(i for i in best_first(scores).tolist() if i not in unit)
        strangers = [sorted(rng.choice(200, size=4, replace=False).tolist()) for _ in range(6)]
        strangers = [one for one in strangers if not {*unit, stray} & set(one)]
        assert scores[stray] > 2
        taken = Adaptive().select(plain(scores, [unit, *strangers]), 50)
        assert set(taken[:4]) == set(unit)
        assert Adaptive().select(plain(scores, []), 10) == [stray]


def test_where_one_step_stands_out_units_change_nothing() -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(size=400)
    scores = (scores - scores.mean()) / scores.std()
    scores[5] = 9.5  # of the deviation it raises itself, nine are left
    for unit in ([1, 2, 3], [5, 6, 7], list(range(400))):
        bound = Adaptive().select(plain(scores, [unit]), 300)
        assert bound == Adaptive().select(plain(scores, []), 300)
        assert bound[0] == 5


def test_of_equal_odds_the_cheaper_step_comes_first() -> None:
    costs = np.asarray([30, 10, 20])
    assert Adaptive().select(plain(np.zeros(3), [], costs), 60) == [1, 2, 0]


def test_sharp_scores_outweigh_costs() -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(size=100) * 0.1
    scores[3] = 5.0
    costs = np.full(100, 10)
    costs[3] = 400
    assert Adaptive().select(plain(scores, [], costs), 500)[0] == 3


def test_a_question_about_two_things_gets_both() -> None:
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(60, 96))
    rows[1] = rows[0] + 0.05 * rng.normal(size=96)  # a near copy
    vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    query = 1.3 * vectors[0] + vectors[2]
    query = (query / np.linalg.norm(query)).astype(np.float32)
    problem = Problem(
        scores=(vectors @ query).astype(np.float64),
        costs=np.full(60, 10),
        units=units_of([], n_steps=60, vectors=vectors),
        vectors=vectors,
        query=query,
    )
    assert set(Adaptive(away=0.0).select(problem, 20)) == {0, 1}
    assert 2 in Adaptive(away=1.0).select(problem, 20)
