"""Sums and integrals to infinity as weighted sums over a few hundred places.

Each panel is integrated by Gauss and Legendre's rule of eight places. A sum over whole numbers is
an integral with corrections at its beginning (Gregory's formula):

    Σ_{k≥q} f(k) = ∫_q^∞ f + f(q)/2 - Δf/12 + Δ²f/24 - 19Δ³f/720 + 3Δ⁴f/160 - 863Δ⁵f/60480 ...
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["integral", "panels", "sum_to_infinity"]

_PLACES, _WEIGHTS = np.polynomial.legendre.leggauss(8)

_GREGORY: Final = (1 / 2, -1 / 12, 1 / 24, -19 / 720, 3 / 160, -863 / 60480)
_CORRECTIONS: Final = np.array(
    [
        sum(
            weight * (-1) ** (order - place) * comb(order, place)
            for order, weight in enumerate(_GREGORY)
            if order >= place
        )
        for place in range(len(_GREGORY))
    ]
)
"""The same by value: what f(q), f(q + 1), … are weighted with."""

_ONE_BY_ONE: Final = 48
"""Whole numbers added before the integral begins: from there on, what decreases like a power is
smooth enough for the formula to err by less than 1e-10 of the sum."""

_N_PANELS: Final = 96


def panels(
    low: NDArray[np.float64], width: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return places and weights that integrate over each of p panels, in order, shape (8p,).

    >>> places, weights = panels(np.array([0.0]), np.array([2.0]))
    >>> round(float(weights @ places**3), 12)
    4.0
    """
    half = width / 2
    places = (low + half)[:, None] + half[:, None] * _PLACES
    return places.ravel(), (half[:, None] * _WEIGHTS).ravel()


def integral(low: float, high: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return places and weights that integrate from low to high, over 96 equal panels."""
    edges = np.linspace(low, high, _N_PANELS + 1)
    return panels(edges[:-1], np.diff(edges))


def sum_to_infinity(
    start: float, *, reach: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return places and weights for Σ_{k ≥ start} f(k), of a smooth f that is nothing beyond reach.

    The integral is taken over ln x, in which powers of x are as smooth as exponentials.

    Args:
        start: The first whole number.
        reach: Where f has become negligible.

    >>> places, weights = sum_to_infinity(1, reach=1e9)
    >>> round(float(weights @ np.exp(-places / 1e6)))  # 1/(e^1e-6 - 1)
    1000000
    """
    base = start + _ONE_BY_ONE
    numbers = np.arange(start, base + len(_CORRECTIONS))
    weights = np.ones(len(numbers))
    weights[_ONE_BY_ONE:] = _CORRECTIONS
    logs, steps = integral(np.log(base), np.log(max(reach, 2 * base)))
    far = np.exp(logs)
    return np.concatenate((numbers, far)), np.concatenate((weights, steps * far))
