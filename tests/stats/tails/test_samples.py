"""Counts as samples: small ones counted, large ones kept."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.stats.tails.histogram import histogram
from stepwell.stats.tails.samples import FINE, first_large, samples_of
from stepwell.stats.tails.zeta import FAR


@given(st.lists(st.integers(1, 2_000), min_size=1, max_size=60))
def test_a_sample_gives_its_counts_back(values: list[int]) -> None:
    data = histogram(values)
    samples = samples_of(data)
    back = samples.histogram(0)
    assert back.values.tolist() == data.values.tolist()
    assert back.sizes.tolist() == data.sizes.tolist()
    assert len(samples) == 1
    assert samples.low == min(values)
    assert samples.start >= FAR
    assert int(samples.sizes.sum()) + int(samples.n_far[0]) == len(values)


def test_what_is_counted_ends_before_the_large_counts() -> None:
    samples = samples_of(histogram([3, 3, 70, 90]))
    assert samples.near[0] == 3
    assert samples.near[-1] == samples.start - 1
    assert len(samples.near) == samples.sizes.shape[1]


def test_large_counts_begin_at_once_where_few_items_are_large() -> None:
    assert first_large(1, np.zeros(10)) == FAR
    assert first_large(FAR + 7, np.zeros(10)) == FAR + 7


def test_counting_goes_on_while_it_saves_more_than_it_costs() -> None:
    # At each value counted six items fewer are left, which is more than the five it costs.
    assert first_large(1, np.array([12.0, 6.0, 0.0, 0.0])) == FAR + 2
    # Four fewer are not worth it.
    assert first_large(1, np.array([8.0, 4.0, 0.0, 0.0])) == FAR


@pytest.mark.parametrize("count", [FAR, FINE, FINE + 1, 10**6])
def test_a_single_item_is_a_sample(count: int) -> None:
    assert samples_of(histogram([count])).histogram(0).items().tolist() == [float(count)]
