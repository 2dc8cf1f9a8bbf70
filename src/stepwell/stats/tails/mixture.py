"""What a bootstrap draws from: counts as observed below x_min, and from there on a power law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.stats.tails.histogram import Histogram
from stepwell.stats.tails.samples import FINE, Samples, first_large
from stepwell.stats.tails.zeta import FAR, log_zeta

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Mixture"]

_LARGEST: Final = 2.0**53
"""Above this, whole numbers are not told apart any more."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mixture:
    """Counts as observed below x_min, and from there on a power law: what a bootstrap draws from.

    Attributes:
        n: Items of a sample.
        low: The smallest count.
        start: Counts from here on are large.
        weights: Probabilities of each count before `start`, of a large one that is observed, and of
            a large one under the law, shape (start - low + 2,).
        observed: The large counts below x_min of all items, shape (k,).
        alpha: α of the law.
        beyond: The smallest large count under the law.
    """

    n: int
    low: int
    start: int
    weights: NDArray[np.float64]
    observed: NDArray[np.float64]
    alpha: float
    beyond: int

    @classmethod
    def of(cls, data: Histogram, *, alpha: float, x_min: int) -> Mixture:
        """Return it for a law fitted to counts (Clauset et al., 2009, §4.1).

        With probability n_tail/n an item is from the law, else one of those below x_min.

        Args:
            data: The counts.
            alpha: α.
            x_min: Where its tail begins.
        """
        end = int(np.searchsorted(data.values, x_min))
        body = Histogram(values=data.values[:end], sizes=data.sizes[:end])
        whole, n_tail = log_zeta(alpha, x_min), data.n - body.n
        low = min(int(data.values[0]), x_min)
        numbers = np.arange(FAR, FINE + 1)
        below = np.append(0, np.cumsum(body.sizes))[np.searchsorted(body.values, numbers)]
        beyond = np.exp(log_zeta(alpha, np.maximum(numbers, x_min)) - whole)
        start = first_large(low, body.n - below + n_tail * beyond)
        near = int(np.searchsorted(body.values, start))
        cells, large = np.arange(x_min, start), max(start, x_min)
        weights = np.zeros(start - low + 2)
        weights[(body.values[:near] - low).astype(np.int64)] = body.sizes[:near]
        weights[cells - low] = n_tail * np.exp(-alpha * np.log(cells) - whole)
        weights[-2] = body.sizes[near:].sum()
        weights[-1] = n_tail * np.exp(log_zeta(alpha, large) - whole)
        return cls(
            n=data.n,
            low=low,
            start=start,
            weights=weights / max(1.0, weights.sum()),
            observed=body.tail(start).items(),
            alpha=alpha,
            beyond=large,
        )

    @property
    def width(self) -> float:
        """What a sample takes to hold, in numbers."""
        return len(self.weights) + self.n * float(self.weights[-2:].sum())

    def draw(self, n: int, *, rng: np.random.Generator) -> Samples:
        """Draw n samples."""
        sizes = rng.multinomial(self.n, self.weights, size=n)
        n_observed, n_law = sizes[:, -2:-1], sizes[:, -1:]
        most = int((n_observed + n_law).max(initial=0))
        ranks = np.arange(most, 0, -1)
        far = self._far((n, most), rng=rng)
        if len(self.observed):
            chosen = rng.choice(self.observed, size=far.shape)
            far = np.where(ranks <= n_law, far, chosen)
        far[ranks > n_observed + n_law] = 1.0
        far.sort(axis=1)
        return Samples(
            low=self.low,
            start=self.start,
            sizes=sizes[:, :-2],
            far=far,
            n_far=(n_observed + n_law)[:, 0],
        )

    def _far(self, shape: tuple[int, int], *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw large counts from the law: S(x) = ζ(α, x)/ζ(α, beyond) is inverted.

        By the midpoint formula, which is Clauset et al., eq. D.6, with one term more.
        """
        first = self.beyond - 0.5
        growth = rng.standard_exponential(shape)
        growth /= self.alpha - 1
        middles = first * np.exp(np.minimum(growth, np.log(_LARGEST)))
        middles += self.alpha / 24 * (middles / first**2 - 1 / middles)
        return np.minimum(np.floor(middles + 0.5), _LARGEST)
