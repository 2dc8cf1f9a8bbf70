"""Vectors on a grid of integers, so that sums of products come out the same in any order.

Floating-point sums depend on their order, and a matrix product's order depends on its shape. Units
that grow step by step must equal units that are built at once, ties included, so every comparison
of cosines is made on vectors rounded to integers so small that float32 adds them without rounding.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.errors import InvalidInputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["grid_scale", "on_grid"]

_EXACT: Final = 2**24
"""Integers up to here are float32 values, and so are sums that stay below it."""

_COARSEST: Final = 64
"""Below, cosines would be off by more than .01."""


def grid_scale(dimension: int, *, terms: int) -> int:
    """Return the length s to which unit vectors are scaled before they are rounded.

    A row of length s, rounded, is at most s + √d/2 long, and by Cauchy-Schwarz no partial sum of a
    product of a row with a sum of `terms` rows exceeds terms · (s + √d/2)², which stays below 2²⁴.
    The cosine of two rows is then off by about .4/s: at 384 dimensions and 20 terms by .0005.

    Raises:
        InvalidInputError: Sums of so many rows cannot be exact.

    >>> grid_scale(384, terms=20)
    905
    """
    scale = math.floor(math.sqrt(_EXACT / terms) - math.sqrt(dimension) / 2) - 1
    if scale < _COARSEST:
        raise InvalidInputError(
            f"Units of {terms} steps are too large for vectors of {dimension} dimensions.",
            hint="Lower max_size.",
        )
    return scale


def on_grid(vectors: NDArray[np.float32], *, scale: int) -> NDArray[np.float32]:
    """Return vectors of shape (n, d), scaled to length `scale` and rounded; zeros stay zeros.

    Raises:
        InvalidInputError: A value is not finite.
    """
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    if not np.isfinite(lengths).all():
        raise InvalidInputError(
            "A vector of a step holds a value that is no number.", hint="Encode the steps again."
        )
    lengths[lengths == 0] = 1
    rows: NDArray[np.float32] = np.rint(vectors / lengths[:, None] * np.float32(scale))
    return rows
