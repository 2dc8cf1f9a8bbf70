"""How like its candidates a step is, kept from one reading of growing units to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.structures.units.centroids import sums_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stepwell.structures.units.grouping import Candidates

__all__ = ["Likeness"]

_BLOCK: Final = 256
"""Memberships gathered at once: at 384 dimensions they take .4 MB, which a core's cache holds."""


class Likeness:
    """Remembers what it computed of a candidate until the candidate has grown.

    Candidates that are named only ever grow, so their number of steps says whether they have.
    """

    def __init__(self, max_size: int) -> None:
        """Start empty; candidates have at most `max_size` steps."""
        self._known = np.empty((0, max_size), dtype=np.float64)
        self._sizes = np.empty(0, dtype=np.int64)

    def of(
        self, candidates: Candidates, chosen: NDArray[np.int64], rows: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        """Return h·S/‖S‖ of chosen memberships, S the sum of the candidate's vectors; 0 where S is.

        That is the cosine with the centroid times the length of h, which ranks the candidates of
        a step alike. Sums and products of grid vectors are exact, so it depends on nothing else.

        Args:
            candidates: All candidates.
            chosen: Places in `candidates.members`, of named candidates.
            rows: The steps' vectors on the grid, shape (n, d).
        """
        ids, sizes = candidates.ids, np.diff(candidates.starts)
        self._make_room(1 + int(ids.max(initial=0)))
        owner = candidates.owners[chosen]
        is_stale = np.zeros(len(sizes), dtype=np.bool_)
        is_stale[owner] = True
        is_stale &= self._sizes[ids] != sizes
        if is_stale.any():
            members = np.flatnonzero(is_stale[candidates.owners])
            places = members - candidates.starts[candidates.owners[members]]
            known = _likeness(sizes[is_stale], candidates.members[members], rows)
            self._known[ids[candidates.owners[members]], places] = known
            self._sizes[ids[is_stale]] = sizes[is_stale]
        found: NDArray[np.float64] = self._known[ids[owner], chosen - candidates.starts[owner]]
        return found

    def _make_room(self, n: int) -> None:
        n_more = n - len(self._sizes)
        if n_more > 0:
            n_more = max(n_more, len(self._sizes))
            self._known = np.pad(self._known, ((0, n_more), (0, 0)))
            self._sizes = np.pad(self._sizes, (0, n_more))


def _likeness(
    sizes: NDArray[np.int64], members: NDArray[np.int64], rows: NDArray[np.float32]
) -> NDArray[np.float64]:
    """Return h·S/‖S‖ of each member of candidates of these sizes, given one after another."""
    starts = np.concatenate([[0], np.cumsum(sizes)])
    sums = sums_of(rows, starts, members)
    lengths = np.sqrt(np.einsum("ij,ij->i", sums, sums, dtype=np.float64))
    owner = np.repeat(np.arange(len(sizes)), sizes)
    dots = np.empty(len(members), dtype=np.float64)
    for start in range(0, len(members), _BLOCK):
        part = slice(start, start + _BLOCK)
        dots[part] = np.einsum("ij,ij->i", rows[members[part]], sums[owner[part]])
    lengths[lengths == 0] = 1
    dots /= lengths[owner]
    return dots
