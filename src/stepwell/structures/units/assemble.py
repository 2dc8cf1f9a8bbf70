"""Finished units from candidates and the memberships that stay."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.structures.units.centroids import normalised
from stepwell.structures.units.coherence import coherence_of
from stepwell.structures.units.model import PRIORITY, Units, View

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stepwell.structures.units.centroids import Sums
    from stepwell.structures.units.grouping import Candidates

__all__ = ["assemble"]

_SIMILARITY: Final = PRIORITY.index(View.SIMILARITY)


def assemble(
    candidates: Candidates,
    keeps: NDArray[np.bool_],
    *,
    n_steps: int,
    vectors: NDArray[np.float32] | None,
    sums: Sums,
) -> Units:
    """Return the units of the memberships that stay.

    Args:
        candidates: All candidates.
        keeps: Which of their memberships stay, shape (m,).
        n_steps: Steps of the trajectory.
        vectors: The steps' vectors, shape (n, d); None gives no centroids.
        sums: Sums the vectors of units, or knows the sums from before.
    """
    owners = candidates.owners[keeps]
    sizes = np.bincount(owners, minlength=len(candidates.keys))
    left = np.flatnonzero(sizes)
    members, begins = candidates.members[keeps], _starts(sizes[left])
    order = _order(candidates, left, members[begins[:-1]])
    taken = left[order]
    starts = _starts(sizes[taken])
    places = np.arange(len(members)) + np.repeat(begins[order] - starts[:-1], sizes[taken])
    members = members[places]
    units = Units(
        n_steps=n_steps,
        views=candidates.views[taken],
        keys=_keys(candidates, taken, members[starts[:-1]]),
        starts=starts,
        members=members,
        centroids=None,
    )
    if vectors is None:
        return units
    kept = _kept(candidates, keeps, max_size=sums.max_size)[taken]
    total = sums.of(vectors, (starts, members), ids=candidates.ids[taken], kept=kept)
    return replace(
        units,
        centroids=normalised(total),
        coherence=coherence_of(vectors, sums=total, starts=starts, members=members),
    )


def _kept(candidates: Candidates, keeps: NDArray[np.bool_], *, max_size: int) -> NDArray[np.bool_]:
    """Return for each candidate which of its members stay, shape (c, max_size)."""
    places = np.flatnonzero(keeps)
    owners = candidates.owners[places]
    kept = np.zeros((len(candidates.keys), max_size), dtype=np.bool_)
    kept[owners, places - candidates.starts[owners]] = True
    return kept


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
    bounds = np.concatenate([[0], np.flatnonzero(~goes_on) + 1, [len(order)]])
    is_mixed = np.zeros(len(order), dtype=np.bool_)
    is_mixed[1:] = goes_on & (np.diff(was_first) != 0)
    for run in np.flatnonzero(np.add.reduceat(is_mixed, bounds[:-1])) if len(order) else ():
        span = slice(bounds[run], bounds[run + 1])
        order[span] = sorted(order[span].tolist(), key=lambda at: candidates.keys[int(left[at])])
    return order


def _keys(
    candidates: Candidates, taken: NDArray[np.int64], first: NDArray[np.int64]
) -> tuple[str, ...]:
    n_named = int(np.searchsorted(candidates.views[taken], _SIMILARITY))
    named: list[str] = [candidates.keys[at] for at in taken[:n_named].tolist()]
    similar: list[int] = first[n_named:].tolist()
    return (*named, *(f"similar:{step}" for step in similar))
