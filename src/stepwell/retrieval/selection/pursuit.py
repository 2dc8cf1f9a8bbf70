"""Packing steps that explain a question together: what is explained already counts less."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stepwell.retrieval.selection.packing import pack_whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stepwell.retrieval.selection.base import Problem

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
        values: v, shape (n,).
        order: Steps by descending value, ties broken, shape (n,).
        problem: Costs, vectors and question.
        budget: Tokens in all, at most.
        weight: w, value per unit of cosine.
    """
    vectors, query = problem.vectors, problem.query
    if weight <= 0 or vectors is None or query is None:
        return pack_whole(order, problem.costs, budget)
    first = order[:_CANDIDATES]
    rows, goal = vectors[first].astype(np.float64), query.astype(np.float64)
    costs, worth = problem.costs[first], values[first]
    explained, is_left = np.zeros(len(first)), np.ones(len(first), dtype=np.bool_)
    basis, taken, left = np.empty((0, len(goal))), list[int](), budget
    while (is_left := is_left & (costs <= left)).any():
        value = worth - weight * np.maximum(explained, 0.0)
        place = int(np.where(is_left, value, -np.inf).argmax())
        taken.append(int(first[place]))
        left -= int(costs[place])
        is_left[place] = False
        fresh = rows[place] - basis.T @ (basis @ rows[place])
        length = float(np.linalg.norm(fresh))
        if length > _INDEPENDENT:
            basis = np.vstack([basis, fresh / length])
            explained += (rows @ basis[-1]) * float(basis[-1] @ goal)
    return taken + pack_whole(order[_CANDIDATES:], problem.costs, left)
