"""Sums of groups: in the order of their members, and remembered until members change."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.structures.units.centroids import Sums, normalised, sums_of
from support.units_reference import vectors_of


def packed(groups: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    members = np.array([step for group in groups for step in group], dtype=np.int64)
    return np.cumsum([0, *map(len, groups)]), members


def added(vectors: np.ndarray, group: list[int]) -> np.ndarray:
    total: np.ndarray = vectors[group[0]].copy()
    for step in group[1:]:
        total += vectors[step]
    return total


@given(st.integers(0, 99), st.lists(st.integers(1, 9), max_size=300))
@settings(max_examples=30, deadline=None)
def test_each_group_is_added_up_in_the_order_of_its_members(seed: int, sizes: list[int]) -> None:
    vectors = vectors_of(30, seed=seed)
    rng = np.random.default_rng(seed)
    groups = [rng.integers(30, size=size).tolist() for size in sizes]
    found = sums_of(vectors, *packed(groups))
    assert found.shape == (len(groups), 5)
    for total, group in zip(found, groups, strict=True):
        assert np.array_equal(total, added(vectors, group))


def test_rows_come_to_length_one_and_zeros_stay() -> None:
    rows = normalised(np.array([[3, 4], [0, 0], [0, -2]], dtype=np.float32))
    assert rows == pytest.approx(np.array([[0.6, 0.8], [0, 0], [0, -1]]))


def kept(*places: int) -> np.ndarray:
    found = np.zeros((1, 4), dtype=np.bool_)
    found[0, list(places)] = True
    return found


def test_a_sum_is_remembered_while_the_same_members_are_kept() -> None:
    sums, vectors = Sums(4), vectors_of(6, seed=1)
    ids, groups = np.array([2]), packed([[0, 1]])
    first = sums.of(vectors, groups, ids=ids, kept=kept(0, 1))
    assert np.array_equal(first[0], added(vectors, [0, 1]))
    other = vectors_of(6, seed=2)
    assert np.array_equal(sums.of(other, groups, ids=ids, kept=kept(0, 1)), first)


def test_a_sum_is_made_anew_when_other_members_are_kept() -> None:
    sums, vectors = Sums(4), vectors_of(6, seed=1)
    ids = np.array([0])
    sums.of(vectors, packed([[0, 1]]), ids=ids, kept=kept(0, 1))
    grown = sums.of(vectors, packed([[0, 1, 4]]), ids=ids, kept=kept(0, 1, 2))
    assert np.array_equal(grown[0], added(vectors, [0, 1, 4]))


def test_what_has_no_number_is_never_remembered() -> None:
    sums, one, other = Sums(4), vectors_of(6, seed=1), vectors_of(6, seed=2)
    ids, groups = np.array([-1]), packed([[2, 3]])
    sums.of(one, groups, ids=ids, kept=kept(0, 1))
    again = sums.of(other, groups, ids=ids, kept=kept(0, 1))
    assert np.array_equal(again[0], added(other, [2, 3]))


def test_numbers_may_come_in_any_order_and_far_apart() -> None:
    sums, vectors = Sums(4), vectors_of(6, seed=1)
    for number in (5, 0, 40, 5):
        found = sums.of(vectors, packed([[number % 6, 1]]), ids=np.array([number]), kept=kept(0, 1))
        assert np.array_equal(found[0], added(vectors, [number % 6, 1]))
