"""Permutation tests of paired differences: is a method better, and is it better everywhere alike.

When two methods do equally well, the difference of their values on a question is as likely to be d
as -d. So the signs are drawn anew, and the p-value is the share of draws that lie as far out as
what was observed, the observation counted among them:

    p = (1 + #{draws as far out}) / (1 + n)

It is never zero (Phipson and Smyth, 2010), and its standard error is √(p(1-p)/n).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.errors import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray

__all__ = ["Cell", "Flip", "Interaction", "by_episode", "interaction", "sign_flip"]

_BLOCK = 1 << 20
"""Signs held at once: 8 MB, and as much again for each of two temporaries."""

_TIE = 1e-10
"""Two sums are the same below this part of the sum of magnitudes. Rounding errs by at most 2e-16
of that sum per term, so sums of 450,000 terms that are equal in exact arithmetic still tie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """A mean difference and the sign-flip test of it.

    Attributes:
        mean: Mean of the differences.
        p: Two-sided p-value, in (0, 1].
        n_values: How many differences.
    """

    mean: float
    p: float
    n_values: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of questions.

    Attributes:
        label: What its questions were labelled with.
        mean: Mean of its differences.
        n_values: How many differences it holds.
    """

    label: Hashable
    mean: float
    n_values: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction:
    """How far the mean difference varies between cells, and the test of it.

    Attributes:
        statistic: Σ_c n_c(d̄_c - d̄)², in squared units of the differences.
        p: p-value, in (0, 1].
        cells: The cells, in the order of their first value.
    """

    statistic: float
    p: float
    cells: tuple[Cell, ...]


def sign_flip(differences: ArrayLike, *, rng: np.random.Generator, n: int = 10_000) -> Flip:
    """Test whether paired differences are symmetric about zero.

    With signs s uniform on {-1, 1}^v, T = mean of d and T* = mean of s·d, the p-value is
    (1 + #{|T*| >= |T|}) / (1 + n) (Fisher, 1935, §21; OSU-Mem's paired test). Sums that are equal
    in exact arithmetic count as equal. One seed gives one p-value in whatever order the
    differences come, whichever method is subtracted, and however many zeros are among them.

    Args:
        differences: One method's values minus the other's, finite, shape (v,).
        rng: Where the signs come from.
        n: Number of draws.

    Raises:
        InvalidInputError: There are no differences, some are not finite, or `n` is below 1.

    >>> found = sign_flip([1, 1, 1, 1, 1, 1, 1, 0], rng=np.random.default_rng(0))
    >>> found.mean, round(found.p, 2)  # 2 of the 2⁷ flips are as far out: .016
    (0.875, 0.02)
    """
    values, exponent = _scaled(_checked(differences, n=n))
    total = math.fsum(values)
    # s·d has the distribution of s·|d|, in any order: sorted magnitudes make p a function of them.
    magnitudes = np.sort(np.abs(values[values != 0]))
    least = abs(total) - _TIE * magnitudes.sum()
    n_far = 0
    for signs in _signs(len(magnitudes), rng=rng, n=n):
        n_far += int(np.count_nonzero(np.abs(signs @ magnitudes) >= least))
    return Flip(
        mean=float(np.ldexp(total / len(values), exponent)),
        p=(1 + n_far) / (1 + n),
        n_values=len(values),
    )


def by_episode(differences: ArrayLike, episodes: Sequence[Hashable]) -> NDArray[np.float64]:
    """Return the mean difference of each episode, in the order of its first value.

    Questions about one episode share its text, so they are no independent draws; episodes are.
    `sign_flip` of these means is the test by episode (OSU-Mem's episode-level test).

    Args:
        differences: One method's values minus the other's, finite, shape (v,).
        episodes: The episode of each difference, shape (v,).

    Returns:
        Means, shape (number of episodes,).

    Raises:
        InvalidInputError: There are no differences, some are not finite, or the lengths differ.

    >>> by_episode([1.0, 0.0, -1.0], ["a", "a", "b"]).tolist()
    [0.5, -1.0]
    """
    values, exponent = _scaled(_checked(differences))
    codes, labels = _coded(episodes, n_values=len(values))
    sums = np.bincount(codes, weights=values, minlength=len(labels))
    return np.ldexp(sums / np.bincount(codes, minlength=len(labels)), exponent)


def interaction(
    differences: ArrayLike,
    cells: Sequence[Hashable],
    *,
    rng: np.random.Generator,
    n: int = 10_000,
) -> Interaction:
    """Test whether the mean difference between two methods is the same in every cell.

    F = Σ_c n_c(d̄_c - d̄)² over the cells' means d̄_c and the mean of all values d̄. Under the null
    the residuals e_i = d_i - d̄_c are what remains, and their signs are drawn: F* is F of the cell
    means of s·e, and p = (1 + #{F* >= F}) / (1 + n) (residuals of the full model: ter Braak, 1992;
    signs: Liu, 1988; OSU-Mem's test of method by cell).

    Residuals of a cell are too small by a factor of √(1 - 1/n_c) on average, so cells of a few
    values make the test liberal.

    Args:
        differences: One method's values minus the other's, finite, shape (v,).
        cells: The cell of each difference, shape (v,).
        rng: Where the signs come from.
        n: Number of draws.

    Raises:
        InvalidInputError: There are no differences, some are not finite, the lengths differ, `n`
            is below 1, there is one cell only, or no cell has two values.

    >>> won, lost = [1, 1, 1, 0, 1, 1], [-1, 0, -1, -1, -1, -1]
    >>> found = interaction(won + lost, ["+"] * 6 + ["-"] * 6, rng=np.random.default_rng(0))
    >>> round(found.statistic, 2), found.p < 0.01
    (8.33, True)
    """
    values, exponent = _scaled(_checked(differences, n=n))
    codes, labels = _coded(cells, n_values=len(values))
    if not 1 < len(labels) < len(values):
        raise InvalidInputError(
            f"{len(values)} differences in {len(labels)} cells leave nothing to compare.",
            hint="Use at least two cells, of which one has at least two values.",
        )
    sizes = np.bincount(codes)
    starts = np.cumsum(sizes) - sizes
    values = values[np.argsort(codes, kind="stable")]
    sums = np.add.reduceat(values, starts)
    residuals = values - np.repeat(sums / sizes, sizes)
    statistic = _between(sums, sizes)
    least = statistic - _TIE * (values @ values)
    n_far = 0
    for signs in _signs(len(residuals), rng=rng, n=n):
        flipped = np.add.reduceat(signs * residuals, starts, axis=1)
        n_far += int(np.count_nonzero(_between(flipped, sizes) >= least))
    means = np.ldexp(sums / sizes, exponent)
    return Interaction(
        statistic=float(np.ldexp(statistic, 2 * exponent)),
        p=(1 + n_far) / (1 + n),
        cells=tuple(
            Cell(label=label, mean=float(mean), n_values=int(size))
            for label, mean, size in zip(labels, means, sizes, strict=True)
        ),
    )


def _between(sums: NDArray[np.float64], sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return Σ_c n_c(d̄_c - d̄)² over the last axis, from sums of cells of these sizes."""
    grand = sums.sum(axis=-1, keepdims=True) / sizes.sum()
    between: NDArray[np.float64] = np.square(sums / sizes - grand) @ sizes
    return between


def _signs(n_values: int, *, rng: np.random.Generator, n: int) -> Iterator[NDArray[np.float64]]:
    """Yield n rows of signs in blocks; a seed gives the same rows whatever the block."""
    rows = max(1, _BLOCK // max(1, n_values))
    for start in range(0, n, rows):
        bits = rng.integers(2, size=(min(rows, n - start), n_values))
        yield 2 * bits.astype(np.float64) - 1


def _scaled(numbers: NDArray[np.float64]) -> tuple[NDArray[np.float64], int]:
    """Return numbers below 1 and the power of two they are shares of.

    Scaling by a power of two is exact, and no sum or square of what it gives can overflow.
    """
    exponent = int(np.frexp(np.abs(numbers).max())[1])
    return np.ldexp(numbers, -exponent), exponent


def _coded(
    labels: Sequence[Hashable], *, n_values: int
) -> tuple[NDArray[np.int64], tuple[Hashable, ...]]:
    if len(labels) != n_values:
        raise InvalidInputError(
            f"There are {n_values} differences but {len(labels)} labels.",
            hint="Give one label per difference, in the same order.",
        )
    places: dict[Hashable, int] = {}
    codes = [places.setdefault(label, len(places)) for label in labels]
    return np.asarray(codes, dtype=np.int64), tuple(places)


def _checked(differences: ArrayLike, *, n: int = 1) -> NDArray[np.float64]:
    numbers = np.asarray(differences, dtype=np.float64)
    if numbers.ndim != 1 or numbers.size == 0 or not np.isfinite(numbers).all():
        raise InvalidInputError(
            "A test needs at least one difference, all of them finite, in one dimension.",
            hint="Leave out questions to which the measure does not apply.",
        )
    if n < 1:
        raise InvalidInputError(
            f"{n} draws give no p-value.", hint="Use at least one draw; 10,000 resolve p = .001."
        )
    return numbers
