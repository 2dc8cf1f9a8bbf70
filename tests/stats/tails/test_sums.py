"""Sums over tails, against sums taken one tail after another."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.stats.tails.histogram import histogram
from stepwell.stats.tails.samples import samples_of
from stepwell.stats.tails.sums import Sums


@settings(max_examples=40)
@given(st.lists(st.integers(1, 300), min_size=1, max_size=80))
def test_each_sum_is_that_of_its_tail(values: list[int]) -> None:
    samples = samples_of(histogram(values))
    sums = Sums.of(samples)
    counts = np.array(values)
    for place, x_min in enumerate(samples.near):
        assert sums.above[place, 0] == (counts >= x_min).sum()
    assert sums.above[-1, 0] == samples.n_far[0]
    far = np.sort(counts[counts >= samples.start])
    expected = [float(np.log(far[place:]).sum()) for place in range(len(far))]
    assert sums.log_sums[0].tolist() == pytest.approx(expected)


def test_a_spread_is_the_log_of_how_far_the_mean_lies_above_the_beginning() -> None:
    values = [1] * 30 + [2] * 20 + [4] * 10
    sums = Sums.of(samples_of(histogram(values)))
    logs = np.log(values)
    assert sums.spreads[0, 0] == pytest.approx(np.log(logs.mean()))
    tail = logs[logs >= np.log(2)]
    assert sums.spreads[1, 0] == pytest.approx(np.log(tail.mean() - np.log(2)))


def test_no_tail_begins_where_nothing_has_that_count_or_nothing_lies_above() -> None:
    sums = Sums.of(samples_of(histogram([1] * 30 + [3] * 30)))
    assert np.isfinite(sums.spreads[0, 0])
    assert np.isnan(sums.spreads[1, 0])  # no item has the count 2
    assert np.isnan(sums.spreads[2, 0])  # no item lies above 3


@pytest.mark.parametrize(
    ("n", "least"), [(5, 2), (20, 2), (30, 3), (490, 49), (500, 50), (900, 50)]
)
def test_a_tail_needs_a_tenth_of_the_items_or_fifty(n: int, least: int) -> None:
    assert Sums.of(samples_of(histogram([1] * n))).least == least


def test_a_tail_with_fewer_items_does_not_count() -> None:
    sums = Sums.of(samples_of(histogram([1] * 96 + [2, 2, 2, 3])))
    assert sums.least == 10
    assert np.isfinite(sums.spreads[0, 0])
    assert np.isnan(sums.spreads[1, 0])
