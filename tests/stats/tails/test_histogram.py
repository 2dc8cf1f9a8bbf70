"""Counts, grouped."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.errors import InvalidInputError
from stepwell.stats.tails.histogram import histogram

counts = st.lists(st.integers(0, 12), max_size=40)


def test_zeros_are_left_out_and_equals_are_counted() -> None:
    found = histogram([5, 0, 2, 5, 0])
    assert found.values.tolist() == [2.0, 5.0]
    assert found.sizes.tolist() == [1, 2]
    assert found.n == 3


@pytest.mark.parametrize(("x_min", "left"), [(1, [2.0, 5.0]), (2, [2.0, 5.0]), (3, [5.0]), (6, [])])
def test_a_tail_begins_at_its_least_count(x_min: int, left: list[float]) -> None:
    assert histogram([5, 2, 5]).tail(x_min).values.tolist() == left


@pytest.mark.parametrize("value", [-1.0, 0.5, float("nan"), float("inf")])
def test_what_is_no_count_is_refused(value: float) -> None:
    with pytest.raises(InvalidInputError):
        histogram([1.0, value])


@given(counts, st.integers(1, 13))
def test_a_tail_and_the_rest_are_the_whole(values: list[int], x_min: int) -> None:
    found = histogram(values)
    assert found.items().tolist() == sorted(value for value in values if value)
    assert found.tail(x_min).items().tolist() == sorted(v for v in values if v >= x_min)
    assert found.n == sum(value > 0 for value in values)
