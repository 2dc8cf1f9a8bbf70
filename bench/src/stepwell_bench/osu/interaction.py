"""Does the mean difference between two methods depend on the cell a question lies in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.errors import InvalidInputError
from stepwell.stats.signs import TIE, checked, coded, random_signs, scaled

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

__all__ = ["Cell", "Interaction", "interaction"]


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
    values, exponent = scaled(checked(differences, n=n))
    codes, labels = coded(cells, n_values=len(values))
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
    least = statistic - TIE * (values @ values)
    n_far = 0
    for signs in random_signs(len(residuals), rng=rng, n=n):
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
