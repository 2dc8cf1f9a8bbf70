"""Noise of scores: read from how well the best steps explain the question."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell_bench.osu.noise import explained_share, standard_scores
from support.problems import made

SEEDS = range(40)


def run_of(seed: int, *, n: int = 200, d: int = 128) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def share_of(vectors: np.ndarray, query: np.ndarray) -> float:
    query = (query / np.linalg.norm(query)).astype(np.float32)
    scores = (vectors @ query).astype(np.float64)
    return explained_share(scores, vectors=vectors, query=query)


def test_a_question_that_is_a_step_is_explained() -> None:
    for seed in SEEDS:
        vectors = run_of(seed)
        assert share_of(vectors, vectors[seed]) == pytest.approx(1.0, abs=1e-5)
        assert share_of(vectors, vectors[seed] + vectors[seed + 1]) > 0.95


def test_a_question_that_is_noise_is_not() -> None:
    shares = [
        share_of(run_of(seed), np.random.default_rng(seed + 10_000).normal(size=128))
        for seed in SEEDS
    ]
    assert np.mean(shares) < 0.03
    assert max(shares) < 0.15


def test_half_a_question_is_explained_in_part() -> None:
    shares = []
    for seed in SEEDS:
        vectors = run_of(seed)
        noise = np.random.default_rng(seed + 10_000).normal(size=128)
        shares.append(share_of(vectors, vectors[seed] + noise / np.linalg.norm(noise)))
    assert 0.25 < np.mean(shares) < 0.55


def test_without_vectors_or_with_few_steps_nothing_is_explained() -> None:
    vectors = run_of(0)[:5]
    assert share_of(vectors, vectors[0]) == 0
    scores = np.ones(9)
    assert explained_share(scores, vectors=None, query=vectors[0]) == 0
    assert explained_share(scores, vectors=run_of(0)[:9], query=None) == 0


@given(st.integers(0, 2**32 - 1), st.integers(0, 14), st.booleans())
def test_shares_lie_between_none_and_all(seed: int, n: int, encoded: bool) -> None:  # noqa: FBT001
    problem = made(seed, n=n, n_units=0, encoded=encoded)
    share = explained_share(problem.scores, vectors=problem.vectors, query=problem.query)
    assert 0 <= share <= 1


@given(st.integers(0, 2**32 - 1), st.integers(1, 14), st.booleans(), st.floats(0, 1))
def test_standard_scores_are_at_least_in_deviations(
    seed: int,
    n: int,
    encoded: bool,  # noqa: FBT001
    share: float,
) -> None:
    problem = made(seed, n=n, n_units=0, encoded=encoded)
    z = standard_scores(problem.scores, share=share, query=problem.query)
    assert np.isfinite(z).all()
    assert abs(float(z.mean())) < 1e-9
    # Noise is at most the deviation, so that scores spread by one at least.
    assert float(z.std()) >= 1 - 1e-9 or not z.any()
    assert (np.argsort(z, kind="stable") == np.argsort(problem.scores, kind="stable")).all()
    if problem.query is None:
        assert float(z.std()) == pytest.approx(1.0) or not z.any()


def test_a_well_explained_question_gets_sharp_scores() -> None:
    vectors = run_of(3)
    scores = (vectors @ vectors[0]).astype(np.float64)
    dull, sharp = (standard_scores(scores, share=s, query=vectors[0]) for s in (0.0, 0.9))
    assert sharp.max() > 2 * dull.max()


@pytest.mark.parametrize("value", [0.0, 0.1, -1e6, 1 / 3])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 1000])
def test_equal_scores_are_all_zero(value: float, n: int) -> None:
    # The mean of three times 0.1 is not 0.1.
    for query in (None, np.ones(4, dtype=np.float32)):
        z = standard_scores(np.full(n, value), share=0.0, query=query)
        assert z.tolist() == [0.0] * n
