"""Discrete power laws fitted to counts, as Clauset, Shalizi and Newman (2009) do.

From x_min on, p(x) = x^-α / ζ(α, x_min). α is the one of maximum likelihood (`exponents`), and the
tail begins where it is nearest to its law (`nearest`). How good the fit is, a semi-parametric
bootstrap tells: counts are drawn from the observed ones below x_min and from the law above, and
fitted in the same way; p is the share of draws that are as far from their own fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.errors import InvalidInputError
from stepwell.stats.tails.exponents import best_alpha
from stepwell.stats.tails.histogram import Histogram
from stepwell.stats.tails.mixture import Mixture
from stepwell.stats.tails.nearest import nearest_tails
from stepwell.stats.tails.samples import samples_of
from stepwell.stats.tails.zeta import log_zeta, zeta_derivatives

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from stepwell.stats.tails.samples import Samples

__all__ = ["PowerLaw", "bootstrap_distances", "bootstrap_draws", "draw_power_law", "fit_power_law"]

_AT_ONCE: Final = 256
"""Draws worked on together: what is held of them fits a processor's cache."""

_SHARING: Final = 4
"""Times as many for which functions of α are computed once."""

_MOST: Final = 1 << 21
"""Counts held of all of these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerLaw:
    """A power law fitted to the upper part of counts.

    Attributes:
        alpha: α.
        error: Its standard error, 1/√(n·(ln ζ)''(α)), with x_min taken as known.
        x_min: Where the tail begins.
        n_tail: Items in it.
        distance: D.
    """

    alpha: float
    error: float
    x_min: int
    n_tail: int
    distance: float


def fit_power_law(data: Histogram, *, x_min: int | None = None) -> PowerLaw | None:
    """Return the power law that fits best; None where no part of the counts could be one.

    A tail has two distinct counts at least, and 50 items (a tenth, with fewer than 500).

    Args:
        data: The counts.
        x_min: Where the tail begins; found by distance if None.
    """
    if x_min is None:
        x_min = int(nearest_tails([samples_of(data)])[0][0][0]) if data.n else 0
    tail = data.tail(x_min)
    if x_min == 0 or tail.n == 0 or tail.values[-1] == x_min:
        return None
    logs = np.log(tail.values)
    mean = np.array([float(tail.sizes @ logs) / tail.n])
    (alpha,) = best_alpha(mean, np.array([float(x_min)]))
    value, slope, bend = zeta_derivatives(alpha, x_min)
    return PowerLaw(
        alpha=float(alpha),
        error=float((tail.n * (bend / value - (slope / value) ** 2)) ** -0.5),
        x_min=x_min,
        n_tail=tail.n,
        distance=_distance(tail, alpha=float(alpha), x_min=x_min),
    )


def _distance(tail: Histogram, *, alpha: float, x_min: int) -> float:
    """Return D of a tail: at each observed count, and right after it.

    Between two observed counts the observed share stays what it is, and the law's falls.
    """
    above = np.append(np.cumsum(tail.sizes[::-1])[::-1], 0) / tail.n
    whole = log_zeta(alpha, x_min)
    at, after = (np.exp(log_zeta(alpha, tail.values + more) - whole) for more in (0, 1))
    return float(max(np.abs(at - above[:-1]).max(), np.abs(after - above[1:]).max()))


def draw_power_law(n: int, *, alpha: float, x_min: int = 1, rng: np.random.Generator) -> Histogram:
    """Draw from a discrete power law.

    Args:
        n: How many items.
        alpha: α, above 1.
        x_min: The smallest count, from 1.
        rng: Where they are drawn from.

    Raises:
        InvalidInputError: There is no such law.

    >>> draw_power_law(1000, alpha=2.5, rng=np.random.default_rng(0)).n
    1000
    """
    if not alpha > 1 or x_min < 1 or n < 0:
        raise InvalidInputError(
            f"There is no power law with α={alpha}, x_min={x_min} and {n} items.",
            hint="α is above 1, and x_min at least 1.",
        )
    law = Histogram(values=np.array([float(x_min)]), sizes=np.array([n]))
    return Mixture.of(law, alpha=alpha, x_min=x_min).draw(1, rng=rng).histogram(0)


def bootstrap_draws(
    data: Histogram, fit: PowerLaw, *, rng: np.random.Generator, n: int = 1000
) -> Iterator[list[Samples]]:
    """Draw n samples: from the law fitted to counts, and below x_min from the counts themselves.

    With probability n_tail/n an item is of the law, else one of those below (Clauset et al., §4.1).

    Args:
        data: The counts.
        fit: The law fitted to them.
        rng: Where draws come from.
        n: How many.

    Yields:
        Some of them, in parts of up to 256.
    """
    mixture = Mixture.of(data, alpha=fit.alpha, x_min=fit.x_min)
    size = max(1, min(_AT_ONCE, int(_MOST / _SHARING / mixture.width)))
    for first in range(0, n, _SHARING * size):
        end = min(n, first + _SHARING * size)
        yield [mixture.draw(min(size, end - k), rng=rng) for k in range(first, end, size)]


def bootstrap_distances(
    data: Histogram,
    fit: PowerLaw,
    *,
    rng: np.random.Generator,
    n: int = 1000,
    progress: Callable[[], None] | None = None,
) -> NDArray[np.float64]:
    """Return the distances of n draws from their own fits; p is the share at or above the data's.

    x_min is found anew for each draw.

    Args:
        data: The counts.
        fit: The law fitted to them.
        rng: Where draws come from.
        n: How many.
        progress: Called after each.

    Returns:
        Distances, 0 for a draw without any tail, shape (n,).
    """
    found: list[NDArray[np.float64]] = [np.empty(0)]
    for parts in bootstrap_draws(data, fit, rng=rng, n=n):
        for _, distances in nearest_tails(parts):
            found.append(distances)
            if progress is not None:
                for _ in distances:
                    progress()
    return np.concatenate(found)
