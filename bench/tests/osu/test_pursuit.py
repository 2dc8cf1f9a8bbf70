"""Explaining away: a step that says what was said counts less, as far as it was said."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.recall.rank.selection.base import Problem
from stepwell.recall.rank.selection.packing import best_first, pack_whole
from stepwell_bench.osu.pursuit import pack_explaining
from support.problems import made, problems, units_of

seeds = st.integers(0, 2**32 - 1)


def slow(problem: Problem, values: np.ndarray, budget: int, *, weight: float) -> list[int]:
    """Take steps by the docstring, each projection a least-squares fit of its own."""
    assert problem.vectors is not None
    assert problem.query is not None
    rows, goal = problem.vectors.astype(np.float64), problem.query.astype(np.float64)
    taken: list[int] = []
    while True:
        left = budget - int(problem.costs[taken].sum())
        fitting = [i for i, cost in enumerate(problem.costs) if i not in taken and cost <= left]
        if not fitting:
            return taken
        seen = rows[taken].T
        along = seen @ np.linalg.lstsq(seen, goal, rcond=None)[0] if taken else np.zeros_like(goal)
        now = [values[i] - weight * max(0.0, float(rows[i] @ along)) for i in range(len(values))]
        taken.append(max(fitting, key=lambda i: (now[i], values[i], -i)))


@given(seeds, st.integers(1, 14), st.integers(0, 200), st.floats(0.01, 20))
def test_picks_are_those_of_the_formula(seed: int, n: int, budget: int, weight: float) -> None:
    problem = made(seed, n=n, n_units=0)
    rng = np.random.default_rng(seed)
    values = rng.normal(size=n)
    query = rng.normal(size=5).astype(np.float32)
    problem = Problem(
        scores=problem.scores,
        costs=problem.costs,
        units=problem.units,
        vectors=problem.vectors,
        query=query / np.float32(np.linalg.norm(query)),
    )
    taken = pack_explaining(values, best_first(values), problem, budget, weight=weight)
    assert taken == slow(problem, values, budget, weight=weight)


@given(problems, st.integers(0, 200))
def test_without_weight_or_vectors_it_is_packing_by_rank(problem: Problem, budget: int) -> None:
    values = problem.scores
    whole = pack_whole(best_first(values), problem.costs, budget)
    assert pack_explaining(values, best_first(values), problem, budget, weight=0.0) == whole
    if problem.vectors is None:
        assert pack_explaining(values, best_first(values), problem, budget, weight=3.0) == whole


@given(problems, st.integers(0, 200), st.floats(0, 50))
def test_nothing_that_fits_is_left_out(problem: Problem, budget: int, weight: float) -> None:
    values = problem.scores.copy()
    taken = pack_explaining(values, best_first(values), problem, budget, weight=weight)
    left = budget - int(problem.costs[taken].sum())
    assert len(set(taken)) == len(taken)
    assert left >= 0
    assert all(cost > left for cost in np.delete(problem.costs, taken))
    assert (values == problem.scores).all()


def three(*, copy: list[float]) -> Problem:
    """Return a question about two things, a step about one, something like it, and the other."""
    vectors = np.asarray([[1, 0, 0], copy, [0, 1, 0]], dtype=np.float32)
    query = np.asarray([0.8, 0.6, 0], dtype=np.float32)
    return Problem(
        scores=(vectors @ query).astype(np.float64),
        costs=np.ones(3, dtype=np.int64),
        units=units_of([], n_steps=3, vectors=None),
        vectors=vectors,
        query=query,
    )


@pytest.mark.parametrize("copy", [[1, 0, 0], [0.995, 0, 0.0998], [0.99, 0.0, -0.141]])
def test_what_complements_is_taken_before_a_near_copy(copy: list[float]) -> None:
    problem = three(copy=copy)
    order = best_first(problem.scores)
    assert pack_explaining(problem.scores, order, problem, 2, weight=0.0) == [0, 1]
    assert pack_explaining(problem.scores, order, problem, 2, weight=0.5) == [0, 2]


def test_more_steps_than_are_compared_are_taken_by_rank() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(300, 64)).astype(np.float32)
    vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    problem = Problem(
        scores=(vectors @ vectors[0]).astype(np.float64),
        costs=np.ones(300, dtype=np.int64),
        units=units_of([], n_steps=300, vectors=None),
        vectors=vectors,
        query=vectors[0],
    )
    order = best_first(problem.scores)
    taken = pack_explaining(problem.scores, order, problem, 300, weight=2.0)
    assert sorted(taken) == list(range(300))
    assert taken[128:] == order[128:].tolist()
    assert taken[:128] != order[:128].tolist()


def test_many_copies_explain_nothing_more() -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(40, 8)).astype(np.float32)
    vectors = np.repeat(rows / np.linalg.norm(rows, axis=1, keepdims=True), 3, axis=0)
    problem = Problem(
        scores=(vectors @ vectors[0]).astype(np.float64),
        costs=np.ones(120, dtype=np.int64),
        units=units_of([], n_steps=120, vectors=None),
        vectors=vectors,
        query=vectors[0],
    )
    values = problem.scores
    # Eight dimensions are spanned after eight steps; from then on all is explained.
    taken = pack_explaining(values, best_first(values), problem, 120, weight=1.0)
    assert sorted(taken) == list(range(120))
