"""The Hurwitz zeta function ζ(s, q) = Σ_{k≥0} (q + k)^-s and its derivatives in s.

By the Euler-Maclaurin formula (Johansson, 2015, eq. 5): the first terms are added one by one up to
a base b, and from there on

    ζ(s, b) = b^(1-s)/(s-1) + b^-s/2 + Σ_j B_2j/(2j)! · s(s+1)…(s+2j-2) · b^(-s-2j+1)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["FAR", "far_series", "log_zeta", "zeta", "zeta_derivatives"]

_BASE: Final = 20
"""From here on the series alone is used; it errs by less than 1e-11 of the sum up to s = 10, by
less than 1e-6 up to s = 30."""

FAR: Final = 64
"""From here on three terms of the series are enough."""

_BERNOULLI: Final = (1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160)
"""B_2j/(2j)!."""

_SMALL: Final = np.arange(1.0, _BASE)
_LOGS: Final = np.log(_SMALL)


def zeta(s: ArrayLike, q: ArrayLike) -> NDArray[np.float64]:
    """Return ζ(s, q).

    Args:
        s: Exponents above 1.
        q: Whole numbers from 1; broadcast against `s`.

    >>> round(float(zeta(2.0, 1.0)), 12) == round(np.pi**2 / 6, 12)
    True
    """
    return np.exp(log_zeta(s, q))


def log_zeta(s: ArrayLike, q: ArrayLike) -> NDArray[np.float64]:
    """Return ln ζ(s, q), which is a number where ζ itself is too small for one."""
    return np.asarray(np.log(zeta_derivatives(s, q)[0]) - np.asarray(s) * np.log(q))


def far_series(s: NDArray[np.float64], q: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return q^s · ζ(s, q) by the first terms of the series, for q from `FAR` on.

    What is left out is 1e-8 of it at s = 3, and 1e-6 at s = 10.

    Args:
        s: Exponents above 1.
        q: Numbers from `FAR`; broadcast against `s`.
    """
    found = (1 / (s - 1)) * q
    found += 0.5
    found += (s / 12) / q
    return found


def zeta_derivatives(
    s: ArrayLike, q: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return q^s times ζ(s, q), and times its first and second derivative in s.

    Args:
        s: Exponents above 1.
        q: Whole numbers from 1; broadcast against `s`.
    """
    exponents, first = np.broadcast_arrays(
        np.asarray(s, dtype=np.float64), np.asarray(q, dtype=np.float64)
    )
    value, slope, bend = map(np.asarray, _series(exponents, first))
    is_small = np.flatnonzero(first < _BASE)
    if len(is_small):
        terms = (_SMALL / first.ravel()[is_small, None]) ** -exponents.ravel()[is_small, None]
        terms[first.ravel()[is_small, None] > _SMALL] = 0.0
        for total, sums in (
            (value, terms.sum(axis=1)),
            (slope, -(terms @ _LOGS)),
            (bend, terms @ _LOGS**2),
        ):
            total.ravel()[is_small] += sums
    return value, slope, bend


def _series(
    s: NDArray[np.float64], first: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the sum from the base on; each term's derivatives come from that of its logarithm."""
    base = np.maximum(first, _BASE)
    logs, power = np.log(base), (base / first) ** -s
    value, slope, bend = 0.5 * power, -0.5 * power * logs, 0.5 * power * logs**2
    term, pull = power * base / (s - 1), -logs - 1 / (s - 1)
    value, slope = value + term, slope + term * pull
    bend = bend + term * (pull**2 + 1 / (s - 1) ** 2)
    rising, pull, curve = s * power / base, 1 / s - logs, -1 / s**2
    for place, bernoulli in enumerate(_BERNOULLI):
        term = bernoulli * rising
        value, slope = value + term, slope + term * pull
        bend = bend + term * (pull**2 + curve)
        for step in (2 * place + 1, 2 * place + 2):
            rising, pull, curve = (
                rising * (s + step) / base,
                pull + 1 / (s + step),
                curve - 1 / (s + step) ** 2,
            )
    return value, slope, bend
