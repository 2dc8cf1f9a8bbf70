"""The grid: integers so small that float32 adds up their products exactly, in any order."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.errors import InvalidInputError
from stepwell.structures.units.grid import grid_scale, on_grid
from support.units_reference import vectors_of


@given(st.integers(1, 2_000), st.integers(1, 60))
def test_the_scale_is_the_largest_that_keeps_sums_exact(dimension: int, terms: int) -> None:
    scale = grid_scale(dimension, terms=terms)
    assert terms * (scale + math.sqrt(dimension) / 2) ** 2 < 2**24
    assert terms * (scale + 2 + math.sqrt(dimension) / 2) ** 2 > 2**24


def test_units_too_large_for_the_dimension_are_refused() -> None:
    assert grid_scale(4, terms=3_800) >= 64
    with pytest.raises(InvalidInputError, match=r"4000 steps .* 4 dimensions") as caught:
        grid_scale(4, terms=4_000)
    assert "max_size" in caught.value.hint


def test_rows_are_whole_numbers_of_about_the_scale() -> None:
    vectors = vectors_of(50, seed=1, dimension=16)
    rows = on_grid(vectors, scale=500)
    assert rows.dtype == np.float32
    assert np.array_equal(rows, np.rint(rows))
    lengths = np.linalg.norm(rows, axis=1)
    is_zero = np.linalg.norm(vectors, axis=1) == 0
    assert np.all(lengths[is_zero] == 0)
    assert np.all(np.abs(lengths[~is_zero] - 500) <= math.sqrt(16) / 2)


def test_the_length_of_a_vector_does_not_matter() -> None:
    vectors = vectors_of(20, seed=2)
    assert np.array_equal(on_grid(vectors, scale=300), on_grid(vectors * 8, scale=300))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_value_that_is_no_number_is_refused(bad: float) -> None:
    vectors = vectors_of(5, seed=3)
    vectors[2, 1] = bad
    with pytest.raises(InvalidInputError, match="no number"):
        on_grid(vectors, scale=300)


def test_products_are_the_same_in_any_order() -> None:
    rows = on_grid(vectors_of(40, seed=4, dimension=64), scale=grid_scale(64, terms=20))
    order = np.random.default_rng(0).permutation(64)
    assert np.array_equal(rows @ rows.T, rows[:, order] @ rows[:, order].T)
    assert np.array_equal(rows[:20].sum(axis=0), rows[:20][::-1].sum(axis=0))
