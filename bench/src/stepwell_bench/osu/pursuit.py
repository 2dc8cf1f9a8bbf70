"""Packing steps that explain a question together: what is explained already counts less."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from stepwell.recall.rank.selection.packing import pack_whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stepwell.recall.rank.selection.base import Problem

__all__ = ["pack_explaining"]

_CANDIDATES = 128
"""Best steps among which explaining away decides; more than a budget that it matters for holds."""

_INDEPENDENT = 1e-6
"""A step whose vector lies in the span of those taken up to this length explains nothing new."""


def pack_explaining(
    values: NDArray[np.float64],
    order: NDArray[np.int64],
    problem: Problem,
    budget: int,
    *,
    weight: float,
) -> list[int]:
    """Take, again and again, the fitting step of the best value less what is explained already.

    The value of step i after the steps S is v_i - w·max(0, h_i·P_S q), with P_S the projection on
    the span of their vectors: the part of its cosine that S accounts for (as in orthogonal matching
    pursuit, Pati et al. 1993, which takes w·v so that all of it goes).

    Args:
        values: v, finite, shape (n,).
        order: Steps by descending value, ties broken, shape (n,).
        problem: Costs, vectors and question.
        budget: Tokens in all, at most.
        weight: w, value per unit of cosine.
    """
    vectors, query = problem.vectors, problem.query
    if weight <= 0 or vectors is None or query is None:
        return pack_whole(order, problem.costs, budget)
    first = order[:_CANDIDATES]
    costs, worth = problem.costs[first], values[first]
    projection = _Projection(vectors[first].astype(np.float64), query.astype(np.float64))
    value, taken, left = np.empty(len(first)), list[int](), budget
    dearest = int(costs.max(initial=0))
    while True:
        if left < dearest:
            worth[costs > left] = -np.inf
        np.maximum(projection.explained, 0.0, out=value)
        np.subtract(worth, weight * value, out=value)
        place = int(value.argmax()) if len(value) else -1
        if place < 0 or worth[place] == -np.inf:
            return taken + pack_whole(order[_CANDIDATES:], problem.costs, left)
        taken.append(int(first[place]))
        left -= int(costs[place])
        worth[place] = -np.inf
        projection.add(place)


class _Projection:
    """The projection of a question on the span of some rows, as it is seen from every row.

    Gram and Schmidt's basis is never formed: the rows' coordinates along each of its vectors
    (`_along`) are a column of the Cholesky factor of the rows' cosines.
    """

    def __init__(self, rows: NDArray[np.float64], goal: NDArray[np.float64]) -> None:
        # Cosines are taken row by row: a product of matrices would be handed to threads, which on a
        # busy machine takes a hundred times as long.
        self._rows, self._relevance = rows, rows @ goal
        self._along = np.empty((len(rows), len(rows)))
        self._goal = np.empty(len(rows))  # its coordinates
        self._n = 0
        self.explained = np.zeros(len(rows))
        """h_i·P_S q of each row i."""

    def add(self, place: int) -> None:
        """Let a row be one of those that explain."""
        n = self._n
        known = self._along[:n, place]
        fresh = self._rows @ self._rows[place] - known @ self._along[:n]
        length = math.sqrt(max(float(fresh[place]), 0.0))
        if length <= _INDEPENDENT:
            return
        fresh /= length
        self._along[n] = fresh
        self._goal[n] = (self._relevance[place] - known @ self._goal[:n]) / length
        self.explained += fresh * self._goal[n]
        self._n += 1
