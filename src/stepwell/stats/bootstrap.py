"""Percentile bootstrap of a mean whose values come in groups.

Questions about one episode share its text, so they are no independent draws: whole groups are
drawn with replacement (Davison and Hinkley, 1997, §3.8), and the mean of a draw is the mean over
all values in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.errors import InvalidInputError
from stepwell.stats.groups import codes_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

__all__ = ["Interval", "bootstrap_mean", "bootstrap_ratio", "paired_difference"]

_BLOCK = 1 << 22
"""Drawn groups held at once: 32 MB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A mean and its confidence interval.

    Attributes:
        mean: Mean over all values.
        low: Lower end.
        high: Upper end.
        n_values: How many values.
        n_groups: How many groups they come from; with one group the interval is the mean.
    """

    mean: float
    low: float
    high: float
    n_values: int
    n_groups: int


def bootstrap_mean(
    values: ArrayLike,
    groups: Sequence[Hashable],
    *,
    rng: np.random.Generator,
    n: int = 2000,
    level: float = 0.95,
) -> Interval:
    """Return the mean of values and its percentile interval over draws of whole groups.

    Args:
        values: Finite numbers, shape (v,).
        groups: The group of each value, shape (v,).
        rng: Where the draws come from.
        n: Number of draws.
        level: Probability mass of the interval, between 0 and 1.

    Raises:
        InvalidInputError: There are no values, some are not finite, or the lengths differ.

    >>> rng = np.random.default_rng(0)
    >>> bootstrap_mean([1.0, 1.0, 1.0], ["a", "a", "b"], rng=rng).high
    1.0
    """
    numbers = np.asarray(values, dtype=np.float64)
    return bootstrap_ratio(numbers, np.ones_like(numbers), groups, rng=rng, n=n, level=level)


def bootstrap_ratio(
    a: ArrayLike,
    b: ArrayLike,
    groups: Sequence[Hashable],
    *,
    rng: np.random.Generator,
    n: int = 2000,
    level: float = 0.95,
) -> Interval:
    """Return Σa/Σb and its percentile interval over draws of whole groups.

    The ratio of sums is drawn, not a mean of ratios, so that a value weighs as much as it is large.

    Args:
        a: Finite numbers, shape (v,).
        b: As many, above 0.
        groups: The group of each pair.
        rng: Where the draws come from.
        n: Number of draws.
        level: Probability mass of the interval, between 0 and 1.

    Raises:
        InvalidInputError: There are no values, some are not finite, a value of `b` is not above 0,
            or the lengths differ.

    >>> rng = np.random.default_rng(0)
    >>> bootstrap_ratio([30.0, 45.0], [40.0, 60.0], ["x", "y"], rng=rng).mean
    0.75
    """
    above = _checked(a, groups, n=n, level=level)
    below = _checked(b, groups, n=n, level=level)
    if (below <= 0).any():
        raise InvalidInputError(
            "A ratio needs something to divide by: a value is not above 0.",
            hint="Leave out questions for which the other method used nothing.",
        )
    codes, names = codes_of(groups)
    ratios = _drawn_ratios(
        np.bincount(codes, weights=above, minlength=len(names)).astype(np.float64),
        np.bincount(codes, weights=below, minlength=len(names)).astype(np.float64),
        rng=rng,
        n=n,
    )
    low, high = np.quantile(ratios, [(1 - level) / 2, (1 + level) / 2])
    return Interval(
        mean=float(above.sum() / below.sum()),
        low=float(low),
        high=float(high),
        n_values=len(above),
        n_groups=len(names),
    )


def paired_difference(
    a: ArrayLike,
    b: ArrayLike,
    groups: Sequence[Hashable],
    *,
    rng: np.random.Generator,
    n: int = 2000,
    level: float = 0.95,
) -> Interval:
    """Return the interval of the mean of a - b, both measured on the same values in order.

    Args:
        a: One method's values, shape (v,).
        b: The other's.
        groups: The group of each pair.
        rng: Where the draws come from.
        n: Number of draws.
        level: Probability mass of the interval.

    Raises:
        InvalidInputError: As for `bootstrap_mean`, or `a` and `b` differ in length.
    """
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if first.shape != second.shape:
        raise InvalidInputError(
            f"{first.size} values cannot be paired with {second.size}.",
            hint="Give both methods' values for the same questions, in the same order.",
        )
    return bootstrap_mean(first - second, groups, rng=rng, n=n, level=level)


def _checked(
    values: ArrayLike, groups: Sequence[Hashable], *, n: int, level: float
) -> NDArray[np.float64]:
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.ndim != 1 or numbers.size == 0 or not np.isfinite(numbers).all():
        raise InvalidInputError(
            "A bootstrap needs at least one value, all of them finite, in one dimension.",
            hint="Leave out questions to which the measure does not apply.",
        )
    if len(numbers) != len(groups):
        raise InvalidInputError(
            f"There are {len(numbers)} values but {len(groups)} groups.",
            hint="Give one group per value.",
        )
    if n < 1 or not 0 < level < 1:
        raise InvalidInputError(
            f"{n} draws at level {level} give no interval.",
            hint="Use at least one draw and a level between 0 and 1.",
        )
    return numbers


def _drawn_ratios(
    sums: NDArray[np.float64],
    sizes: NDArray[np.float64],
    *,
    rng: np.random.Generator,
    n: int,
) -> NDArray[np.float64]:
    """Return Σsums/Σsizes of each of n draws of groups."""
    rows = max(1, _BLOCK // len(sums))
    ratios: list[NDArray[np.float64]] = []
    for start in range(0, n, rows):
        drawn = rng.integers(len(sums), size=(min(rows, n - start), len(sums)))
        ratios.append(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1))
    return np.concatenate(ratios)
