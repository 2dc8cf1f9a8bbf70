"""The coarse stage: which units a question is routed to."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.structures.units.model import PRIORITY

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from stepwell.recall.rank.selection.base import Problem
    from stepwell.structures.units.model import Units, View

__all__ = ["MIN_ROUTED", "Routing", "owners", "route", "unit_scores"]

MIN_ROUTED = 4
"""Fewest units routed to: one per view, so that a short trajectory is not seen by one view only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """How many units, and which, a question is routed to.

    Attributes:
        share: κ: K = max(`MIN_ROUTED`, ⌈κ·|U|⌉) units, |U| counted over `views`.
        views: Only units of these views.
        allowed: Only these units (an oracle's ground-truth filter); None allows all.
    """

    share: float
    views: tuple[View, ...] = PRIORITY
    allowed: frozenset[int] | None = None


def unit_scores(problem: Problem) -> NDArray[np.float64]:
    """Return c_u, the cosine of each unit's centroid and the question, shape (u,).

    Without vectors it is the mean relevance of the unit's steps, which for cosines is the same but
    for the centroid's length.
    """
    units = problem.units
    if units.centroids is not None and problem.query is not None:
        return np.asarray(units.centroids @ problem.query, dtype=np.float64)
    if len(units) == 0:
        return np.empty(0, dtype=np.float64)
    sums = np.add.reduceat(problem.scores[units.members], units.starts[:-1])
    return sums / np.diff(units.starts)


def owners(units: Units) -> NDArray[np.int64]:
    """Return the unit of each entry of `units.members`, shape (m,)."""
    return np.repeat(np.arange(len(units), dtype=np.int64), np.diff(units.starts))


def route(units: Units, scores: NDArray[np.float64], *, routing: Routing) -> NDArray[np.int64]:
    """Return the K best-scored units, best first, ties by unit, shape (at most K,).

    Args:
        units: All units.
        scores: Score of each unit, shape (u,).
        routing: How many and which.
    """
    places = [PRIORITY.index(view) for view in routing.views]
    pool = np.flatnonzero(np.isin(units.views, places))
    n_routed = max(MIN_ROUTED, math.ceil(routing.share * len(pool)))
    if routing.allowed is not None:
        pool = pool[np.isin(pool, _sorted(routing.allowed))]
    return pool[np.argsort(-scores[pool], kind="stable")][:n_routed]


def _sorted(units: Collection[int]) -> NDArray[np.int64]:
    return np.asarray(sorted(units), dtype=np.int64)
