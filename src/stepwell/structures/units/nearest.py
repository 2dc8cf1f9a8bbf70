"""Exact nearest neighbours among steps, ties broken by time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    found = [_nearest(block, first, k) for first, block in _products(rows, 0, alone=True)]
    return np.concatenate([at for at, _ in found]), np.concatenate([dots for _, dots in found])


def earlier_neighbours(
    rows: NDArray[np.float32], *, k: int, first: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the k nearest earlier rows of each row from `first` on, first ≥ k.

    Returns:
        As `neighbours`, shape (n - first, k).
    """
    found = [_nearest(block, at, k) for at, block in _products(rows, first, alone=False)]
    return np.concatenate([at for at, _ in found]), np.concatenate([dots for _, dots in found])


def _products(
    rows: NDArray[np.float32], first: int, *, alone: bool
) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """Yield blocks of products with -inf where a row may not be a neighbour."""
    n = len(rows)
    for start in range(first, n, _BLOCK):
        stop = min(n, start + _BLOCK)
        block = rows[start:stop] @ rows.T if alone else rows[start:stop] @ rows[:stop].T
        own = np.arange(start, stop)
        if alone:
            block[own - start, own] = -np.inf
        else:
            block[:, start:][np.triu_indices(stop - start)] = -np.inf
        yield start, block


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
