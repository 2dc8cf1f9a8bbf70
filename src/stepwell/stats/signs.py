"""What tests by random signs share: checked differences, their labels, and the signs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stepwell.errors import InvalidInputError
from stepwell.stats.groups import codes_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray

__all__ = ["TIE", "checked", "coded", "random_signs", "scaled"]

_BLOCK = 1 << 20
"""Signs held at once: 8 MB, and as much again for each of two temporaries."""

TIE = 1e-10
"""Two sums are the same below this part of the sum of magnitudes. Rounding errs by at most 2e-16
of that sum per term, so sums of 450,000 terms that are equal in exact arithmetic still tie."""


def random_signs(
    n_values: int, *, rng: np.random.Generator, n: int
) -> Iterator[NDArray[np.float64]]:
    """Yield n rows of random signs in blocks; a seed gives the same rows whatever the block."""
    rows = max(1, _BLOCK // max(1, n_values))
    for start in range(0, n, rows):
        bits = rng.integers(2, size=(min(rows, n - start), n_values))
        yield 2 * bits.astype(np.float64) - 1


def scaled(numbers: NDArray[np.float64]) -> tuple[NDArray[np.float64], int]:
    """Return numbers below 1 and the power of two they are shares of.

    Scaling by a power of two is exact, and no sum or square of what it gives can overflow.
    """
    exponent = int(np.frexp(np.abs(numbers).max())[1])
    return np.ldexp(numbers, -exponent), exponent


def coded(
    labels: Sequence[Hashable], *, n_values: int
) -> tuple[NDArray[np.int64], tuple[Hashable, ...]]:
    """Return the number of the label of each difference, and the labels.

    Raises:
        InvalidInputError: There is not one label for each difference.
    """
    if len(labels) != n_values:
        raise InvalidInputError(
            f"There are {n_values} differences but {len(labels)} labels.",
            hint="Give one label per difference, in the same order.",
        )
    return codes_of(labels)


def checked(differences: ArrayLike, *, n: int = 1) -> NDArray[np.float64]:
    """Return differences as numbers that can be tested.

    Raises:
        InvalidInputError: There are none, some are not finite, or `n` is below 1.
    """
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
