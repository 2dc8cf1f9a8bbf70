"""Discrete power laws fitted to counts, as Clauset, Shalizi and Newman (2009) do.

From x_min on, p(x) = x^-α / ζ(α, x_min). For each x_min that could be, α is the one of maximum
likelihood; x_min is the one with the smallest Kolmogorov-Smirnov distance

    D = max_{x ≥ x_min} |S(x) - ζ(α, x)/ζ(α, x_min)|

between the observed share of counts from x on, S(x), and the law's. How good the fit is, a
semi-parametric bootstrap tells: counts are drawn from the observed ones below x_min and from the
law above, and fitted in the same way; p is the share of draws that are as far from their own fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.errors import InvalidInputError
from stepwell.stats.concentration import checked_counts
from stepwell.stats.zeta import BASE, log_zeta, series_factors, zeta_derivatives

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Histogram",
    "PowerLaw",
    "best_alpha",
    "bootstrap_distances",
    "draw_power_law",
    "fit_power_law",
    "histogram",
]

_LEAST_ALPHA: Final = 1.001
_MOST_ALPHA: Final = 30.0
"""Steeper than this, all counts of a tail are alike."""

_LEAST_TAIL: Final = 50
"""Counts that a tail has at least, or a tenth of all where that is fewer: a shorter one fits any
law, and would be chosen for that."""

_MOST_CANDIDATES: Final = 256
"""Values of x_min that are tried: all up to here, else as many at equal ratios."""

_PAIRS: Final = 1 << 21
"""Candidates times distinct counts held at once: 16 MB for each of a few temporaries."""

_ITERATIONS: Final = 50
_PRECISION: Final = 1e-4
"""Of a step of Newton's, whose error is about its square."""

_AT_ONCE: Final = 64
"""Draws of the bootstrap whose exponents are searched together."""

_DENSE: Final = 256
"""Values from x_min on whose counts are drawn together; what lies beyond is drawn one by one."""


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


def histogram(counts: ArrayLike) -> Histogram:
    """Return counts grouped, zeros left out.

    Raises:
        InvalidInputError: They are no whole numbers from 0 on.

    >>> histogram([0, 3, 1, 1]).values.tolist()
    [1.0, 3.0]
    """
    values, sizes = np.unique(checked_counts(counts), return_counts=True)
    return Histogram(values=values, sizes=sizes.astype(np.int64))


def fit_power_law(data: Histogram, *, x_min: int | None = None) -> PowerLaw | None:
    """Return the power law that fits best; None where no part of the counts could be one.

    A tail has two distinct counts at least, and 50 items (a tenth, with fewer than 500).

    Args:
        data: The counts.
        x_min: Where the tail begins; found by distance if None.
    """
    return _fitted([_Tails.of(data, x_min=x_min)])[0]


def best_alpha(means: NDArray[np.float64], starts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the exponents of maximum likelihood: -ζ'(α, x_min)/ζ(α, x_min) = mean of ln x.

    The likelihood is concave, and Newton's steps are taken in ln(α - 1), from the approximation of
    Clauset et al., eq. 3.7. Exponents are kept between 1.001 and 30.

    Args:
        means: Mean of ln x over each tail, shape (c,).
        starts: Its x_min, shape (c,).

    >>> best_alpha(np.array([0.5]), np.array([1.0])).round(2).tolist()
    [2.09]
    """
    return _exponents(means, starts)[0]


def _exponents(
    means: NDArray[np.float64], starts: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return exponents, and the standard error each would have from a single item."""
    excess = np.maximum(means - np.log(starts - 0.5), 1 / _MOST_ALPHA)
    low, high = np.log(_LEAST_ALPHA - 1), np.log(_MOST_ALPHA - 1)
    steepness = np.clip(-np.log(excess), low, high)
    curve = np.ones_like(excess)
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
    return np.asarray(1 + np.exp(steepness), dtype=np.float64), np.asarray(curve**-0.5)


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
    cells, shares = _law(alpha, x_min)
    drawn = rng.multinomial(n, shares)
    return _joined(cells, drawn[:-1], _beyond(int(drawn[-1]), alpha, x_min + _DENSE, rng=rng))


def bootstrap_distances(
    data: Histogram,
    fit: PowerLaw,
    *,
    rng: np.random.Generator,
    n: int = 1000,
    progress: Callable[[], None] | None = None,
) -> NDArray[np.float64]:
    """Return the distances of n draws from their own fits; p is the share at or above the data's.

    With probability n_tail/n an item is drawn from the fitted law, else from the observed counts
    below x_min (Clauset et al., §4.1). x_min is found anew for each draw.

    Args:
        data: The counts.
        fit: The law fitted to them.
        rng: Where draws come from.
        n: How many.
        progress: Called after each.

    Returns:
        Distances, shape (n,).
    """
    body = int(np.searchsorted(data.values, fit.x_min))
    cells, shares = _law(fit.alpha, fit.x_min)
    values = np.concatenate((data.values[:body], cells))
    weights = np.concatenate((data.sizes[:body].astype(np.float64), shares * fit.n_tail))
    weights /= weights.sum()
    found = np.zeros(n)
    for start in range(0, n, _AT_ONCE):
        drawn = rng.multinomial(data.n, weights, size=min(_AT_ONCE, n - start))
        draws: list[_Tails] = []
        for sizes in drawn:
            far = _beyond(int(sizes[-1]), fit.alpha, fit.x_min + _DENSE, rng=rng)
            draws.append(_Tails.of(_joined(values, sizes[:-1], far)))
        for place, refit in enumerate(_fitted(draws, progress=progress), start):
            # A draw without any tail is as near to a law as can be.
            found[place] = 0.0 if refit is None else refit.distance
    return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Tails:
    """The tails that counts could have, one for each x_min that is tried.

    Attributes:
        values: Distinct counts, shape (v,).
        logs: Their logarithms.
        above: Items at or above each.
        firsts: Place of the first count of each tail, shape (c,).
        starts: x_min of each.
        means: Mean of ln x over each.
    """

    values: NDArray[np.float64]
    logs: NDArray[np.float64]
    above: NDArray[np.int64]
    firsts: NDArray[np.int64]
    starts: NDArray[np.float64]
    means: NDArray[np.float64]

    @classmethod
    def of(cls, data: Histogram, *, x_min: int | None = None) -> _Tails:
        if x_min is not None:
            data = _from(data, float(x_min))
        above, logs = np.cumsum(data.sizes[::-1])[::-1], np.log(data.values)
        sums = np.cumsum((data.sizes * logs)[::-1])[::-1]
        places = _candidates(data, above) if x_min is None else np.arange(len(above) > 1)
        return cls(
            values=data.values,
            logs=logs,
            above=above,
            firsts=places,
            starts=data.values[places],
            means=sums[places] / above[places],
        )


def _from(data: Histogram, x_min: float) -> Histogram:
    """Return the tail from x_min on, which is its first value even where no item has it."""
    tail = data.tail(x_min)
    if tail.n == 0 or tail.values[0] == x_min:
        return tail
    return Histogram(
        values=np.concatenate(([x_min], tail.values)), sizes=np.concatenate(([0], tail.sizes))
    )


def _fitted(
    data: Sequence[_Tails], *, progress: Callable[[], None] | None = None
) -> list[PowerLaw | None]:
    """Return the best law of each; the exponents of all their tails are searched together."""
    means, starts = (np.concatenate([getattr(o, n) for o in data]) for n in ("means", "starts"))
    alphas, errors = _exponents(means, starts)
    ends = np.cumsum([len(one.starts) for one in data]).tolist()
    found: list[PowerLaw | None] = []
    for one, end in zip(data, ends, strict=True):
        first = end - len(one.starts)
        found.append(_nearest(one, alphas[first:end], errors[first:end]) if end > first else None)
        if progress is not None:
            progress()
    return found


def _nearest(tails: _Tails, alphas: NDArray[np.float64], errors: NDArray[np.float64]) -> PowerLaw:
    distances = _distances(tails, alphas)
    best = int(np.argmin(distances))
    n_tail = int(tails.above[tails.firsts[best]])
    return PowerLaw(
        alpha=float(alphas[best]),
        error=float(errors[best]) / n_tail**0.5,
        x_min=int(tails.starts[best]),
        n_tail=n_tail,
        distance=float(distances[best]),
    )


def _candidates(data: Histogram, tails: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the places of the distinct counts at which a tail may begin."""
    if data.n == 0:
        return np.empty(0, dtype=np.int64)
    least = min(_LEAST_TAIL, max(2, data.n // 10))
    n_long = int(np.searchsorted(-tails, -least, side="right"))
    n_possible = min(n_long, len(data.values) - 1)
    most = max(16, min(_MOST_CANDIDATES, _PAIRS // max(1, len(data.values))))
    if n_possible <= most:
        return np.arange(n_possible)
    low, high = (float(data.values[place]) for place in (0, n_possible - 1))
    ratios = low * (high / low) ** np.linspace(0, 1, most)
    return np.unique(np.minimum(np.searchsorted(data.values, ratios), n_possible - 1))


def _distances(tails: _Tails, alphas: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return D of each tail: at each observed count, and right after it.

    Between two observed counts the observed share stays what it is, and the law's falls.
    """
    # Relative to the tail's first count: of itself, a power may be too small for a number.
    beyond = np.maximum(tails.logs - tails.logs[tails.firsts][:, None], 0.0)
    powers = np.exp(-alphas[:, None] * beyond)
    at, after = _law_sums(tails.values, alphas)
    rows = np.arange(len(alphas))
    powers /= at[rows, tails.firsts][:, None]
    at *= powers
    after *= powers
    observed = tails.above / tails.above[tails.firsts][:, None]
    at -= observed
    after[:, :-1] -= observed[:, 1:]
    np.abs(at, out=at)
    np.maximum(at, np.abs(after, out=after), out=at)
    at *= np.arange(len(tails.values)) >= tails.firsts[:, None]
    return np.asarray(at.max(axis=1), dtype=np.float64)


def _law_sums(
    values: NDArray[np.float64], alphas: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return ζ(α, x)·x^α and ζ(α, x + 1)·x^α, for each α and each of the counts ascending.

    Below the base of the series the sums are made one by one, from the base downwards.
    """
    left, right = series_factors(alphas, np.maximum(np.append(values, BASE), BASE))
    at = left @ right
    base = at[:, -1:] * np.exp(-alphas[:, None] * np.log(BASE))
    at, right = at[:, :-1], right[:, :-1]
    left[:, 1] = -0.5
    after = left @ right
    n_small = int(np.searchsorted(values, BASE))
    if n_small:
        numbers = np.log(values[0] + np.arange(BASE - values[0], dtype=np.float64))
        each = np.exp(-alphas[:, None] * numbers)
        downwards = np.cumsum(each[:, ::-1], axis=1)[:, ::-1] + base
        columns = (values[:n_small] - values[0]).astype(np.int64)
        at[:, :n_small] = downwards[:, columns] / each[:, columns]
        after[:, :n_small] = at[:, :n_small] - 1
    return at, after


def _law(alpha: float, x_min: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the first counts of a law, and the probabilities of each and of all beyond."""
    cells = x_min + np.arange(_DENSE, dtype=np.float64)
    beyond, whole = log_zeta(alpha, x_min + _DENSE), log_zeta(alpha, x_min)
    shares = np.exp(np.append(-alpha * np.log(cells), beyond) - whole)
    return cells, shares / shares.sum()


def _beyond(n: int, alpha: float, start: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw counts of at least `start`, which is large.

    There, rounding a continuous law is right to the square of 1/start (Clauset et al., eq. D.6).
    """
    steps = (1 - rng.random(n)) ** (-1 / (alpha - 1))
    return np.minimum(np.floor((start - 0.5) * steps + 0.5), 2.0**53)


def _joined(
    values: NDArray[np.float64], sizes: NDArray[np.int64], far: NDArray[np.float64]
) -> Histogram:
    is_there = sizes > 0
    beyond, how_many = np.unique(far, return_counts=True)
    return Histogram(
        values=np.concatenate((values[is_there], beyond)),
        sizes=np.concatenate((sizes[is_there], how_many)),
    )
