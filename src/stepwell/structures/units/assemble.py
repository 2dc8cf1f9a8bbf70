"""Finished units from candidates and the memberships that stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.structures.units.model import PRIORITY, Units, View

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stepwell.structures.units.grouping import Candidates

__all__ = ["assemble"]

_SIMILARITY: Final = PRIORITY.index(View.SIMILARITY)

_BLOCK: Final = 64
"""Units summed at once: with five members of 384 dimensions each they take .5 MB, about a cache."""


def assemble(
    candidates: Candidates,
    keeps: NDArray[np.bool_],
    *,
    n_steps: int,
    vectors: NDArray[np.float32] | None,
) -> Units:
    """Return the units of the memberships that stay.

    Args:
        candidates: All candidates.
        keeps: Which of their memberships stay, shape (m,).
        n_steps: Steps of the trajectory.
        vectors: The steps' vectors, shape (n, d); None gives no centroids.
    """
    sizes = np.add.reduceat(keeps, candidates.starts[:-1], dtype=np.int64) if len(keeps) else ()
    sizes = np.asarray(sizes, dtype=np.int64)
    left = np.flatnonzero(sizes)
    members, starts = candidates.members[keeps], _starts(sizes[left])
    order = _order(candidates, left, members[starts[:-1]])
    taken = left[order]
    begins, starts = starts[order], _starts(sizes[taken])
    places = np.arange(len(members)) + np.repeat(begins - starts[:-1], sizes[taken])
    members = members[places]
    return Units(
        n_steps=n_steps,
        views=candidates.views[taken],
        keys=_keys(candidates, taken, members[starts[:-1]]),
        starts=starts,
        members=members,
        centroids=None if vectors is None else centroids_of(vectors, starts, members),
    )


def _starts(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    starts = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts


def _order(
    candidates: Candidates, left: NDArray[np.int64], first: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the order by view, first remaining step, key."""
    views = candidates.views[left]
    order = np.lexsort((first, views))
    # Stable: where the first step is as it was, keys are in order already.
    same = (np.diff(first[order]) == 0) & (np.diff(views[order]) == 0)
    for run in np.split(order, np.flatnonzero(~same) + 1) if same.any() else ():
        if len(run) > 1:
            run[:] = sorted(run, key=lambda at: candidates.keys[int(left[at])])
    return order


def _keys(
    candidates: Candidates, taken: NDArray[np.int64], first: NDArray[np.int64]
) -> tuple[str, ...]:
    n_named = int(np.searchsorted(candidates.views[taken], _SIMILARITY))
    named: list[str] = [candidates.keys[at] for at in taken[:n_named].tolist()]
    similar: list[int] = first[n_named:].tolist()
    return (*named, *(f"similar:{step}" for step in similar))


def centroids_of(
    vectors: NDArray[np.float32], starts: NDArray[np.int64], members: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Return the mean vector of each group, l2-normalised, shape (u, d).

    Members are added one after another in order, so that equal groups have equal centroids.

    Args:
        vectors: Shape (n, d).
        starts: Where the members of each group begin, shape (u + 1,); no group is empty.
        members: Rows of `vectors`.
    """
    sums = np.empty((len(starts) - 1, vectors.shape[1]), dtype=np.float32)
    for first in range(0, len(sums), _BLOCK):
        bounds = starts[first : first + _BLOCK + 1]
        rows = vectors[members[bounds[0] : bounds[-1]]]
        np.add.reduceat(rows, bounds[:-1] - bounds[0], axis=0, out=sums[first : first + _BLOCK])
    lengths = np.sqrt(np.einsum("ij,ij->i", sums, sums))
    sums /= np.where(lengths > 0, lengths, 1)[:, None]
    return sums
