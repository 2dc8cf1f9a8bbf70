from __future__ import annotations

from dataclasses import replace
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.learn.tables import SubsetTable, structures_of, subset_table, subsets_of
from stepwell.policy.kinds import Fixed
from support.worlds import World, cases_of

CASES = cases_of(3)

TABLE = SubsetTable(
    cases=CASES[:3],
    subsets=[("a",), ("b",), ("a", "b")],
    rewards=np.array([[1.0, 0.5, 0.0], [0.0, 0.5, 0.0], [0.5, 0.5, 0.0]]),
    tokens=np.array([[10.0, 20.0, 5.0], [30.0, 20.0, 5.0], [10.0, 20.0, 5.0]]),
    weights=np.array([[1.0, 2.0, 0.0], [1.0, 0.0, 0.0], [2.0, 1.0, 0.0]]),
)


def test_an_objective_is_the_weighted_mean_of_rewards_less_what_tokens_cost() -> None:
    # a: (1 + 0 + 2 * 0.5) / 4 = 0.5, tokens (10 + 30 + 20) / 4 = 15.
    assert TABLE.objectives(0.0).tolist() == [0.5, 0.5, -np.inf]
    assert TABLE.objectives(0.01) == pytest.approx([0.5 - 0.15, 0.5 - 0.2, -np.inf])


def test_only_the_cases_among_count() -> None:
    among = np.array([False, True, True])
    # a: (0 + 2 * 0.5) / 3; b: only the last case is known.
    assert TABLE.objectives(0.0, among=among) == pytest.approx([1 / 3, 0.5, -np.inf])
    nothing = np.zeros(3, dtype=np.bool_)
    assert TABLE.objectives(0.0, among=nothing).tolist() == [-np.inf] * 3


def test_a_table_holds_what_the_evaluator_says_column_by_column() -> None:
    subsets = [("graph",), ("temporal", "graph")]
    done: list[int] = []
    table = subset_table(World(), CASES, subsets, progress=lambda: done.append(len(done)))
    assert done == [0, 1]
    for column, subset in enumerate(subsets):
        found = World().evaluate(Fixed(structures=subset), CASES)
        assert np.array_equal(table.rewards[:, column], found.rewards)
        assert np.array_equal(table.tokens[:, column], found.tokens)
        assert np.array_equal(table.weights[:, column], found.weights)
    assert table.rewards.shape == (len(CASES), 2)


def test_no_cases_give_an_empty_table_of_which_nothing_is_known() -> None:
    table = subset_table(World(), [], [("graph",)])
    assert table.rewards.shape == (0, 1)
    assert table.objectives(0.0).tolist() == [-np.inf]


@given(st.integers(0, 6), st.one_of(st.none(), st.integers(0, 9)))
def test_subsets_are_all_up_to_a_size_the_smaller_first(n: int, largest: int | None) -> None:
    names = [f"s{number}" for number in range(n)]
    found = subsets_of(names, largest=largest)
    most = n if largest is None else min(largest, n)
    assert len(found) == len(set(found)) == sum(comb(n, size) for size in range(1, most + 1))
    assert [len(one) for one in found] == sorted(len(one) for one in found)
    assert all(list(one) == sorted(one) for one in found)


def test_structures_are_those_of_any_case_in_the_order_they_come() -> None:
    cases = [
        replace(case, context=replace(case.context, available=available))
        for case, available in zip(CASES, [("b", "a"), ("c", "a"), ()], strict=False)
    ]
    assert structures_of(cases) == ("b", "a", "c")
    assert structures_of([]) == ()
