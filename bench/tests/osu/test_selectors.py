"""The selectors that are only compared with keep the budget like those of the product."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.errors import InvalidInputError
from stepwell.recall.rank.selection.base import Problem, Selector
from stepwell.recall.rank.selection.coverage import Coverage
from stepwell_bench.osu.adaptive import Adaptive
from stepwell_bench.osu.flat import Flat, Mmr
from support.problems import made, problems

budgets = st.integers(0, 260)


@given(problems, budgets)
def test_budgets_are_kept_without_repeats(problem: Problem, budget: int) -> None:
    selectors: list[Selector] = [Flat(), Adaptive()]
    for selector in selectors + ([] if problem.vectors is None else [Mmr()]):
        taken = selector.select(problem, budget)
        assert len(set(taken)) == len(taken)
        assert int(problem.costs[taken].sum()) <= budget
        assert all(0 <= step < len(problem.costs) for step in taken)


@given(problems, budgets)
def test_nothing_that_fits_is_left_out(problem: Problem, budget: int) -> None:
    for selector in (Flat(), Adaptive()):
        taken = selector.select(problem, budget)
        left = budget - int(problem.costs[taken].sum())
        others = np.delete(problem.costs, taken)
        assert len(others) == 0 or int(others.min()) > left


@given(problems, budgets)
def test_without_bonus_coverage_is_flat(problem: Problem, budget: int) -> None:
    assert Coverage(beta=0).select(problem, budget) == Flat().select(problem, budget)


def test_redundancy_without_vectors_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="flat"):
        Mmr().select(made(8, n=5, n_units=1, encoded=False), 30)


def test_mmr_passes_over_a_repetition() -> None:
    vectors = np.asarray([[1, 0], [1, 0], [0.6, 0.8]], dtype=np.float32)
    problem = Problem(
        scores=np.asarray([0.9, 0.89, 0.5]),
        costs=np.ones(3, dtype=np.int64),
        units=made(0, n=0, n_units=0).units,
        vectors=vectors,
        query=vectors[0],
    )
    assert Mmr().select(problem, 2) == [0, 1]
    assert Mmr(trade_off=0.4).select(problem, 2) == [0, 2]
