"""Nearest neighbours are exact, and of equally near ones those closest in time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.structures.units import nearest
from stepwell.structures.units.nearest import earlier_neighbours, neighbours


def rows_of(n: int, seed: int) -> np.ndarray:
    """Return rows of few different values, so that ties are common."""
    return np.random.default_rng(seed).integers(-2, 3, size=(n, 3)).astype(np.float32)


def expected(rows: np.ndarray, row: int, others: range, k: int) -> set[int]:
    order = sorted(
        (other for other in others if other != row),
        key=lambda other: (-float(rows[row] @ rows[other]), abs(other - row), other),
    )
    return set(order[:k])


@given(st.integers(0, 999), st.integers(2, 40), st.integers(1, 8), st.sampled_from([4, 256]))
@settings(max_examples=60, deadline=None)
def test_each_row_has_its_k_nearest_others(seed: int, n: int, k: int, block: int) -> None:
    rows, k = rows_of(n, seed), min(k, n - 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nearest, "_BLOCK", block)
        places, dots = neighbours(rows, k=k)
    assert places.shape == dots.shape == (n, k)
    for row in range(n):
        assert set(places[row].tolist()) == expected(rows, row, range(n), k)
        assert np.array_equal(dots[row], rows[places[row]] @ rows[row])


@given(st.integers(0, 999), st.integers(2, 40), st.integers(1, 8), st.sampled_from([4, 256]))
@settings(max_examples=60, deadline=None)
def test_earlier_neighbours_are_the_nearest_of_those_before(
    seed: int, n: int, k: int, block: int
) -> None:
    rows, k = rows_of(n, seed), min(k, n - 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nearest, "_BLOCK", block)
        places, dots = earlier_neighbours(rows, k=k, first=k)
    assert places.shape == (n - k, k)
    for at, row in enumerate(range(k, n)):
        assert set(places[at].tolist()) == expected(rows, row, range(row), k)
        assert np.array_equal(dots[at], rows[places[at]] @ rows[row])
