"""Groups of steps that share a name, cut at gaps and at the largest size."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.structures.units.grouping import (
    Group,
    Groups,
    candidates_of,
    gap_of,
    groups_of,
    without_common,
)
from stepwell.structures.units.model import PRIORITY, UnitOptions, View


def groups(*, min_size: int = 2, max_size: int = 3, gap: int = 4) -> Groups:
    return Groups(min_size=min_size, max_size=max_size, gap=gap, numbers=count())


def steps_of(found: Groups) -> list[tuple[str, list[int]]]:
    return [(group.name, list(group.steps)) for group in found.large()]


@pytest.mark.parametrize(
    ("view", "gap", "steps"),
    [
        (View.ENTITY, 7, 60),
        (View.ENTITY, 8, 64),
        (View.TOOL, 6, 12),
        (View.TOOL, 7, 14),
        (View.SUBGOAL, 8, 8),
        (View.SUBGOAL, 9, 9),
    ],
)
def test_how_far_apart_steps_of_a_view_may_be(view: View, gap: int, steps: int) -> None:
    assert gap_of(view, gap) == steps
    assert groups_of(view, UnitOptions(gap=gap), count()).gap == steps


def test_a_group_ends_where_the_gap_is_larger_than_it_may_be() -> None:
    found = groups(gap=4)
    found.extend(0, [["a"], [], [], [], ["a"], [], [], [], [], ["a"], ["a"]])
    assert steps_of(found) == [("a", [0, 4]), ("a", [9, 10])]


def test_a_group_is_full_at_its_largest_size() -> None:
    found = groups(max_size=3)
    found.extend(0, [["a"]] * 5)
    assert steps_of(found) == [("a", [0, 1, 2]), ("a", [3, 4])]


def test_a_step_that_has_a_name_twice_counts_once() -> None:
    found = groups()
    found.extend(0, [["a", "a"], ["a"]])
    assert steps_of(found) == [("a", [0, 1])]


def test_groups_below_the_least_size_are_none() -> None:
    found = groups(min_size=3)
    found.extend(0, [["a", "b"], ["a"]])
    assert steps_of(found) == []
    found.extend(2, [["a"]])
    assert steps_of(found) == [("a", [0, 1, 2])]


def test_groups_stand_by_first_step_then_name() -> None:
    found = groups()
    found.extend(0, [["b"], ["b", "c", "a"], ["a", "c"]])
    assert [name for name, _ in steps_of(found)] == ["b", "a", "c"]


names = st.lists(st.lists(st.sampled_from("abc"), max_size=3), max_size=25)


@given(names, st.data(), st.integers(1, 3), st.integers(0, 5))
@settings(max_examples=80, deadline=None)
def test_taking_steps_back_leaves_what_there_was_before(
    steps: list[list[str]], data: st.DataObject, min_size: int, gap: int
) -> None:
    n = data.draw(st.integers(0, len(steps)))
    found, before = (groups(min_size=min_size, gap=gap) for _ in range(2))
    found.extend(0, steps)
    found.cut(n, steps[: n - 1 if n else None : -1])
    before.extend(0, steps[:n])
    assert steps_of(found) == steps_of(before)
    found.extend(n, steps[n:])
    before.extend(n, steps[n:])
    assert steps_of(found) == steps_of(before)
    numbers = [group.number for group in found.large()]
    assert len(set(numbers)) == len(numbers)


def test_a_group_that_shrank_gets_another_number() -> None:
    found = groups()
    found.extend(0, [["a"], ["a"], ["a", "b"], ["b"]])
    kept = {group.name: group.number for group in found.large()}
    found.cut(3, [["b"]])
    found.extend(3, [["b"]])
    now = {group.name: group.number for group in found.large()}
    assert now["a"] == kept["a"]
    assert now["b"] != kept["b"]


def test_names_of_too_many_steps_together_are_left_out() -> None:
    made = [Group(0, "a", 0, [0, 1]), Group(5, "a", 1, [5, 6]), Group(0, "b", 2, [0, 1, 2])]
    assert [g.name for g in without_common(made, most=4)] == ["a", "a", "b"]
    assert [g.name for g in without_common(made, most=3.9)] == ["b"]
    assert without_common(made, most=2) == []


def test_candidates_stand_by_view_and_know_their_members() -> None:
    found = candidates_of(
        {
            View.SIMILARITY: [Group(1, "", -1, [1, 2])],
            View.ENTITY: [Group(0, "a", 7, [0, 2, 3]), Group(0, "b", 8, [0, 1])],
        }
    )
    assert [PRIORITY[view] for view in found.views] == [View.ENTITY, View.ENTITY, View.SIMILARITY]
    assert found.keys == ["a", "b", ""]
    assert found.starts.tolist() == [0, 3, 5, 7]
    assert found.members.tolist() == [0, 2, 3, 0, 1, 1, 2]
    assert found.owners.tolist() == [0, 0, 0, 1, 1, 2, 2]
    assert found.ids.tolist() == [7, 8, -1]


def test_without_groups_there_are_no_candidates() -> None:
    found = candidates_of({View.ENTITY: []})
    assert (found.keys, found.starts.tolist(), len(found.members)) == ([], [0], 0)
    assert found.ids.dtype == np.int64
