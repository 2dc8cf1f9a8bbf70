"""Laws that compete for the upper part of counts, each of maximum likelihood, and their comparison.

All live on the whole numbers from x_min on:

    power law              p(x) = x^-α / ζ(α, x_min)
    truncated power law    p(x) ∝ x^-α e^(-λx),  α, λ ≥ 0
    log-normal             p(x) ∝ Φ((ln(x+½)-μ)/σ) - Φ((ln(x-½)-μ)/σ)
    exponential            p(x) = (1 - e^-λ) e^(-λ(x-x_min))

The second and third are exponential families but for the width of the log-normal's cells: their
density is exp(θ·T), with T = (-ln x, -x) and T = (ln x, -(ln x)²). So the gradient and the
curvature of the likelihood are means and covariances of T, and Newton's method finds the maximum.
In θ = (μ/σ², 1/2σ²), the log-normal whose tail is straight, a power law, is a corner (θ₂ = 0) and
not at infinity, as it is in μ and σ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np

from stepwell.stats.tails.quadrature import integral, panels, sum_to_infinity
from stepwell.stats.tails.zeta import log_zeta

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from stepwell.stats.tails.histogram import Histogram

__all__ = [
    "Comparison",
    "Law",
    "TailModel",
    "compare",
    "exponential",
    "log_normal",
    "power_law",
    "survival",
    "truncated_power_law",
]

Name: TypeAlias = Literal["power law", "truncated power law", "log-normal", "exponential"]
Array: TypeAlias = "NDArray[np.float64]"
Likelihood: TypeAlias = "Callable[[Array], tuple[float, Array, Array]]"

_NEGLIGIBLE: Final = 45.0
"""Nats below its largest from which a density is taken as nothing: 3e-20."""

_LONGEST: Final = 1e-9
"""Smallest λ, per mean count: a cut so far out that it is none."""

_MOST_RATE: Final = 50.0
_FINITE_MEAN: Final = 2.0
"""α above which a power law has a mean."""

_LEAST_BEND: Final = 1e-7
_MOST_BEND: Final = 50.0
"""θ₂ of a log-normal: σ from .1 to 2,236."""

_MOST_SLOPE: Final = 1e3

_FINE: Final = 4
"""Cells of counts below this are wide on a logarithmic scale, and cut in as many panels."""

_ITERATIONS: Final = 100
_GAIN: Final = 1e-12
"""Of the likelihood per item, below which a maximum is found."""

_SMALLEST_STEP: Final = 1e-9

_SMALLEST_CURVE: Final = 1e-12

_SAME: Final = 1e-9
"""Laws that differ by less are told apart by rounding alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """A law with the parameters that fit a tail best.

    Attributes:
        name: Which.
        parameters: `alpha` (α), `rate` (λ), `mu` and `sigma`, those that it has.
        log_likelihood: Of the whole tail.
    """

    name: Name
    parameters: dict[str, float]
    log_likelihood: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TailModel:
    """A law fitted to a tail.

    Attributes:
        law: The law.
        log_p: ln p of each distinct count of the tail, shape (v,).
    """

    law: Law
    log_p: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two laws on the same tail, by their likelihoods.

    Attributes:
        first: The one.
        second: The other.
        ratio: R = Σ(ln p₁ - ln p₂), above 0 where the first is likelier.
        z: R / (s√n), with s the standard deviation of the terms (Vuong, 1989); 0 where the two
            agree everywhere.
        p: Probability of so large a |R| if both were as far from the truth; of nested laws, that of
            so large an R if the smaller one were true.
    """

    first: Name
    second: Name
    ratio: float
    z: float
    p: float


def power_law(tail: Histogram, *, x_min: float, alpha: float) -> TailModel:
    """Return the power law with a given α."""
    log_p = -alpha * np.log(tail.values) - log_zeta(alpha, x_min)
    return _model("power law", tail, log_p, alpha=alpha)


def exponential(tail: Histogram, *, x_min: float) -> TailModel:
    """Return the exponential: λ = ln(1 + 1/(mean - x_min))."""
    excess = float(tail.sizes @ (tail.values - x_min)) / tail.n
    rate = math.log1p(1 / excess) if excess > 0 else _MOST_RATE
    log_p = math.log(-math.expm1(-rate)) - rate * (tail.values - x_min)
    return _model("exponential", tail, log_p, rate=rate)


def truncated_power_law(tail: Histogram, *, x_min: float, alpha: float) -> TailModel:
    """Return the truncated power law, given the α of the power law.

    The likelihood is concave in (α, λ), so that its gradient at the best exponential (α = 0) and at
    the best power law (λ = 0) tells whether the maximum is there, or between them. The sum that
    makes the law one is taken over whole numbers first, and then as an integral.
    """
    logs, mean = np.log(tail.values), float(tail.sizes @ tail.values) / tail.n
    wanted = np.array([-float(tail.sizes @ logs) / tail.n, -mean])

    def measured(theta: Array) -> tuple[float, Array, Array]:
        places, weights = sum_to_infinity(x_min, reach=x_min + 1.5 * _NEGLIGIBLE / theta[1])
        whole, middle, spread = _moments(np.stack((-np.log(places), -places)), weights, theta)
        return float(wanted @ theta) - whole, wanted - middle, spread

    rate = exponential(tail, x_min=x_min).law.parameters["rate"]
    # A steep power law has a mean, ζ(α-1, x_min) / ζ(α, x_min).
    is_steep = alpha > _FINITE_MEAN
    if is_steep and log_zeta(alpha - 1, x_min) - log_zeta(alpha, x_min) <= math.log(mean):
        theta, log_p = np.array([alpha, 0.0]), power_law(tail, x_min=x_min, alpha=alpha).log_p
    elif measured(np.array([0.0, rate]))[1][0] <= 0:
        theta, log_p = np.array([0.0, rate]), exponential(tail, x_min=x_min).log_p
    else:
        theta = _maximum(
            measured,
            np.array([alpha, rate]) / 2,
            low=np.array([0.0, _LONGEST / mean]),
            high=np.array([_MOST_RATE, _MOST_RATE]),
        )
        whole = float(wanted @ theta) - measured(theta)[0]
        log_p = -theta[0] * logs - theta[1] * tail.values - whole
    return _model("truncated power law", tail, log_p, alpha=float(theta[0]), rate=float(theta[1]))


def log_normal(tail: Histogram, *, x_min: float) -> TailModel:
    """Return the log-normal on whole numbers, by rounding."""
    cells = _Cells.of(tail.values)
    shares, start = tail.sizes / tail.n, math.log(x_min - 0.5)
    logs = np.log(tail.values)
    middle = float(shares @ logs)

    def measured(theta: Array) -> tuple[float, Array, Array]:
        places, weights = integral(*_window(theta, start))
        whole, mean, spread = _moments(np.stack((places, -(places**2))), weights, theta)
        each, means, spreads = cells.moments(theta)
        return (
            float(shares @ each) - whole,
            shares @ means - mean,
            spread - np.tensordot(shares, spreads, axes=1),
        )

    bend = 0.5 / max(float(shares @ (logs - middle) ** 2), 1e-2)
    theta = _maximum(
        measured,
        np.array([2 * bend * middle, bend]),
        low=np.array([-_MOST_SLOPE, _LEAST_BEND]),
        high=np.array([_MOST_SLOPE, _MOST_BEND]),
    )
    places, weights = integral(*_window(theta, start))
    whole, _, _ = _moments(np.stack((places, -(places**2))), weights, theta)
    parameters = {"mu": float(theta[0] / (2 * theta[1])), "sigma": float((2 * theta[1]) ** -0.5)}
    return _model("log-normal", tail, cells.moments(theta)[0] - whole, **parameters)


def compare(
    tail: Histogram, first: TailModel, second: TailModel, *, is_nested: bool = False
) -> Comparison:
    """Compare two laws by their likelihoods (Vuong, 1989; Clauset et al., 2009, §5.1).

    Args:
        tail: What both were fitted to.
        first: One law.
        second: The other.
        is_nested: Whether the second is a special case of the first: then p is that of 2R under χ²
            with one degree of freedom.
    """
    differences = first.log_p - second.log_p
    ratio = float(tail.sizes @ differences)
    spread = math.sqrt(float(tail.sizes @ (differences - ratio / tail.n) ** 2) / tail.n)
    z = 0.0 if spread < _SAME else ratio / (spread * math.sqrt(tail.n))
    p = math.erfc(math.sqrt(max(ratio, 0.0))) if is_nested else math.erfc(abs(z) / math.sqrt(2))
    return Comparison(first=first.law.name, second=second.law.name, ratio=ratio, z=z, p=p)


def survival(law: Law, values: Array, *, x_min: float) -> Array:
    """Return P(X ≥ x) under a law on the whole numbers from x_min on.

    Args:
        law: The law.
        values: Whole numbers x from x_min on, shape (v,).
        x_min: Where it begins.

    >>> law = Law(name="exponential", parameters={"rate": np.log(2)}, log_likelihood=0.0)
    >>> survival(law, np.array([1.0, 2.0, 3.0]), x_min=1).round(9).tolist()
    [1.0, 0.5, 0.25]
    """
    masses = np.array([_log_mass(law, float(value)) for value in values])
    return np.asarray(np.exp(masses - _log_mass(law, x_min)), dtype=np.float64)


def _log_mass(law: Law, start: float) -> float:
    """Return ln of what a law holds from a number on, but for a constant."""
    known = law.parameters
    if law.name == "exponential":
        return -known["rate"] * start
    if law.name == "log-normal":
        theta = np.array([known["mu"], 0.5]) / known["sigma"] ** 2
        places, weights = integral(*_window(theta, math.log(start - 0.5)))
        return _moments(np.stack((places, -(places**2))), weights, theta)[0]
    rate = known.get("rate", 0.0)
    if rate == 0:
        return float(log_zeta(known["alpha"], start))
    theta = np.array([known["alpha"], rate])
    places, weights = sum_to_infinity(start, reach=start + 1.5 * _NEGLIGIBLE / rate)
    return _moments(np.stack((-np.log(places), -places)), weights, theta)[0]


def _model(name: Name, tail: Histogram, log_p: Array, **parameters: float) -> TailModel:
    law = Law(name=name, parameters=parameters, log_likelihood=float(tail.sizes @ log_p))
    return TailModel(law=law, log_p=log_p)


def _moments(statistics: Array, weights: Array, theta: Array) -> tuple[float, Array, Array]:
    """Return ln Σ w e^(θ·T), and the mean and covariance of T under it."""
    exponents = theta @ statistics
    top = float(exponents.max())
    masses = weights * np.exp(exponents - top)
    total = float(masses.sum())
    shares = masses / total
    mean = statistics @ shares
    centred = statistics - mean[:, None]
    return top + math.log(total), mean, (centred * shares) @ centred.T


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Cells:
    """Places within [ln(x-½), ln(x+½)] of each count, in order.

    Attributes:
        statistics: T at each place, shape (2, k).
        weights: Shape (k,).
        owners: The count of each place, shape (k,).
        firsts: The first place of each count, shape (v,).
    """

    statistics: Array
    weights: Array
    owners: NDArray[np.int64]
    firsts: NDArray[np.int64]

    @classmethod
    def of(cls, values: Array) -> _Cells:
        cut = np.where(values < _FINE, _FINE, 1)
        counts = np.repeat(np.arange(len(values)), cut)
        part = np.arange(len(counts)) - np.repeat(np.cumsum(cut) - cut, cut)
        low, wide = np.log(values - 0.5), np.log1p(1 / (values - 0.5)) / cut
        edges = low[counts] + part * wide[counts]
        places, weights = panels(edges, wide[counts])
        each = len(places) // len(counts)
        owners = np.repeat(counts, each)
        return cls(
            statistics=np.stack((places, -(places**2))),
            weights=weights,
            owners=owners,
            firsts=np.searchsorted(owners, np.arange(len(values))),
        )

    def moments(self, theta: Array) -> tuple[Array, Array, Array]:
        """Return ln of the mass, the mean and the covariance of T, for each count.

        Shapes (v,), (v, 2) and (v, 2, 2).
        """
        exponents = theta @ self.statistics
        tops = np.maximum.reduceat(exponents, self.firsts)
        masses = self.weights * np.exp(exponents - tops[self.owners])
        totals = np.add.reduceat(masses, self.firsts)
        shares = masses / totals[self.owners]
        means = np.add.reduceat(shares * self.statistics, self.firsts, axis=1)
        centred = self.statistics - means[:, self.owners]
        products = shares * centred[:, None] * centred[None]
        spreads = np.add.reduceat(products, self.firsts, axis=2)
        return tops + np.log(totals), means.T, spreads.transpose(2, 0, 1)


def _window(theta: Array, start: float) -> tuple[float, float]:
    """Return where exp(θ₁y - θ₂y²) on y ≥ start is more than negligible beside its largest."""
    slope, bend = float(theta[0]), float(theta[1])
    mode = max(start, slope / (2 * bend))
    fall = max(0.0, 2 * bend * mode - slope)
    width = 2 * _NEGLIGIBLE / (fall + math.sqrt(fall**2 + 4 * _NEGLIGIBLE * bend))
    return max(start, mode - math.sqrt(_NEGLIGIBLE / bend)), mode + width


def _maximum(likelihood: Likelihood, start: Array, *, low: Array, high: Array) -> Array:
    """Return where a concave function of two parameters within bounds is largest.

    Newton's method, halved until it gains; a parameter whose bound holds it back stays there.

    Args:
        likelihood: Value, gradient and minus the matrix of second derivatives at a place.
        start: Where to begin, shape (2,).
        low: Lower bounds.
        high: Upper bounds.
    """
    here = np.clip(start, low, high)
    value, slope, curve = likelihood(here)
    for _ in range(_ITERATIONS):
        step = _newton_step(slope, curve, is_low=here <= 2 * low, is_high=here >= high)
        # Down to nine tenths of the way to a bound: the scale of a rate is unknown.
        falls = step < 0
        limit = float((0.9 * (here - low)[falls] / -step[falls]).min(initial=1.0))
        length, gain = min(1.0, limit), 0.0
        while length > _SMALLEST_STEP:
            there = np.minimum(here + length * step, high)
            found = likelihood(there)
            gain = found[0] - value
            if gain >= 0:
                here, (value, slope, curve) = there, found
                break
            length /= 2
        if gain < _GAIN:
            break
    return here


def _newton_step(
    slope: Array, curve: Array, *, is_low: NDArray[np.bool_], is_high: NDArray[np.bool_]
) -> Array:
    """Return Newton's step; a parameter at its bound, and led beyond it, is held there."""
    widths = np.abs(np.diag(curve))
    alone = slope / np.maximum(widths, _SMALLEST_CURVE)
    # A little is added to the diagonal: of cells that are wide, the curvature need not be positive.
    ridge = curve + np.diag(widths) * _SMALLEST_STEP
    is_convex = bool(np.linalg.det(ridge) > 0 and ridge[0, 0] > 0)
    step = np.linalg.solve(ridge, slope) if is_convex else alone
    is_held = (is_low & (step < 0)) | (is_high & (step > 0))
    return np.where(is_held, 0.0, alone if is_held.any() else step)
