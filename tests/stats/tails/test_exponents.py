"""Exponents of maximum likelihood: within their bounds, and alike by both formulas."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.stats.tails.exponents import best_alpha, far_alpha, mean_log
from stepwell.stats.tails.zeta import FAR


def test_the_exponent_of_equal_counts_is_kept_within_bounds() -> None:
    for find in (best_alpha, far_alpha):
        starts = np.array([FAR, 900.0])
        assert find(np.log(starts), starts).tolist() == pytest.approx([30, 30])
        assert find(np.array([5000.0]), np.array([100.0])).tolist() == pytest.approx([1.001])
    assert best_alpha(np.log([1.0, 9.0]), np.array([1.0, 9.0])).tolist() == pytest.approx([30, 30])


@given(st.floats(1.01, 29), st.integers(1, 10**6))
def test_the_mean_under_a_law_gives_its_exponent_back(alpha: float, x_min: int) -> None:
    starts = np.array([float(x_min)])
    assert best_alpha(mean_log(alpha, starts), starts) == pytest.approx([alpha], rel=1e-5)


@given(st.floats(1.01, 6), st.integers(FAR, 10**6))
def test_far_out_the_fast_formula_gives_it_too(alpha: float, x_min: int) -> None:
    starts = np.array([float(x_min)])
    assert far_alpha(mean_log(alpha, starts), starts) == pytest.approx([alpha], abs=2e-6)
