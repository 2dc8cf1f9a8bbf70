"""Units as values: their members, and the order of their views."""

from __future__ import annotations

import numpy as np

from stepwell.structures.units.model import PRIORITY, Annotation, UnitOptions, Units, View


def test_each_unit_has_its_own_members() -> None:
    units = Units(
        n_steps=6,
        views=np.array([0, 3], dtype=np.int8),
        keys=("a", "similar:1"),
        starts=np.array([0, 2, 5]),
        members=np.array([0, 4, 1, 2, 5]),
        centroids=None,
    )
    assert len(units) == 2
    assert units.of(0).tolist() == [0, 4]
    assert units.of(1).tolist() == [1, 2, 5]


def test_entities_come_before_tools_subgoals_and_likeness() -> None:
    assert PRIORITY == ("entity", "tool", "subgoal", "similarity")
    assert set(PRIORITY) == set(View)


def test_defaults_are_those_of_the_paper() -> None:
    options = UnitOptions()
    assert (options.min_size, options.max_size, options.max_memberships) == (2, 20, 5)
    assert (options.gap, options.neighbours, options.max_share) == (6, 8, 1.0)
    assert (options.views, options.min_cosine) == (PRIORITY, 0.35)
    assert Annotation() == Annotation(entities=(), tools=(), subgoal=None)
