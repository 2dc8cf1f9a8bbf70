"""Rankings in which whatever is not found scores 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stepwell.structures.base import Ranking

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stepwell.structures.base import Structure

__all__ = ["sparse_ranking"]


def sparse_ranking(
    structure: Structure, scores: Mapping[int, float], *, n_passages: int, limit: int
) -> Ranking:
    """Return the best of what a structure found, best first, ties by row id.

    Mean and deviation are over all passages in scope: those that are not found score 0.

    Args:
        structure: The structure that found it.
        scores: Scores by passage row id.
        n_passages: Passages in scope.
        limit: The most that are returned.
    """
    rows = np.fromiter(scores, dtype=np.int64, count=len(scores))
    values = np.fromiter(scores.values(), dtype=np.float64, count=len(scores))
    n = max(n_passages, len(rows), 1)
    mean = float(values.sum()) / n
    deviation = float(np.sqrt(max(float((values**2).sum()) / n - mean**2, 0.0)))
    best = np.lexsort((rows, -values))[:limit]
    return Ranking(
        structure=structure.name,
        traits=structure.traits,
        rowids=rows[best],
        scores=values[best],
        mean=mean,
        deviation=deviation or 1.0,
    )
