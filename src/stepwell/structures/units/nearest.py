"""Exact nearest neighbours among steps, ties broken by time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["earlier_neighbours", "neighbours"]

_BLOCK: Final = 256
"""Rows compared at once: their products with 4,096 others take 4 MB, about a core's cache."""


def neighbours(
    rows: NDArray[np.float32], *, k: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the k nearest other rows of each row.

    Args:
        rows: Rows on the grid, shape (n, d), n > k.
        k: How many.

    Returns:
        Row numbers in no particular order, shape (n, k), and their dot products. Of equally near
        rows those closest in time are taken, and of two equally close the earlier one.
    """
    products = rows @ rows.T  # whole: numpy then computes one half of it only
    np.fill_diagonal(products, -np.inf)
    starts = range(0, len(rows), _BLOCK)
    return _joined([_nearest(products[at : at + _BLOCK], at, k) for at in starts])


def earlier_neighbours(
    rows: NDArray[np.float32], *, k: int, first: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the k nearest earlier rows of each row from `first` on, first ≥ k.

    Returns:
        As `neighbours`, shape (n - first, k).
    """
    found: list[tuple[NDArray[np.int64], NDArray[np.float32]]] = []
    for start in range(first, len(rows), _BLOCK):
        stop = min(len(rows), start + _BLOCK)
        products = rows[start:stop] @ rows[:stop].T
        products[:, start:][np.triu_indices(stop - start)] = -np.inf
        found.append(_nearest(products, start, k))
    return _joined(found)


def _joined(
    found: list[tuple[NDArray[np.int64], NDArray[np.float32]]],
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    return np.concatenate([at for at, _ in found]), np.concatenate([dots for _, dots in found])


def _nearest(
    block: NDArray[np.float32], start: int, k: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    width = block.shape[1]
    bound = np.partition(block, width - k, axis=1)[:, width - k]
    near = block >= bound[:, None]
    crowded = np.flatnonzero(np.count_nonzero(near, axis=1) > k)
    for row in crowded:
        near[row] = _first_by_time(block[row], start + int(row), k)
    places = np.flatnonzero(near)
    dots = block.reshape(-1)[places].reshape(-1, k)
    return (places % width).reshape(-1, k), dots


def _first_by_time(dots: NDArray[np.float32], own: int, k: int) -> NDArray[np.bool_]:
    """Mark the k nearest of one row whose k-th and (k + 1)-th are equally near."""
    away = np.arange(len(dots)) - own
    rank = dots.astype(np.float64) * (4 * len(dots)) - (2 * np.abs(away) - (away < 0))
    near = np.zeros(len(dots), dtype=np.bool_)
    near[np.argpartition(-rank, k - 1)[:k]] = True
    return near
