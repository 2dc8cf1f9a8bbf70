"""Concentration of counts: bounds, invariances, and figures worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]

from stepwell.errors import InvalidInputError
from stepwell.stats.tails.concentration import (
    ccdf,
    concentration,
    gini,
    lorenz,
    sigma_top,
    top_share,
)

COUNTS = st.lists(st.integers(1, 10_000), min_size=1, max_size=60)


def mean_difference(counts: list[int]) -> float:
    """Gini as half the relative mean absolute difference."""
    numbers = np.array(counts, dtype=float)
    return float(np.abs(numbers[:, None] - numbers).mean() / (2 * numbers.mean()))


@given(COUNTS)
def test_the_gini_coefficient_is_half_the_relative_mean_difference(counts: list[int]) -> None:
    assert 0 <= gini(counts) < 1
    assert gini(counts) == pytest.approx(mean_difference(counts), abs=1e-9)


@given(COUNTS, st.integers(2, 1000), st.integers(0, 5))
def test_neither_scale_nor_order_nor_unused_items_matter(
    counts: list[int], scale: int, zeros: int
) -> None:
    found = concentration(counts)
    shuffled = np.random.default_rng(scale).permutation([0] * zeros + counts) * scale
    other = concentration(shuffled)
    for name in ("gini", "top_share", "sigma_top", "max_over_median", "skew"):
        assert getattr(other, name) == pytest.approx(getattr(found, name), abs=1e-6)
    assert other.n_items == found.n_items
    assert other.n_accesses == scale * found.n_accesses


@given(COUNTS)
def test_the_ccdf_falls_from_one(counts: list[int]) -> None:
    values, shares = ccdf(counts)
    assert shares[0] == 1
    assert (np.diff(shares) < 0).all()
    assert (np.diff(values) > 0).all()
    expected = [np.mean(np.array(counts) >= value) for value in values]
    assert shares == pytest.approx(expected)


@given(COUNTS)
def test_the_concentration_curve_is_concave_and_its_area_is_the_gini(counts: list[int]) -> None:
    items, accesses = lorenz(counts, points=1000)
    assert items[-1] == accesses[-1] == 1
    assert (np.diff(np.diff(accesses)) <= 1e-9).all()
    assert 2 * np.trapezoid(accesses, items) - 1 == pytest.approx(gini(counts), abs=1e-9)


@given(COUNTS)
def test_skew_is_that_of_scipy(counts: list[int]) -> None:
    expected = stats.skew(np.array(counts, dtype=float)) if len(set(counts)) > 1 else 0.0
    assert concentration(counts).skew == pytest.approx(expected, abs=1e-6)


def test_the_top_tenth_is_rounded_up_but_not_beyond() -> None:
    assert top_share([1] * 29 + [71]) == pytest.approx(0.73)
    assert top_share([1] * 10 + [90]) == pytest.approx(0.91)
    assert sigma_top([1] * 18 + [2, 8]) == pytest.approx(np.log(8 / 2) / 2)


def test_nothing_accessed_is_no_concentration() -> None:
    for counts in ([], [0, 0]):
        found = concentration(counts)
        assert found.n_items == found.n_accesses == found.gini == found.skew == 0
        assert [part.tolist() for part in lorenz(counts)] == [[0.0], [0.0]]
        assert len(ccdf(counts)[0]) == 0


@pytest.mark.parametrize("counts", [[-1], [0.5], [np.nan], [np.inf], ["a"], [[1, 2]], [2.0**54]])
def test_what_is_no_count_is_refused(counts: list[object]) -> None:
    with pytest.raises(InvalidInputError, match="whole numbers"):
        gini(counts)  # type: ignore[arg-type]
