"""Finished units from candidates and the memberships that stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.structures.units.centroids import centroids_of
from stepwell.structures.units.coherence import coherence_of
from stepwell.structures.units.model import PRIORITY, Units, View

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stepwell.structures.units.grouping import Candidates

__all__ = ["assemble"]

_SIMILARITY: Final = PRIORITY.index(View.SIMILARITY)


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
        coherence=None if vectors is None else coherence_of(vectors, starts, members),
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
    # Candidates of one first step stand in order of their keys already, and the sort is stable:
    # only runs that pruning has mixed have to be sorted again.
    was_first = candidates.members[candidates.starts[left[order]]]
    goes_on = (np.diff(first[order]) == 0) & (np.diff(views[order]) == 0)
    run = np.concatenate([[0], np.cumsum(~goes_on)])
    for mixed in np.unique(run[1:][goes_on & (np.diff(was_first) != 0)]).tolist():
        span = slice(*np.searchsorted(run, [mixed, mixed + 1]))
        order[span] = sorted(order[span], key=lambda at: candidates.keys[int(left[at])])
    return order


def _keys(
    candidates: Candidates, taken: NDArray[np.int64], first: NDArray[np.int64]
) -> tuple[str, ...]:
    n_named = int(np.searchsorted(candidates.views[taken], _SIMILARITY))
    named: list[str] = [candidates.keys[at] for at in taken[:n_named].tolist()]
    similar: list[int] = first[n_named:].tolist()
    return (*named, *(f"similar:{step}" for step in similar))
