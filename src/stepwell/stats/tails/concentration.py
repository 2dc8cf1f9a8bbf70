"""Concentration: how unevenly accesses fall on items.

All of these are of the items accessed at least once; CTMC's tables 2, 7 and 8 are made of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.errors import InvalidInputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Concentration",
    "ccdf",
    "checked_counts",
    "concentration",
    "gini",
    "lorenz",
    "sigma_top",
    "top_share",
]

_TOP: Final = 0.1
"""Share of the items that "the top" means."""

_LARGEST: Final = 2.0**53
"""Above this, whole numbers are not told apart any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Concentration:
    """How unevenly accesses fall on items.

    Attributes:
        n_items: Items accessed at least once.
        n_accesses: All accesses.
        gini: From 0, all alike, to almost 1, one item for all.
        top_share: Share of the accesses that the top tenth of the items take.
        sigma_top: σ_top10, the spread within the top tenth, in logarithms.
        max_over_median: Accesses of the most accessed item over those of the middle one.
        skew: Third standardised moment of the counts; 0 when they are equal.
    """

    n_items: int
    n_accesses: int
    gini: float
    top_share: float
    sigma_top: float
    max_over_median: float
    skew: float


def checked_counts(counts: ArrayLike) -> NDArray[np.float64]:
    """Return counts as float64, without zeros, ascending.

    Args:
        counts: Accesses of each item: whole numbers from 0 to 2⁵³, shape (n,).

    Raises:
        InvalidInputError: They are no such numbers.
    """
    numbers = np.asarray(counts)
    is_number = numbers.size == 0 or (numbers.dtype.kind in "iuf" and numbers.ndim == 1)
    if is_number:
        numbers = numbers.astype(np.float64).ravel()
        is_number = bool(
            ((numbers >= 0) & (numbers <= _LARGEST) & (np.floor(numbers) == numbers)).all()
        )
    if not is_number:
        raise InvalidInputError(
            "Counts of accesses are whole numbers from 0 to 2^53, in one dimension.",
            hint="Give one number per item: how often it was accessed.",
        )
    return np.sort(numbers[numbers > 0])


def gini(counts: ArrayLike) -> float:
    """Return the Gini coefficient of counts; 0 for none.

    G = (n + 1 - 2 Σ_i c_i/c_n) / n, with c_i the cumulative sums of the counts ascending.

    >>> gini([5, 5, 5, 5]), round(gini([1, 1, 1, 97]), 2)
    (0.0, 0.72)
    """
    cumulated = np.cumsum(checked_counts(counts))
    n = len(cumulated)
    return 0.0 if n == 0 else max(0.0, float((n + 1 - 2 * (cumulated / cumulated[-1]).sum()) / n))


def top_share(counts: ArrayLike, *, share: float = _TOP) -> float:
    """Return which part of the accesses the most accessed ⌈share·n⌉ items take; 0 for none.

    >>> top_share([1] * 9 + [11])
    0.55
    """
    numbers = checked_counts(counts)
    return float(_top(numbers, share).sum() / numbers.sum()) if len(numbers) else 0.0


def sigma_top(counts: ArrayLike, *, share: float = _TOP) -> float:
    """Return σ_top10: the population standard deviation of ln(count) over the ⌈share·n⌉ largest.

    >>> sigma_top([7] * 40)
    0.0
    """
    numbers = checked_counts(counts)
    return float(np.log(_top(numbers, share)).std()) if len(numbers) else 0.0


def ccdf(counts: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the distinct counts x, ascending, and P(X ≥ x) of each.

    >>> [part.tolist() for part in ccdf([1, 1, 2, 4])]
    [[1.0, 2.0, 4.0], [1.0, 0.5, 0.25]]
    """
    numbers = checked_counts(counts)
    values, firsts = np.unique(numbers, return_index=True)
    return values, 1.0 - firsts / max(len(numbers), 1)


def lorenz(
    counts: ArrayLike, *, points: int = 200
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return shares of the items, the most accessed first, and the share of accesses they take.

    Args:
        counts: Accesses of each item, shape (n,).
        points: At most so many points after (0, 0).

    >>> [part.tolist() for part in lorenz([1, 3])]
    [[0.0, 0.5, 1.0], [0.0, 0.75, 1.0]]
    """
    numbers = checked_counts(counts)[::-1]
    n = len(numbers)
    if n == 0:
        return np.zeros(1), np.zeros(1)
    places = np.unique(np.linspace(1, n, min(n, points)).round().astype(np.int64))
    taken = np.cumsum(numbers)[places - 1] / numbers.sum()
    return np.concatenate(([0.0], places / n)), np.concatenate(([0.0], taken))


def concentration(counts: ArrayLike) -> Concentration:
    """Return all of these at once; zeros for no accesses.

    >>> concentration([1, 1, 1, 1, 1, 1, 1, 1, 1, 11]).max_over_median
    11.0
    """
    numbers = checked_counts(counts)
    spread = float(numbers.std()) if len(numbers) else 0.0
    return Concentration(
        n_items=len(numbers),
        n_accesses=int(numbers.sum()),
        gini=gini(numbers),
        top_share=top_share(numbers),
        sigma_top=sigma_top(numbers),
        max_over_median=float(numbers[-1] / np.median(numbers)) if len(numbers) else 0.0,
        skew=float((((numbers - numbers.mean()) / spread) ** 3).mean()) if spread else 0.0,
    )


def _top(ascending: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    # Rounded first: .1 · 30 is above 3 in floating point.
    n_top = int(np.ceil(np.round(share * len(ascending), 9)))
    return ascending[len(ascending) - n_top :]
