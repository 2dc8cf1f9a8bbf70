"""The tail audit of CTMC: whether the use of a memory is heavy-tailed, from counts of accesses.

A tail passes the paper's screen if the power law's goodness of fit is p ≥ .10 and it holds at least
100 items. It is then called compatible with a truncated power law if that is likelier than a
log-normal, strongly so from z = 1.96. Here one thing more is asked for the word "heavy": that the
truncated power law, of which the exponential is a special case, is significantly likelier than it.
Else a tail of 100 items that falls off exponentially passes now and then. And "log-normal" is said
from z = -1.96: of true power laws, a third have a z just below 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.errors import InvalidInputError
from stepwell.stats.tails.concentration import Concentration, ccdf, checked_counts, concentration
from stepwell.stats.tails.histogram import histogram
from stepwell.stats.tails.powerlaw import bootstrap_distances, fit_power_law
from stepwell.stats.tails.tailmodels import (
    Comparison,
    Law,
    compare,
    exponential,
    log_normal,
    power_law,
    truncated_power_law,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from stepwell.stats.tails.histogram import Histogram
    from stepwell.stats.tails.powerlaw import PowerLaw

__all__ = [
    "LEAST_ITEMS",
    "LEAST_P",
    "LEAST_TAIL",
    "TailFit",
    "Tails",
    "Verdict",
    "audit_counts",
    "fit_tail",
]

LEAST_ITEMS: Final = 50
"""Accessed items below which no law is fitted."""

LEAST_TAIL: Final = 100
"""Items a tail needs to pass the screen."""

LEAST_P: Final = 0.10
"""Goodness of fit it needs."""

_ALIKE: Final = 1e-7
"""A draw that repeats the data differs from it in distance by less, by rounding."""

_STRONG: Final = 1.96
_SIGNIFICANT: Final = 0.05


class Verdict(StrEnum):
    """What kind of tail it is."""

    STRONG = "heavy-tailed"
    HEAVY = "heavy-tailed, if not log-normal"
    UNSURE = "log-normal, if not heavy-tailed"
    LOG_NORMAL = "log-normal"
    EXPONENTIAL = "no heavier than exponential"
    NEITHER = "no power law"
    SHORT = "too short a tail to tell"
    EVEN = "even"
    FEW = "too few items to tell"

    @property
    def is_heavy(self) -> bool:
        """Whether a truncated power law is the best account of it."""
        return self in {Verdict.STRONG, Verdict.HEAVY}


@dataclass(frozen=True, slots=True, kw_only=True)
class TailFit:
    """What was fitted to the upper part of counts.

    Attributes:
        power_law: The power law, with where the tail begins.
        p_gof: Its goodness of fit, from 0 to 1; None if no draws were made.
        n_draws: Draws of the bootstrap.
        truncated: The truncated power law on the same tail.
        log_normal: The log-normal.
        exponential: The exponential.
        against_log_normal: Truncated power law against log-normal; its z is the paper's Table 3.
        against_exponential: Truncated power law against exponential, its special case α = 0.
        against_power_law: Truncated power law against the pure one, its special case λ = 0.
    """

    power_law: PowerLaw
    p_gof: float | None
    n_draws: int
    truncated: Law
    log_normal: Law
    exponential: Law
    against_log_normal: Comparison
    against_exponential: Comparison
    against_power_law: Comparison

    @property
    def passes(self) -> bool:
        """Whether it passes the paper's screen."""
        is_good = self.p_gof is not None and self.p_gof >= LEAST_P
        return is_good and self.power_law.n_tail >= LEAST_TAIL

    @property
    def verdict(self) -> Verdict:
        """What kind of tail this is."""
        z = self.against_log_normal.z
        if self.power_law.n_tail < LEAST_TAIL:
            return Verdict.SHORT
        if z < -_STRONG:
            return Verdict.LOG_NORMAL
        if not self.passes:
            return Verdict.NEITHER
        if self.against_exponential.p > _SIGNIFICANT:
            return Verdict.EXPONENTIAL
        if z <= 0:
            return Verdict.UNSURE
        return Verdict.STRONG if z > _STRONG else Verdict.HEAVY


@dataclass(frozen=True, slots=True, kw_only=True)
class Tails:
    """The audit of counts.

    Attributes:
        verdict: What kind of tail they have.
        passes: Whether they pass the paper's screen.
        concentration: How unevenly accesses fall on items.
        n_unused: Items that were never accessed, as far as they were given.
        ccdf: Distinct counts x with P(X ≥ x), ascending.
        fit: What was fitted; None if there was too little for it.
    """

    verdict: Verdict
    passes: bool
    concentration: Concentration
    n_unused: int
    ccdf: tuple[tuple[int, float], ...]
    fit: TailFit | None

    def __str__(self) -> str:
        """Return the verdict and what it rests on, in plain words."""
        return f"{self.verdict}: {_MEANING[self.verdict]}{_grounds(self.fit)}"


_MEANING: Final = {
    Verdict.STRONG: "a few items are accessed far more often than all others, at every scale",
    Verdict.HEAVY: "a few items are accessed far more often than the others, at every scale; a "
    "log-normal would account for it nearly as well",
    Verdict.UNSURE: "a few items are accessed far more often than the others; a heavy tail would "
    "account for it, and a log-normal as well",
    Verdict.LOG_NORMAL: "accesses are uneven, but around a typical count",
    Verdict.EXPONENTIAL: "accesses are uneven, but no item is far above the others",
    Verdict.NEITHER: "accesses are uneven in a way that no power law describes",
    Verdict.SHORT: f"fewer than {LEAST_TAIL} items are in the part that could be one",
    Verdict.EVEN: "all items that are accessed are accessed about equally often",
    Verdict.FEW: f"fewer than {LEAST_ITEMS} items were accessed",
}


def _grounds(fit: TailFit | None) -> str:
    if fit is None:
        return "."
    law = fit.power_law
    good = "" if fit.p_gof is None else f", goodness of fit p = {fit.p_gof:.2f}"
    accesses = "access" if law.x_min == 1 else "accesses"
    return (
        f". From {law.x_min} {accesses} on ({law.n_tail} items): α = {law.alpha:.2f} ± "
        f"{law.error:.2f}{good}; truncated power law against log-normal z = "
        f"{fit.against_log_normal.z:+.2f}."
    )


def audit_counts(
    counts: ArrayLike,
    *,
    rng: np.random.Generator,
    n_draws: int = 1000,
    progress: Callable[[], None] | None = None,
) -> Tails:
    """Return how unevenly accesses fall on items, and what kind of tail their counts have.

    Args:
        counts: Accesses of each item, whole numbers from 0, shape (n,).
        rng: Where the bootstrap's draws come from.
        n_draws: Draws for the goodness of fit; the error of its p is at most 1/(2√n_draws).
        progress: Called after each draw.

    Raises:
        InvalidInputError: These are no counts, or draws are negative.

    >>> rng = np.random.default_rng(0)
    >>> found = audit_counts([3, 1, 0, 1], rng=rng)
    >>> found.verdict.value, found.n_unused, found.concentration.n_accesses
    ('too few items to tell', 1, 5)
    """
    if n_draws < 0:
        raise InvalidInputError(f"{n_draws} draws cannot be made.", hint="Use 0 or more.")
    used = checked_counts(counts)
    values, shares = ccdf(used)
    data = histogram(used)
    is_enough = data.n >= LEAST_ITEMS
    fit = fit_tail(data, rng=rng, n_draws=n_draws, progress=progress) if is_enough else None
    return Tails(
        verdict=fit.verdict if fit else Verdict.EVEN if is_enough else Verdict.FEW,
        passes=fit is not None and fit.passes,
        concentration=concentration(used),
        n_unused=int(np.asarray(counts).size) - len(used),
        ccdf=tuple(zip(values.astype(np.int64).tolist(), shares.tolist(), strict=True)),
        fit=fit,
    )


def fit_tail(
    data: Histogram,
    *,
    rng: np.random.Generator,
    n_draws: int = 1000,
    progress: Callable[[], None] | None = None,
) -> TailFit | None:
    """Return the laws fitted to the upper part of counts; None if no part could be a tail.

    Args:
        data: The counts.
        rng: Where the bootstrap's draws come from.
        n_draws: How many; with 0 the goodness of fit is not known.
        progress: Called after each.
    """
    fit = fit_power_law(data)
    if fit is None:
        return None
    distances = bootstrap_distances(data, fit, rng=rng, n=n_draws, progress=progress)
    tail, x_min = data.tail(fit.x_min), float(fit.x_min)
    pure = power_law(tail, x_min=x_min, alpha=fit.alpha)
    truncated = truncated_power_law(tail, x_min=x_min, alpha=fit.alpha)
    normal, falling = log_normal(tail, x_min=x_min), exponential(tail, x_min=x_min)
    return TailFit(
        power_law=fit,
        p_gof=float(np.mean(distances >= fit.distance - _ALIKE)) if n_draws else None,
        n_draws=n_draws,
        truncated=truncated.law,
        log_normal=normal.law,
        exponential=falling.law,
        against_log_normal=compare(tail, truncated, normal),
        against_exponential=compare(tail, truncated, falling, is_nested=True),
        against_power_law=compare(tail, truncated, pure, is_nested=True),
    )
