"""Pruning: how many units a step stays in, and which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.structures.units.centroids import sums_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stepwell.structures.units.grouping import Candidates
    from stepwell.structures.units.model import UnitOptions

__all__ = ["prune"]

_BLOCK: Final = 256
"""Memberships gathered at once: at 384 dimensions they take .4 MB, which a core's cache holds."""


def prune(
    candidates: Candidates, rows: NDArray[np.float32] | None, options: UnitOptions
) -> NDArray[np.bool_]:
    """Return which memberships stay, shape (m,), aligned with `candidates.members`.

    Each step keeps the first `max_memberships` of its memberships by (view, -cosine of the step
    and the candidate's centroid, first step, key), and candidates left with fewer than `min_size`
    steps are dropped whole. Centroids are those before pruning, and dropping is done once: a step
    that loses a unit by it gets no other (OSU-Mem, section 3).

    Args:
        candidates: All candidates.
        rows: The steps' vectors on the grid, shape (n, d); None counts every cosine as 0.
        options: Sizes and memberships.
    """
    sizes = np.diff(candidates.starts)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    # Candidates stand in order of view, first step and key, and a stable sort by step keeps it.
    order = np.argsort(candidates.members, kind="stable")
    rank = _rank(candidates.members[order])
    if rows is not None:
        group = candidates.members[order] * 8 + candidates.views[owner[order]]
        unsure = _straddling(group, rank, options.max_memberships)
        likeness = _likeness(candidates, owner, order[unsure], rows)
        by_likeness = np.lexsort((-likeness, group[unsure]))
        order[unsure] = order[unsure][by_likeness]
    keeps = np.empty(len(order), dtype=np.bool_)
    keeps[order] = rank < options.max_memberships
    left = np.bincount(owner[keeps], minlength=len(sizes))
    return keeps & (left >= options.min_size)[owner]


def _rank(ordered: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the place of each element within its run of equal ones, from 0."""
    first = _run_starts(ordered)
    lengths = np.diff(np.append(first, len(ordered)))
    return np.arange(len(ordered)) - np.repeat(first, lengths)


def _run_starts(ordered: NDArray[np.int64]) -> NDArray[np.int64]:
    starts = np.flatnonzero(np.diff(ordered)) + 1
    return np.concatenate([np.zeros(min(1, len(ordered)), dtype=np.int64), starts])


def _straddling(group: NDArray[np.int64], rank: NDArray[np.int64], limit: int) -> NDArray[np.int64]:
    """Return the places in groups (one view of one step) of which some are kept and some not."""
    first = _run_starts(group)
    lengths = np.diff(np.append(first, len(group)))
    is_cut = (rank[first] < limit) & (rank[first] + lengths > limit)
    return np.flatnonzero(np.repeat(is_cut, lengths))


def _likeness(
    candidates: Candidates,
    owner: NDArray[np.int64],
    chosen: NDArray[np.int64],
    rows: NDArray[np.float32],
) -> NDArray[np.float64]:
    """Return h·S/‖S‖ of chosen memberships, S the sum of the candidate's vectors; 0 where S is 0.

    That is the cosine with the centroid times the length of h, which ranks a step's candidates
    alike. Sums and products of grid vectors are exact, so the result depends on nothing else.
    """
    is_wanted = np.zeros(len(candidates.keys), dtype=np.bool_)
    is_wanted[owner[chosen]] = True
    place = (np.cumsum(is_wanted) - 1)[owner[chosen]]
    sizes = np.diff(candidates.starts)[is_wanted]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    sums = sums_of(rows, starts, candidates.members[is_wanted[owner]])
    lengths = np.sqrt(np.einsum("ij,ij->i", sums, sums, dtype=np.float64))
    dots = np.empty(len(chosen), dtype=np.float64)
    for start in range(0, len(chosen), _BLOCK):
        part = slice(start, start + _BLOCK)
        own = rows[candidates.members[chosen[part]]]
        dots[part] = np.einsum("ij,ij->i", own, sums[place[part]])
    likeness = np.zeros(len(dots), dtype=np.float64)
    np.divide(dots, lengths[place], out=likeness, where=lengths[place] > 0)
    return likeness
