"""Samples of counts, summed from the largest count downwards: a tail is described by such sums."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stepwell.stats.tails.samples import Samples

__all__ = ["Sums"]

_LEAST: Final = 50
"""Items that a tail has at least, or a tenth of all where that is fewer: a shorter one fits any
law, and would be chosen for that."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sums:
    """Samples, summed from above.

    Attributes:
        samples: Them.
        above: Items at or above each small count, and each large one's number, shape (g + 1, n).
        spreads: ln(mean of ln x - ln x_min) of the tail from each small count on; NaN where none
            may begin, shape (g, n).
        logs: ln of each large count, shape (n, m).
        log_sums: Their sums from each on, shape (n, m).
        least: Items that a tail has at least.
    """

    samples: Samples
    above: NDArray[np.float64]
    spreads: NDArray[np.float64]
    logs: NDArray[np.float64]
    log_sums: NDArray[np.float64]
    least: int

    @classmethod
    def of(cls, samples: Samples) -> Sums:
        """Return the sums of samples."""
        sizes, logs = samples.sizes, np.log(samples.far)
        near = np.log(samples.near)
        log_sums = np.cumsum(logs[:, ::-1], axis=1)[:, ::-1]
        above = _summed(samples.n_far, sizes)
        sums = _summed(log_sums[:, :1].sum(axis=1), sizes * near)[:-1]
        least = min(_LEAST, max(2, int(above[0].max(initial=0)) // 10))
        n, beyond = above[:-1], above[1:]
        is_tail = (n > beyond) & (n >= least) & (beyond > 0)
        spreads = np.full(sums.shape, np.nan)
        np.divide(sums, n, out=spreads, where=is_tail)
        # Above 0 but for rounding, as some item of the tail is above x_min.
        np.maximum(spreads - near[:, None], np.finfo(np.float64).tiny, out=spreads)
        np.log(spreads, out=spreads, where=is_tail)
        return cls(
            samples=samples,
            above=above,
            spreads=spreads,
            logs=logs,
            log_sums=log_sums,
            least=least,
        )


def _summed(
    last: NDArray[np.float64] | NDArray[np.int64], terms: NDArray[np.float64] | NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return sums from each of g terms on, and the last alone, shape (g + 1, n)."""
    both = np.concatenate((last[:, None], terms[:, ::-1]), axis=1, dtype=np.float64)
    return np.ascontiguousarray(np.cumsum(both, axis=1)[:, ::-1].T)
