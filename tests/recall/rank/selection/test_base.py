"""What every selector of the product keeps to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stepwell.recall.rank.selection.coarse import Coarse
from stepwell.recall.rank.selection.coverage import Coverage
from support.problems import problems

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
