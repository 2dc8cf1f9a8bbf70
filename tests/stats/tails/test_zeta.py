"""ζ(s, q) against scipy, and its derivatives against differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special  # type: ignore[import-untyped]

from stepwell.stats.tails.zeta import FAR, far_series, log_zeta, zeta, zeta_derivatives

EXPONENTS = st.floats(1.001, 12)
FIRSTS = st.integers(1, 10**7)


@given(EXPONENTS, FIRSTS)
def test_it_is_that_of_scipy(s: float, q: int) -> None:
    assert float(zeta(s, q)) == pytest.approx(float(special.zeta(s, q)), rel=1e-9)
    assert float(zeta(s, q) - zeta(s, q + 1)) == pytest.approx(float(q) ** -s, rel=1e-3, abs=1e-9)


@given(st.floats(1.05, 10), st.integers(1, 1000))
def test_its_derivatives_are_what_differences_say(s: float, q: int) -> None:
    value, slope, bend = (float(part) for part in zeta_derivatives(s, q))
    step = 1e-4 * (s - 1)
    below, here, above = (float(log_zeta(s + k * step, q)) for k in (-1, 0, 1))
    assert slope / value == pytest.approx((above - below) / (2 * step), rel=1e-5)
    curve = (above - 2 * here + below) / step**2
    assert bend / value - (slope / value) ** 2 == pytest.approx(curve, rel=1e-2, abs=1e-5)


def test_its_logarithm_is_known_where_it_is_too_small_for_a_number() -> None:
    assert float(log_zeta(30.0, 1e15)) == pytest.approx(-29 * np.log(1e15) - np.log(29), rel=1e-9)


def test_three_terms_are_enough_far_out() -> None:
    s, q = np.array([1.01, 1.5, 3.0, 9.0])[:, None], np.array([FAR, 99.0, 1e5, 1e15])
    expected = np.exp(log_zeta(s, q) + s * np.log(q))
    assert far_series(s, q) == pytest.approx(expected, rel=1e-6)
    assert far_series(s[:3], q) == pytest.approx(expected[:3], rel=2e-8)
