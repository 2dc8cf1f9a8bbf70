"""Samples of counts side by side, so that one operation serves them all.

Small counts are shared by many items, and all samples have nearly the same ones: these are counted.
Large counts are an item's own, and are kept one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.stats.tails.histogram import Histogram
from stepwell.stats.tails.zeta import FAR

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FINE", "Samples", "first_large", "samples_of"]

FINE: Final = 500
"""Counts from here on are always large; beyond, x_min is sought in steps of 1/500 of it."""

_CELL: Final = 5
"""What it costs to count one value more, in items kept one by one."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Samples:
    """Several samples of counts.

    Attributes:
        low: The smallest count that any may have.
        start: Counts from here on are large; at least 64.
        sizes: Items with each count from `low` to before `start`, shape (n, start - low).
        far: The large counts of each, ascending, after as many ones as make rows equally long,
            shape (n, m).
        n_far: How many large counts each has, shape (n,).
    """

    low: int
    start: int
    sizes: NDArray[np.int64]
    far: NDArray[np.float64]
    n_far: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def near(self) -> NDArray[np.float64]:
        """The counts that are counted, shape (start - low,)."""
        return np.arange(self.low, self.start, dtype=np.float64)

    @property
    def most(self) -> int:
        """The number of large counts that the sample with the most has, m."""
        return int(self.far.shape[1])

    def histogram(self, place: int) -> Histogram:
        """Return one of the samples."""
        far = self.far[place, self.most - int(self.n_far[place]) :]
        beyond, sizes = np.unique(far, return_counts=True)
        is_there = self.sizes[place] > 0
        return Histogram(
            values=np.concatenate((self.near[is_there], beyond)),
            sizes=np.concatenate((self.sizes[place][is_there], sizes)),
        )


def samples_of(data: Histogram) -> Samples:
    """Return counts as a single sample; there is at least one."""
    low = int(data.values[0])
    numbers = np.arange(FAR, FINE + 1)
    above = np.append(np.cumsum(data.sizes[::-1])[::-1], 0)
    start = first_large(low, above[np.searchsorted(data.values, numbers)])
    near, far = np.searchsorted(data.values, start), data.tail(start).items()
    sizes = np.zeros((1, start - low), dtype=np.int64)
    sizes[0, (data.values[:near] - low).astype(np.int64)] = data.sizes[:near]
    return Samples(low=low, start=start, sizes=sizes, far=far[None], n_far=np.array([len(far)]))


def first_large(low: int, beyond: NDArray[np.float64] | NDArray[np.int64]) -> int:
    """Return where large counts begin, given the items from 64, 65, … on: where it costs least."""
    return max(low, FAR + int(np.argmin(beyond + _CELL * np.arange(len(beyond)))))
