"""Pruning: the first few memberships of a step stay, by view, likeness, first step and key."""

from __future__ import annotations

import numpy as np

from stepwell.structures.units.grouping import Group, candidates_of
from stepwell.structures.units.likeness import Likeness
from stepwell.structures.units.model import UnitOptions, View
from stepwell.structures.units.prune import prune


def kept(
    found: dict[View, list[Group]],
    rows: np.ndarray | None = None,
    *,
    most: int = 1,
    least: int = 1,
) -> list[tuple[str, list[int]]]:
    candidates = candidates_of(found)
    options = UnitOptions(max_memberships=most, min_size=least)
    keeps = prune(candidates, rows, likeness=Likeness(20), options=options)
    return [
        (key, candidates.members[start:end][keeps[start:end]].tolist())
        for key, start, end in zip(
            candidates.keys,
            candidates.starts[:-1].tolist(),
            candidates.starts[1:].tolist(),
            strict=True,
        )
    ]


A, B = Group(0, "a", 0, [0, 1, 2]), Group(0, "b", 1, [0, 1])


def test_a_step_keeps_as_many_memberships_as_it_may() -> None:
    assert kept({View.ENTITY: [A, B]}, most=2) == [("a", [0, 1, 2]), ("b", [0, 1])]
    assert kept({View.ENTITY: [A, B]}, most=1) == [("a", [0, 1, 2]), ("b", [])]


def test_entities_come_before_tools_however_alike_the_tools_are() -> None:
    rows = np.array([[9, 0], [9, 0], [-9, 0]], dtype=np.float32)
    found = {View.ENTITY: [A], View.TOOL: [B]}
    assert kept(found, rows) == [("a", [0, 1, 2]), ("b", [])]


def test_of_one_view_a_step_keeps_what_it_is_most_alike() -> None:
    rows = np.array([[9, 0], [9, 0], [-9, 0]], dtype=np.float32)
    assert kept({View.ENTITY: [A, B]}, rows) == [("a", [0, 1, 2]), ("b", [])]
    rows = np.array([[9, 1], [9, 0], [-5, 9]], dtype=np.float32)
    assert kept({View.ENTITY: [A, B]}, rows) == [("a", [2]), ("b", [0, 1])]


def test_units_left_with_too_few_steps_are_dropped_whole_and_once() -> None:
    rows = np.array([[9, 1], [9, 0], [-5, 9]], dtype=np.float32)
    assert kept({View.ENTITY: [A, B]}, rows, least=2) == [("a", []), ("b", [0, 1])]


def test_without_candidates_nothing_is_kept() -> None:
    assert kept({View.ENTITY: []}) == []


def test_steps_beyond_those_that_are_counted_in_sixteen_bits_are_pruned_alike() -> None:
    far = 1 << 16
    first, second = Group(0, "a", 0, [0, far, far + 1]), Group(far, "b", 1, [far, far + 1])
    assert kept({View.ENTITY: [first, second]}) == [("a", [0, far, far + 1]), ("b", [])]
