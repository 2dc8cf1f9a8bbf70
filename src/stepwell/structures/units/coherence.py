"""How much the steps of a unit resemble each other beyond what all steps of the run share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["coherence_of"]


def coherence_of(
    vectors: NDArray[np.float32],
    *,
    sums: NDArray[np.float32],
    starts: NDArray[np.int64],
    members: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return the mean correlation of each group's vectors, shape (u,), from 0 to 1.

    With x_i = h_i - mean h over the run, A = Σ‖x_i‖² and S = Σ x_i over the m members of a group,
    ρ = (‖S‖² - A) / ((m - 1)·A): 1 for copies, 0 for vectors as unlike as any two of the run.

    Args:
        vectors: Unit vectors of all steps, shape (n, d).
        sums: Sum of the vectors of each group, shape (u, d).
        starts: Where the members of each group begin, shape (u + 1,); no group is empty.
        members: Rows of `vectors`, shape (m,).
    """
    if len(starts) == 1:
        return np.empty(0)
    mean = vectors.mean(axis=0)
    sizes = np.diff(starts)
    # ‖x_i‖² and ‖S‖² without a copy of all centred vectors.
    along, level = vectors @ mean, float(mean @ mean)
    own = np.einsum("ij,ij->i", vectors, vectors) - 2 * along + level
    spread = np.add.reduceat(own[members].astype(np.float64), starts[:-1])
    joint = np.einsum("ij,ij->i", sums, sums) - 2 * sizes * (sums @ mean) + sizes**2 * level
    pairs = np.maximum(sizes - 1, 1) * spread
    found = np.zeros(len(sizes))
    np.divide(joint - spread, pairs, out=found, where=pairs > 0)
    return np.clip(found, 0.0, 1.0)
