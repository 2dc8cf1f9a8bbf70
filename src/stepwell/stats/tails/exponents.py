"""Exponents of discrete power laws, of maximum likelihood, for many tails at once.

From x_min on, p(x) = x^-α / ζ(α, x_min), and the likelihood is largest where

    -ζ'(α, x_min) / ζ(α, x_min) = mean of ln x
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.stats.tails.zeta import zeta_derivatives

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LEAST_ALPHA", "MOST_ALPHA", "best_alpha", "far_alpha", "mean_log"]

LEAST_ALPHA: Final = 1.001
MOST_ALPHA: Final = 30.0
"""Steeper than this, all counts of a tail are alike."""

_ITERATIONS: Final = 50
_PRECISION: Final = 1e-6
"""Of a step of Newton's, whose error is about its square."""


def best_alpha(means: NDArray[np.float64], starts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the exponents of maximum likelihood, kept between 1.001 and 30.

    The likelihood is concave, and Newton's steps are taken in ln(α - 1), from the approximation of
    Clauset et al. (2009), eq. 3.7.

    Args:
        means: Mean of ln x over each tail, shape (c,).
        starts: Its x_min, shape (c,).

    >>> best_alpha(np.array([0.5]), np.array([1.0])).round(2).tolist()
    [2.09]
    """
    excess = np.maximum(means - np.log(starts - 0.5), 1 / MOST_ALPHA)
    low, high = np.log(LEAST_ALPHA - 1), np.log(MOST_ALPHA - 1)
    steepness = np.clip(-np.log(excess), low, high)
    for _ in range(_ITERATIONS):
        rise = np.exp(steepness)
        value, slope, bend = zeta_derivatives(1 + rise, starts)
        pull = -slope / value - means  # above 0 while α is too small
        curve = bend / value - (slope / value) ** 2
        moved = np.clip(steepness + np.clip(pull / (curve * rise), -1, 1), low, high)
        is_done = np.abs(moved - steepness).max(initial=0.0) < _PRECISION
        steepness = moved
        if is_done:
            break
    return np.asarray(1 + np.exp(steepness), dtype=np.float64)


def far_alpha(means: NDArray[np.float64], starts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what `best_alpha` does, fast, for tails that begin at 64 or later.

    By the midpoint formula, ζ(α, x) = u^(1-α)/(α-1) · (1 - α(α-1)/24u² + …) with u = x - ½, the
    likelihood is largest where 1/(α-1) = mean of ln x - ln u - (2α-1)/24u² + …, which is iterated.
    What is left out is 1e-8 at α = 2, and 1e-5 at α = 10.

    Args:
        means: Mean of ln x over each tail, shape (c,).
        starts: Its x_min, shape (c,).

    >>> far_alpha(np.array([5.0]), np.array([100.0])).round(3).tolist()
    [3.501]
    """
    middles = starts - 0.5
    excess, scale = means - np.log(middles), 1 / (24 * middles**2)
    low, high = 1 / (MOST_ALPHA - 1), 1 / (LEAST_ALPHA - 1)
    inverse = np.clip(excess, low, high)
    for _ in range(2):
        inverse = np.clip(excess - (1 + 2 / inverse) * scale, low, high)
    return 1 + 1 / inverse


def mean_log(alpha: float, starts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of ln x under a power law, for each of several x_min, shape (c,)."""
    value, slope, _ = zeta_derivatives(alpha, starts)
    return -slope / value
