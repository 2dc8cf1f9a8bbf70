"""Coherence: 1 for copies, 0 for steps as unlike as any two."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.structures.units.centroids import sums_of
from stepwell.structures.units.coherence import coherence_of
from support.units_reference import vectors_of


def coherence(vectors: np.ndarray, groups: list[list[int]]) -> list[float]:
    starts = np.cumsum([0, *map(len, groups)])
    members = np.array([step for group in groups for step in group], dtype=np.int64)
    sums = sums_of(vectors, starts, members)
    found: list[float] = coherence_of(vectors, sums=sums, starts=starts, members=members).tolist()
    return found


def expected(vectors: np.ndarray, group: list[int]) -> float:
    x = vectors.astype(np.float64) - vectors.astype(np.float64).mean(axis=0)
    own = sum(float(x[step] @ x[step]) for step in group)
    pairs = 2 * sum(float(x[a] @ x[b]) for a, b in combinations(group, 2))
    return min(1.0, max(0.0, pairs / ((len(group) - 1) * own)))


@given(st.integers(0, 99), st.lists(st.integers(2, 6), min_size=1, max_size=5))
@settings(max_examples=40, deadline=None)
def test_it_is_the_mean_correlation_within_a_group(seed: int, sizes: list[int]) -> None:
    vectors = vectors_of(12, seed=seed)
    rng = np.random.default_rng(seed)
    groups = [sorted(rng.choice(12, size=size, replace=False).tolist()) for size in sizes]
    wanted = [expected(vectors, group) for group in groups]
    assert coherence(vectors, groups) == pytest.approx(wanted, abs=1e-4)


def test_copies_cohere_and_opposites_do_not() -> None:
    vectors = np.array([[1, 0], [1, 0], [-1, 0], [0, 1]], dtype=np.float32)
    same, apart = coherence(vectors, [[0, 1], [0, 2]])
    assert same == pytest.approx(1.0)
    assert apart == 0.0


def test_a_run_of_equal_steps_has_nothing_beyond_what_all_share() -> None:
    assert coherence(np.ones((4, 3), dtype=np.float32), [[0, 1], [2, 3]]) == [0.0, 0.0]


def test_a_group_of_one_step_does_not_divide_by_zero() -> None:
    assert coherence(vectors_of(5, seed=1), [[2]]) == [0.0]


def test_without_groups_there_is_none() -> None:
    nothing = np.empty(0, dtype=np.int64)
    found = coherence_of(
        vectors_of(3, seed=1),
        sums=np.empty((0, 5), dtype=np.float32),
        starts=np.zeros(1, dtype=np.int64),
        members=nothing,
    )
    assert found.shape == (0,)
