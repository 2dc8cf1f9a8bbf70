"""Weighted sums against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special  # type: ignore[import-untyped]

from stepwell.stats.tails.quadrature import integral, panels, sum_to_infinity


@given(st.integers(0, 15), st.floats(-3, 3), st.floats(0.1, 3))
def test_eight_places_integrate_polynomials_of_degree_fifteen(
    degree: int, low: float, width: float
) -> None:
    places, weights = panels(np.array([low]), np.array([width]))
    exact = ((low + width) ** (degree + 1) - low ** (degree + 1)) / (degree + 1)
    scale = weights @ np.abs(places) ** degree
    assert weights @ places**degree == pytest.approx(exact, abs=1e-12 * max(scale, 1e-12))


def test_places_are_in_order_within_their_panels() -> None:
    places, weights = panels(np.array([0.0, 1.0]), np.array([1.0, 2.0]))
    assert len(places) == len(weights) == 16
    assert (np.diff(places) > 0).all()
    assert places[7] < 1 < places[8]
    assert weights.sum() == pytest.approx(3)


def test_an_integral_is_over_the_whole_range() -> None:
    places, weights = integral(0.0, np.pi)
    assert weights @ np.sin(places) == pytest.approx(2, rel=1e-14)
    assert len(places) == 96 * 8


@pytest.mark.parametrize("start", [1, 2, 7, 1000])
@pytest.mark.parametrize("power", [1.5, 2.5, 6.0])
def test_a_sum_of_powers_is_zeta(start: int, power: float) -> None:
    reach = start * 1e16
    places, weights = sum_to_infinity(start, reach=reach)
    rest = reach ** (1 - power) / (power - 1)  # what lies beyond
    expected = float(special.zeta(power, start))
    assert weights @ places**-power + rest == pytest.approx(expected, rel=1e-9)


def test_a_sum_begins_at_its_first_number() -> None:
    from_one, from_two = (sum_to_infinity(start, reach=1e4) for start in (1, 2))
    totals = [weights @ np.exp(-places / 10) for places, weights in (from_one, from_two)]
    assert totals[0] - totals[1] == pytest.approx(np.exp(-0.1), rel=1e-8)
    assert from_one[0][0] == 1


def test_a_short_reach_still_reaches_past_the_beginning() -> None:
    places, _ = sum_to_infinity(5, reach=1)
    assert places.max() > 2 * 5
