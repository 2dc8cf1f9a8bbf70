"""Score steps: standardise what each structure found, add it up, and lend to the steps around."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from stepwell.store.rowids import MAX_PLACES, number_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from stepwell.structures.base import Ranking, Traits

__all__ = ["PassageScores", "Scored", "score_steps", "standardised"]

_POWER = 1.5
"""BM25 exponent: a step with several rare terms stands out more than the sum of two halves."""

_NEAR = 0.35
"""Share of a step's score lent to its neighbours, and its square two steps away: an answer often
stands beside the step whose words the question uses."""

_REACH = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageScores:
    """Standardised scores of passages, summed over structures.

    Attributes:
        rows: Row ids of the hits, ascending, shape (n,).
        values: Their scores, shape (n,).
        least: Score of a passage that is no hit.
    """

    rows: NDArray[np.int64]
    values: NDArray[np.float64]
    least: float

    def __bool__(self) -> bool:
        return len(self.rows) > 0

    def of(self, rows: Sequence[int]) -> list[float]:
        """Return the scores of some passages, hits or not."""
        if not self or not rows:
            return [self.least] * len(rows)
        places, known = _places(np.asarray(rows, dtype=np.int64), self.rows)
        scores: list[float] = np.where(known, self.values[places], self.least).tolist()
        return scores

    def best_of(self, keys: Sequence[int], n: int) -> dict[int, list[int]]:
        """Return the row ids of the best hits of some steps, by key, best first, at most n each."""
        first = np.asarray(keys, dtype=np.int64) * MAX_PLACES
        starts = np.searchsorted(self.rows, first).tolist()
        ends = np.searchsorted(self.rows, first + MAX_PLACES).tolist()
        best: dict[int, list[int]] = {}
        for key, start, end in zip(keys, starts, ends, strict=True):
            order = np.argsort(-self.values[start:end], kind="stable")[:n]
            best[key] = self.rows[start:end][order].tolist()
        return best


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """Scores of the steps in scope.

    Attributes:
        keys: Row ids of the steps divided by `MAX_PLACES`, ascending, shape (n,), int64.
        total: Fused score of each step, shape (n,).
        parts: Standardised score of each step by structure, before neighbours lend, shape (n,).
        passages: Scores of the passages that are hits.
        traits: Traits of the structures that gave the parts.
        reasons: Why units raised a step, by key.
    """

    keys: NDArray[np.int64]
    total: NDArray[np.float64]
    parts: dict[str, NDArray[np.float64]]
    passages: PassageScores
    traits: Mapping[str, Traits] = field(default_factory=dict[str, "Traits"])
    reasons: dict[int, str] = field(default_factory=dict[int, str])

    def number_of(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the trajectory number of some steps, given by their places."""
        return number_of(self.keys[places] * MAX_PLACES)


def score_steps(rankings: Sequence[Ranking], *, keys: NDArray[np.int64], n_steps: int) -> Scored:
    """Fuse rankings of passages into scores of steps.

    With x_k(i) the pooled score of step i under structure k, z_k = (x_k - mean) / deviation over
    all steps in scope, and z = Σ_k z_k over the structures that match words and meanings, the total
    is z(i) + Σ_{d=1,2} .35^d · (z(i-d) + z(i+d)), plus Σ_k z_k(i) over the others.

    A structure that has indexed only a share c of the scope speaks of what it found alone: z_k is
    taken over c · n steps and weighs c, and is 0 for the others.

    Args:
        rankings: One per structure.
        keys: Keys of the candidate steps, ascending: all steps in scope, or those with a hit.
        n_steps: Number of steps in scope, at least `len(keys)`.
    """
    parts = {
        ranking.structure: _part(ranking, keys, n_steps=n_steps)
        for ranking in rankings
        if len(ranking.rowids)
    }
    nothing = np.zeros(len(keys))
    traits = {ranking.structure: ranking.traits for ranking in rankings}
    # Words and meanings find the step that uses them; others find the very step that is meant.
    lending = sum((z for name, z in parts.items() if traits[name].matches), start=nothing)
    exact = sum((z for name, z in parts.items() if not traits[name].matches), start=nothing)
    return Scored(
        keys=keys,
        total=_lent(lending, keys) + exact,
        parts=parts,
        passages=_passage_scores(rankings),
        traits=traits,
    )


def _part(ranking: Ranking, keys: NDArray[np.int64], *, n_steps: int) -> NDArray[np.float64]:
    values = _pooled(ranking, keys)
    if ranking.coverage >= 1.0:
        return standardised(values, n_steps=n_steps)
    # Not yet indexed is no low score: else the first steps with vectors would beat every word.
    found = np.isin(keys, ranking.rowids // MAX_PLACES)
    n_covered = max(int(found.sum()), round(ranking.coverage * n_steps))
    part = np.zeros(len(keys))
    part[found] = ranking.coverage * standardised(values[found], n_steps=n_covered)
    return part


def standardised(values: NDArray[np.float64], *, n_steps: int) -> NDArray[np.float64]:
    """Return (x - mean) / deviation over n steps, those not among the values counting as the least.

    >>> standardised(np.array([0.0, 2.0]), n_steps=2).tolist()
    [-1.0, 1.0]
    """
    if len(values) == 0:
        return values
    rest = max(0, n_steps - len(values))
    low, n = float(values.min()), len(values) + rest
    # Rounded, the mean of equal values may differ from them, by what then is their deviation.
    mean = min(max((float(values.sum()) + rest * low) / n, low), float(values.max()))
    square = (float(((values - mean) ** 2).sum()) + rest * (low - mean) ** 2) / n
    return (values - mean) / np.sqrt(square) if square > 0 else np.zeros_like(values)


def _pooled(ranking: Ranking, keys: NDArray[np.int64]) -> NDArray[np.float64]:
    """Pool passages into steps: the best of what was said, plus the best of what came back.

    The first passage of a step stands for the one, all others for the other. Scores are taken
    above the least there is: 0 for BM25, which no term of the question earns, the lowest for
    cosine, whose zero means nothing.
    """
    order = np.argsort(ranking.rowids)
    rows, scores = ranking.rowids[order], ranking.scores[order]
    least = 0.0 if ranking.is_sparse else float(scores.min())
    said = rows % MAX_PLACES == 0
    heads = _best(rows[said], scores[said], keys, missing=least)
    rest = _best(rows[~said], scores[~said], keys, missing=least)
    pooled = np.maximum(heads + rest - 2 * least, 0.0)
    return pooled**_POWER if ranking.traits.matches == "words" else pooled


def _best(
    rows: NDArray[np.int64],
    scores: NDArray[np.float64],
    keys: NDArray[np.int64],
    *,
    missing: float,
) -> NDArray[np.float64]:
    """Return each step's best passage score; rows ascending."""
    best = np.full(len(keys), missing)
    if len(rows) == 0:
        return best
    steps = rows // MAX_PLACES
    starts = np.flatnonzero(np.r_[True, steps[1:] != steps[:-1]])
    places, known = _places(steps[starts], keys)
    best[places[known]] = np.maximum.reduceat(scores, starts)[known]
    return best


def _places(
    wanted: NDArray[np.int64], keys: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return places, keys[places] == wanted


def _lent(scores: NDArray[np.float64], keys: NDArray[np.int64]) -> NDArray[np.float64]:
    total = scores.copy()
    if len(keys) == 0:
        return total
    for distance in range(1, _REACH + 1):
        for side in (-distance, distance):
            # Keys of different trajectories are never adjacent: a trajectory's last key is far
            # below the next one's first.
            places, known = _places(keys + side, keys)
            total[known] += _NEAR**distance * scores[places[known]]
    return total


def _passage_scores(rankings: Sequence[Ranking]) -> PassageScores:
    """Add up the standardised scores of the hits of all structures."""
    found = [ranking for ranking in rankings if len(ranking.rowids)]
    if not found:
        return PassageScores(rows=np.empty(0, dtype=np.int64), values=np.empty(0), least=0.0)
    standard = [(ranking.scores - ranking.mean) / ranking.deviation for ranking in found]
    # BM25 gives 0 to what holds no term; cosine ranks at least as low as its worst hit.
    missing = [
        -ranking.mean / ranking.deviation if ranking.is_sparse else float(z.min())
        for ranking, z in zip(found, standard, strict=True)
    ]
    least = sum(missing)
    rows = np.unique(np.concatenate([ranking.rowids for ranking in found]))
    values = np.full(len(rows), least)
    for ranking, z, low in zip(found, standard, missing, strict=True):
        values[np.searchsorted(rows, ranking.rowids)] += z - low
    return PassageScores(rows=rows, values=values, least=least)
