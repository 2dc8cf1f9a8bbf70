"""How noisy the scores of a question are, read from the question and the steps alone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from stepwell.recall.rank.selection.packing import best_first

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["explained_share", "standard_scores"]

_STEPS = 5
"""Steps that may explain a question together: some more than the evidence of one usually has."""

_LEAST_NOISE = 0.01
"""Share of a question's energy that is noise at least: no embedding is exact."""

_MOST_BY_CHANCE = 0.9


def explained_share(
    scores: NDArray[np.float64],
    *,
    vectors: NDArray[np.float32] | None,
    query: NDArray[np.float32] | None,
) -> float:
    """Return how much of the question's vector its best steps explain beyond chance, from 0 to 1.

    R² of the least-squares fit of q by the k = 5 steps of the best scores. Were q pure noise, the
    k best of n steps would explain about R₀ = k·2·ln(n / k) / d of it, since the largest of n / k
    squared normals is about 2·ln(n / k); the share is (R² - R₀) / (1 - R₀).

    Args:
        scores: Cosine of each step and the question, shape (n,).
        vectors: Unit vectors of the steps, shape (n, d); without them nothing is explained.
        query: Unit vector of the question, shape (d,).
    """
    if vectors is None or query is None or len(vectors) <= _STEPS:
        return 0.0
    n, dimension = vectors.shape
    best = vectors[best_first(scores)[:_STEPS]].astype(np.float64)
    fit, *_ = np.linalg.lstsq(best.T, query.astype(np.float64), rcond=None)
    missed = query - best.T @ fit
    left = float(missed @ missed)
    by_chance = min(_MOST_BY_CHANCE, _STEPS * 2 * math.log(n / _STEPS) / dimension)
    return float(np.clip((1.0 - left - by_chance) / (1.0 - by_chance), 0.0, 1.0))


def standard_scores(
    scores: NDArray[np.float64], *, share: float, query: NDArray[np.float32] | None
) -> NDArray[np.float64]:
    """Return scores in deviations of their noise, shape (n,).

    What the best steps leave unexplained of a question is spread over d directions, so a cosine has
    the noise σ = √((1 - share) / d). The deviation of all scores bounds it from above: it holds
    what steps really differ by as well. A question that its best steps explain well so gets sharp
    scores, and is left to them.

    Args:
        scores: Relevance of each step, shape (n,).
        share: How much of the question is explained (`explained_share`).
        query: Unit vector of the question, if scores are cosines, shape (d,).
    """
    if len(scores) == 0 or np.ptp(scores) == 0:  # of equal scores, a deviation is but rounding
        return np.zeros_like(scores)
    noise = float(scores.std())
    if query is not None:
        noise = min(noise, math.sqrt(max(1.0 - share, _LEAST_NOISE) / len(query)))
    standard: NDArray[np.float64] = (scores - scores.mean()) / noise
    return standard
