"""Finished units: sorted by view, first remaining step and key."""

from __future__ import annotations

import numpy as np
import pytest

from stepwell.structures.units.assemble import assemble
from stepwell.structures.units.centroids import Sums
from stepwell.structures.units.grouping import Group, candidates_of
from stepwell.structures.units.model import Units, View
from support.units_reference import plain, vectors_of


def units(
    found: dict[View, list[Group]], keeps: list[int], vectors: np.ndarray | None = None
) -> Units:
    return assemble(
        candidates_of(found),
        np.array(keeps, dtype=np.bool_),
        n_steps=9,
        vectors=vectors,
        sums=Sums(4),
    )


def test_members_that_do_not_stay_are_gone_and_empty_units_too() -> None:
    found = {View.ENTITY: [Group(0, "a", 0, [0, 1, 2]), Group(1, "b", 1, [1, 3])]}
    made = units(found, [1, 0, 1, 0, 0])
    assert plain(made) == [("entity", "a", [0, 2])]
    assert made.n_steps == 9
    assert made.centroids is None
    assert made.coherence is None


def test_units_stand_by_the_first_step_that_is_left_then_by_key() -> None:
    found = {
        View.ENTITY: [
            Group(0, "a", 0, [0, 4, 5]),
            Group(1, "z", 1, [1, 4]),
            Group(2, "b", 2, [2, 4, 6]),
            Group(3, "c", 3, [3, 5]),
        ],
        View.TOOL: [Group(0, "t", 4, [0, 1])],
    }
    made = units(found, [0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1])
    assert plain(made) == [
        ("entity", "c", [3, 5]),
        ("entity", "a", [4, 5]),
        ("entity", "b", [4, 6]),
        ("entity", "z", [4]),
        ("tool", "t", [0, 1]),
    ]


def test_similar_steps_are_named_by_the_first_that_is_left() -> None:
    found = {View.SIMILARITY: [Group(0, "", -1, [0, 2, 3])]}
    assert plain(units(found, [0, 1, 1])) == [("similarity", "similar:2", [2, 3])]


def test_centroids_are_those_of_the_members_that_stay() -> None:
    vectors = vectors_of(9, seed=5)
    found = {View.ENTITY: [Group(0, "a", 0, [0, 1, 2])]}
    made = units(found, [1, 0, 1], vectors)
    total = vectors[0] + vectors[2]
    assert made.centroids is not None
    assert made.centroids[0] == pytest.approx(total / np.linalg.norm(total))
    assert made.coherence is not None
    assert made.coherence.shape == (1,)


def test_of_nothing_there_are_no_units() -> None:
    made = units({View.ENTITY: []}, [])
    assert (len(made), made.keys, made.starts.tolist()) == (0, (), [0])
