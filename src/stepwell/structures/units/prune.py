"""Pruning: how many units a step stays in, and which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.structures.units.model import PRIORITY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stepwell.structures.units.grouping import Candidates
    from stepwell.structures.units.likeness import Likeness
    from stepwell.structures.units.model import UnitOptions

__all__ = ["prune"]

_SHORT: Final = 1 << 16
"""Steps up to which numpy sorts by counting, ten times as fast as by comparing."""


def prune(
    candidates: Candidates,
    rows: NDArray[np.float32] | None,
    *,
    likeness: Likeness,
    options: UnitOptions,
) -> NDArray[np.bool_]:
    """Return which memberships stay, shape (m,), aligned with `candidates.members`.

    Each step keeps the first `max_memberships` of its memberships by (view, -cosine of the step
    and the candidate's centroid, first step, key), and candidates left with fewer than `min_size`
    steps are dropped whole. Centroids are those before pruning, and dropping is done once: a step
    that loses a unit by it gets no other (OSU-Mem, section 3).

    Args:
        candidates: All candidates.
        rows: The steps' vectors on the grid, shape (n, d); None counts every cosine as 0.
        likeness: Computes cosines, or knows them from before.
        options: Sizes and memberships.
    """
    owner, members = candidates.owners, candidates.members
    # Candidates stand in order of view, first step and key, and a stable sort by step keeps it.
    is_short = len(members) == 0 or members.max() < _SHORT
    order = np.argsort(members.astype(np.uint16) if is_short else members, kind="stable")
    rank = _rank(members[order])
    if rows is not None:
        group = members[order] * len(PRIORITY) + candidates.views[owner[order]]
        unsure = _straddling(group, rank, options.max_memberships)
        like = likeness.of(candidates, order[unsure], rows)
        order[unsure] = order[unsure][np.lexsort((-like, group[unsure]))]
    keeps = np.empty(len(order), dtype=np.bool_)
    keeps[order] = rank < options.max_memberships
    left = np.bincount(owner[keeps], minlength=len(candidates.keys))
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
