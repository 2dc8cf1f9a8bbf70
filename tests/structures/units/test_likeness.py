"""Likeness: how alike a step is to the sum of its group, remembered until the group grows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stepwell.structures.units.grouping import Group, candidates_of
from stepwell.structures.units.likeness import Likeness
from stepwell.structures.units.model import View

ROWS = np.array([[3, 0], [0, 4], [3, 4], [0, 0]], dtype=np.float32)


def likeness(known: Likeness, rows: np.ndarray, *groups: Group) -> list[float]:
    candidates = candidates_of({View.ENTITY: list(groups)})
    found = known.of(candidates, np.arange(len(candidates.members)), rows)
    return [float(value) for value in found]


def test_it_is_the_product_with_the_sum_over_its_length() -> None:
    found = likeness(Likeness(5), ROWS, Group(0, "a", 0, [0, 1, 2]), Group(0, "b", 1, [0, 2]))
    a, b = math.hypot(6, 8), math.hypot(6, 4)
    assert found == pytest.approx([18 / a, 32 / a, 50 / a, 18 / b, 34 / b])


def test_of_zeros_it_is_zero() -> None:
    assert likeness(Likeness(5), ROWS, Group(3, "a", 0, [3])) == [0.0]


def test_only_chosen_memberships_are_returned_in_their_order() -> None:
    candidates = candidates_of({View.ENTITY: [Group(0, "a", 0, [0, 1, 2])]})
    found = Likeness(5).of(candidates, np.array([2, 0]), ROWS)
    assert found == pytest.approx([5.0, 1.8])


def test_a_group_of_the_same_size_is_remembered_and_one_that_grew_is_not() -> None:
    known = Likeness(5)
    first = likeness(known, ROWS, Group(0, "a", 3, [0, 1]))
    assert likeness(known, ROWS * 2, Group(0, "a", 3, [0, 1])) == first
    grown = likeness(known, ROWS, Group(0, "a", 3, [0, 1, 2]))
    assert grown == likeness(Likeness(5), ROWS, Group(0, "a", 0, [0, 1, 2]))


def test_many_groups_are_kept_apart() -> None:
    rows = np.random.default_rng(0).integers(-9, 9, size=(700, 3)).astype(np.float32)
    groups = [Group(n, str(n), n, [n, n + 1, n + 2]) for n in range(0, 690, 2)]
    together = likeness(Likeness(5), rows, *groups)
    apart = [value for group in groups for value in likeness(Likeness(5), rows, group)]
    assert together == pytest.approx(apart)
