"""Units of one trajectory as marks and vectors come and go."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.errors import InvalidInputError
from stepwell.structures.units.build import build_units
from stepwell.structures.units.marks import Marks
from stepwell.structures.units.model import UnitOptions
from stepwell.structures.units.view import UnitView
from support import units_reference as ref

some_marks = st.builds(
    Marks,
    entities=st.lists(st.sampled_from("abc"), max_size=2, unique=True).map(tuple),
    tools=st.lists(st.sampled_from(["look", "take"]), max_size=1).map(tuple),
    plan=st.none() | st.sampled_from(["", "sail"]),
    turn=st.none() | st.integers(0, 5),
    active=st.booleans(),
)


def view_of(*marks: Marks) -> UnitView:
    view = UnitView()
    view.extend(marks)
    return view


@given(st.lists(some_marks, max_size=20), st.data())
@settings(max_examples=60, deadline=None)
def test_a_view_that_was_cut_and_grown_is_one_made_at_once(
    marks: list[Marks], data: st.DataObject
) -> None:
    view = view_of(*marks)
    if data.draw(st.booleans()):
        view.units()
    n = data.draw(st.integers(0, len(marks)))
    view.cut(n)
    assert len(view.annotations) == n
    if data.draw(st.booleans()):
        ref.assert_equal(view.units(), view_of(*marks[:n]).units())
    view.extend(marks[n:])
    assert view.annotations == view_of(*marks).annotations
    ref.assert_equal(view.units(), build_units(view.annotations, None))


def test_a_goal_goes_on_until_another_and_not_from_an_abandoned_branch() -> None:
    view = view_of(
        Marks(turn=0),
        Marks(plan="sail"),
        Marks(),
        Marks(plan="", active=False),
        Marks(),
        Marks(plan=""),
        Marks(turn=6, active=False),
        Marks(subgoal="own label"),
    )
    assert [one.subgoal for one in view.annotations] == [
        *("turn:0", "plan:sail", "plan:sail", "turn:0", "plan:sail", "turn:0", "turn:6"),
        "own label",
    ]


def test_goals_go_on_from_what_is_left_after_a_cut() -> None:
    view = view_of(Marks(plan="sail"), Marks(plan="moor"))
    view.cut(1)
    view.extend([Marks()])
    assert [one.subgoal for one in view.annotations] == ["plan:sail", "plan:sail"]


def test_units_asked_for_again_are_the_same_object() -> None:
    view = view_of(*[Marks(entities=("a",))] * 4)
    units = view.units()
    assert view.units() is units
    view.cut(4)
    assert view.units() is units
    view.cut(3)
    assert view.units() is not units
    assert view.units().n_steps == 3


def test_vectors_of_some_steps_give_the_units_of_these() -> None:
    view = view_of(*[Marks(entities=("a",), turn=0)] * 12)
    vectors = ref.vectors_of(12, seed=4)
    ref.assert_equal(view.units(vectors[:7]), build_units(view.annotations[:7], vectors[:7]))
    ref.assert_equal(view.units(vectors), build_units(view.annotations, vectors))
    ref.assert_equal(view.units(vectors[:7]), build_units(view.annotations[:7], vectors[:7]))
    ref.assert_equal(view.units(), build_units(view.annotations, None))


def test_one_vector_too_many_is_refused_and_as_many_as_steps_are_not() -> None:
    view = view_of(*[Marks()] * 3)
    assert view.units(ref.vectors_of(3, seed=1)).n_steps == 3
    with pytest.raises(InvalidInputError, match="There are 4 vectors and 3 steps"):
        view.units(ref.vectors_of(4, seed=1))


def test_a_vector_that_is_no_number_leaves_the_view_usable() -> None:
    view = view_of(*[Marks(entities=("a",))] * 5)
    vectors = ref.vectors_of(5, seed=2)
    broken = vectors.copy()
    broken[4] = np.nan
    with pytest.raises(InvalidInputError, match="no number"):
        view.units(broken)
    ref.assert_equal(view.units(vectors), build_units(view.annotations, vectors))


def test_options_are_those_of_the_view() -> None:
    view = UnitView(UnitOptions(min_size=3))
    view.extend([Marks(entities=("a",)), Marks(entities=("a",))])
    assert len(view.units()) == 0
    view.extend([replace(Marks(), entities=("a",))])
    assert "a" in view.units().keys
