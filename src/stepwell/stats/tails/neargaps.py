"""Tails that begin at small counts: their laws, and the gaps between these and what is observed.

For a given x_min, all that depends on α is a smooth function of one number, the mean of ln x. So it
is computed for a few means, and known for all samples by Chebyshev's polynomials: then the gaps of
all samples at all small counts are one product of matrices for each x_min.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.polynomial.chebyshev import chebvander

from stepwell.stats.tails.exponents import LEAST_ALPHA, MOST_ALPHA, best_alpha, mean_log
from stepwell.stats.tails.zeta import zeta

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from stepwell.stats.tails.sums import Sums

__all__ = ["NearGaps", "Polynomial", "near_gaps", "polynomials"]

_NODES: Final = (12, 24, 48, 96)
"""Means at which a function of them is computed; more where it takes them."""

_TOLERANCE: Final = 1e-10
"""Terms of a polynomial that are left out, and of the last two, how large they may be."""

_NARROW: Final = 1e-6
"""Means are not closer than this, so that a single one has a polynomial as well."""

_PRODUCT: Final = 1 << 18
"""Multiplications of a product of matrices: of more, some libraries let several threads do it, who
wait for one another longer than it takes."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Polynomial:
    """What depends on α of the tails that begin at one small count, as a function of the spread.

    Attributes:
        place: Which of the small counts.
        middle: Middle of the spreads.
        half: Half of their range.
        terms: Chebyshev coefficients of the law's share at each later count, up to `start`, and of
            α, shape (g - place + 1, k).
    """

    place: int
    middle: float
    half: float
    terms: NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NearGaps:
    """What is known at small counts of the tail from each, in each sample; arrays of shape (g, n).

    Attributes:
        gaps: The largest gap; infinite where no tail may begin.
        shares: The law's share from `start` on.
        alphas: Its α.
    """

    gaps: NDArray[np.float64]
    shares: NDArray[np.float64]
    alphas: NDArray[np.float64]


def polynomials(sums: Sequence[Sums]) -> list[Polynomial]:
    """Return what depends on α, for each small count at which the tail of some sample may begin."""
    near, start = sums[0].samples.near, sums[0].samples.start
    low = np.fmin.reduce([np.fmin.reduce(one.spreads, axis=1) for one in sums], axis=0)
    high = np.fmax.reduce([np.fmax.reduce(one.spreads, axis=1) for one in sums], axis=0)
    places = np.flatnonzero(np.isfinite(low))
    steep, flat = (np.log(mean_log(a, near) - np.log(near)) for a in (MOST_ALPHA, LEAST_ALPHA))
    low, high = (np.clip(part, steep, flat)[places] for part in (low, high))
    middles, halves = (low + high) / 2, np.maximum((high - low) / 2, _NARROW)
    found: list[Polynomial] = []
    for n_nodes in _NODES:
        found = [
            Polynomial(place=int(place), middle=middle, half=half, terms=terms)
            for place, middle, half, terms in zip(
                places,
                middles.tolist(),
                halves.tolist(),
                _terms(near, start, places, (middles, halves), n_nodes=n_nodes),
                strict=True,
            )
        ]
        if all(one.terms.shape[1] <= n_nodes - 2 for one in found):
            break
    return found


def _terms(
    near: NDArray[np.float64],
    start: int,
    places: NDArray[np.int64],
    spreads: tuple[NDArray[np.float64], NDArray[np.float64]],
    *,
    n_nodes: int,
) -> list[NDArray[np.float64]]:
    """Return the Chebyshev coefficients for each of c tails, as many as there have to be."""
    x_min, nodes = near[places, None], np.cos(np.pi * (np.arange(n_nodes) + 0.5) / n_nodes)
    means = np.exp(spreads[0][:, None] + spreads[1][:, None] * nodes) + np.log(x_min)
    alphas = best_alpha(means.ravel(), np.repeat(x_min, n_nodes))
    powers = np.exp(-alphas[:, None] * np.log(near))
    sums = np.cumsum(np.column_stack((zeta(alphas, start), powers[:, ::-1])), axis=1)[:, ::-1]
    sums = sums.reshape(len(places), n_nodes, len(near) + 1)
    to_terms = 2 / n_nodes * chebvander(nodes, n_nodes - 1).T
    to_terms[0] /= 2
    found: list[NDArray[np.float64]] = []
    for place, each, alpha in zip(places, sums, alphas.reshape(-1, n_nodes), strict=True):
        shares = each[:, place + 1 :] / each[:, place, None]
        terms = to_terms @ np.column_stack((shares, alpha))
        large = np.flatnonzero(np.abs(terms).max(axis=1) > _TOLERANCE)
        found.append(np.ascontiguousarray(terms[: large[-1] + 1].T))
    return found


def near_gaps(sums: Sums, laws: Sequence[Polynomial]) -> NearGaps:
    """Return the gaps at small counts, for one tail at least."""
    shape = sums.spreads.shape
    found = NearGaps(gaps=np.full(shape, np.inf), shares=np.empty(shape), alphas=np.empty(shape))
    places = [one.place for one in laws]
    middles = np.array([one.middle for one in laws])[:, None]
    halves = np.array([one.half for one in laws])[:, None]
    scaled: NDArray[np.float64] = np.clip((sums.spreads[places] - middles) / halves, -1, 1)
    degree = max(int(one.terms.shape[1]) for one in laws) - 1
    bases = np.moveaxis(np.asarray(chebvander(scaled, degree), dtype=np.float64), -1, 0)
    for number, one in enumerate(laws):
        basis = bases[: one.terms.shape[1], number]
        found.shares[one.place], found.alphas[one.place] = one.terms[-2:] @ basis
        largest = _largest_gaps(one.terms[:-1], basis, sums.above[one.place :])
        np.copyto(found.gaps[one.place], largest, where=~np.isnan(scaled[number]))
    return found


def _largest_gaps(
    terms: NDArray[np.float64], basis: NDArray[np.float64], above: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the largest gap of n tails that begin at the same count, shape (n,).

    Args:
        terms: Coefficients of the law's share at each later count, shape (r, k).
        basis: Polynomials, shape (k, n).
        above: Items at or above the first count and each later one, shape (r + 1, n).
    """
    items, largest = above[0], np.zeros(basis.shape[1])
    expected = basis * items
    rows = max(1, _PRODUCT // basis.size)
    for first in range(0, len(terms), rows):
        gaps = terms[first : first + rows] @ expected
        gaps -= above[1 + first : 1 + first + rows]
        np.maximum(largest, np.maximum(gaps.max(axis=0), -gaps.min(axis=0)), out=largest)
    return np.asarray(largest / np.maximum(items, 1))
