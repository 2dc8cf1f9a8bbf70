"""Sparse rankings: the best first, and moments over all that was searched."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.store.database import open_database
from stepwell.structures.episodic import Episodic
from stepwell.structures.sparse import sparse_ranking

STRUCTURE = Episodic(open_database(None))

found = st.dictionaries(
    st.integers(0, 2**62), st.floats(0, 1e6, allow_subnormal=False), max_size=30
)


def test_the_best_come_first_and_ties_by_row_id() -> None:
    ranking = sparse_ranking(STRUCTURE, {9: 1.0, 5: 2.0, 7: 1.0, 3: 0.5}, n_passages=4, limit=3)
    assert ranking.rowids.tolist() == [5, 7, 9]
    assert ranking.scores.tolist() == [2.0, 1.0, 1.0]
    assert (ranking.structure, ranking.traits) == ("episodic", STRUCTURE.traits)


def test_what_is_not_found_counts_as_zero() -> None:
    ranking = sparse_ranking(STRUCTURE, {1: 3.0, 2: 1.0}, n_passages=8, limit=1)
    assert ranking.mean == pytest.approx(0.5)
    assert ranking.deviation == pytest.approx(1.0)
    assert ranking.is_sparse


def test_more_found_than_passages_known_counts_what_is_found() -> None:
    assert sparse_ranking(STRUCTURE, {1: 3.0, 2: 1.0}, n_passages=1, limit=9).mean == 2.0


@pytest.mark.parametrize("scores", [{}, {1: 2.0}])
def test_without_any_spread_the_deviation_is_one(scores: dict[int, float]) -> None:
    ranking = sparse_ranking(STRUCTURE, scores, n_passages=len(scores), limit=5)
    assert ranking.deviation == 1.0
    assert ranking.mean == sum(scores.values())


@given(found, st.integers(0, 100), st.integers(0, 40))
def test_moments_are_those_of_all_scores_with_zeros(
    scores: dict[int, float], more: int, limit: int
) -> None:
    n = len(scores) + more
    ranking = sparse_ranking(STRUCTURE, scores, n_passages=n, limit=limit)
    every = np.array([*scores.values(), *[0.0] * more, *([0.0] if n == 0 else [])])
    assert ranking.mean == pytest.approx(every.mean(), rel=1e-6)
    if every.std() > 1e-3 * (every.mean() or 1):
        assert ranking.deviation == pytest.approx(every.std(), rel=1e-3)
    assert len(ranking.rowids) == min(limit, len(scores))
    assert ranking.scores.tolist() == sorted(scores.values(), reverse=True)[:limit]
