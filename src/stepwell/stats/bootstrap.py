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

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

__all__ = ["Interval", "bootstrap_mean", "paired_difference", "paired_saving"]

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
    numbers = _checked(values, groups, n=n, level=level)
    codes, n_groups = _coded(groups)
    sums = np.bincount(codes, weights=numbers, minlength=n_groups).astype(np.float64)
    sizes = np.bincount(codes, minlength=n_groups)
    means = _drawn_ratios(sums, sizes, rng=rng, n=n)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(
        mean=float(numbers.mean()),
        low=float(low),
        high=float(high),
        n_values=len(numbers),
        n_groups=n_groups,
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


def paired_saving(
    a: ArrayLike,
    b: ArrayLike,
    groups: Sequence[Hashable],
    *,
    rng: np.random.Generator,
    n: int = 2000,
    level: float = 0.95,
) -> Interval:
    """Return the interval of 1 - Σa/Σb: the share by which one method's sum is below another's.

    The ratio of sums is drawn, not a mean of ratios, so that a value weighs as much as it is large.

    Args:
        a: One method's values, at least 0, shape (v,).
        b: The other's, above 0.
        groups: The group of each pair.
        rng: Where the draws come from.
        n: Number of draws.
        level: Probability mass of the interval.

    Raises:
        InvalidInputError: As for `paired_difference`, or a value of `b` is not above 0.

    >>> rng = np.random.default_rng(0)
    >>> paired_saving([30.0, 45.0], [40.0, 60.0], ["x", "y"], rng=rng).mean
    0.25
    """
    first = _checked(a, groups, n=n, level=level)
    second = _checked(b, groups, n=n, level=level)
    if (second <= 0).any():
        raise InvalidInputError(
            "A saving needs something to save from: a value is not above 0.",
            hint="Leave out questions for which the other method used nothing.",
        )
    codes, n_groups = _coded(groups)
    sums = np.bincount(codes, weights=first, minlength=n_groups).astype(np.float64)
    others = np.bincount(codes, weights=second, minlength=n_groups).astype(np.float64)
    savings = 1 - _drawn_ratios(sums, others, rng=rng, n=n)
    low, high = np.quantile(savings, [(1 - level) / 2, (1 + level) / 2])
    return Interval(
        mean=float(1 - first.sum() / second.sum()),
        low=float(low),
        high=float(high),
        n_values=len(first),
        n_groups=n_groups,
    )


def _coded(groups: Sequence[Hashable]) -> tuple[NDArray[np.int64], int]:
    places: dict[Hashable, int] = {}
    codes = np.asarray([places.setdefault(group, len(places)) for group in groups], dtype=np.int64)
    return codes, len(places)


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
    sizes: NDArray[np.int64] | NDArray[np.float64],
    *,
    rng: np.random.Generator,
    n: int,
) -> NDArray[np.float64]:
    """Return Σsums/Σsizes of n draws of groups; with sizes of groups these are means."""
    rows = max(1, _BLOCK // len(sums))
    ratios: list[NDArray[np.float64]] = []
    for start in range(0, n, rows):
        drawn = rng.integers(len(sums), size=(min(rows, n - start), len(sums)))
        ratios.append(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1))
    return np.concatenate(ratios)
