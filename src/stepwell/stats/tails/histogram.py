"""Counts of accesses, grouped: many items have the same few counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.stats.tails.concentration import checked_counts

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Histogram", "histogram"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Histogram:
    """Counts of accesses, grouped.

    Attributes:
        values: Distinct counts, ascending, from 1; float64, shape (v,).
        sizes: How many items have each; int64, shape (v,).
    """

    values: NDArray[np.float64]
    sizes: NDArray[np.int64]

    @property
    def n(self) -> int:
        """How many items."""
        return int(self.sizes.sum())

    def tail(self, x_min: float) -> Histogram:
        """Return the part from x_min on."""
        first = int(np.searchsorted(self.values, x_min))
        return Histogram(values=self.values[first:], sizes=self.sizes[first:])

    def items(self) -> NDArray[np.float64]:
        """Return the count of each item, ascending, shape (n,)."""
        return np.repeat(self.values, self.sizes)


def histogram(counts: ArrayLike) -> Histogram:
    """Return counts grouped, zeros left out.

    Raises:
        InvalidInputError: They are no whole numbers from 0 on.

    >>> histogram([0, 3, 1, 1]).values.tolist()
    [1.0, 3.0]
    """
    values, sizes = np.unique(checked_counts(counts), return_counts=True)
    return Histogram(values=values, sizes=sizes.astype(np.int64))
