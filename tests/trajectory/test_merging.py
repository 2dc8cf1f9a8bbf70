"""What a store keeps of a step that is read again, stands elsewhere, or is forgotten."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.trajectory.merging import forgotten, is_forgotten, merged, placed, renamed
from stepwell.trajectory.model import Call, Part, Result, Step
from support.trajectories import said, step_lists, texts, trajectory, turn

if TYPE_CHECKING:
    from collections.abc import Sequence

T0, T1 = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)


def calling(results: Sequence[Result], *, n: int = 3) -> Step:
    calls = tuple(Call(uid=f"k{at}", name="bash", args={}) for at in range(n))
    return Step(index=0, uid="s0", kind="agent", actor="agent", calls=calls, results=tuple(results))


def came(*answers: tuple[int | None, str]) -> list[Result]:
    return [Result(call_uid=None if at is None else f"k{at}", text=text) for at, text in answers]


def texts_of(step: Step) -> list[str]:
    return [result.text for result in step.results]


def test_a_result_that_a_log_cleared_is_kept() -> None:
    old = replace(calling(came((0, "long output"), (1, "b"))), raw_refs=(1,), status="ok")
    new = replace(calling(came((0, "[gone]"))), raw_refs=(5,), status="interrupted")
    kept = merged(old, new)
    assert texts_of(kept) == ["long output", "b"]
    assert (kept.status, kept.raw_refs) == ("ok", (1, 5))


def test_a_result_that_came_late_or_whole_is_taken() -> None:
    old = replace(calling(came((1, "beg"))), raw_refs=(1,), status="interrupted")
    new = replace(calling(came((1, "begin and end"), (2, "c"))), raw_refs=(5,), status="ok")
    kept = merged(old, new)
    assert texts_of(kept) == ["begin and end", "c"]
    assert (kept.status, kept.raw_refs) == ("ok", (5,))


def test_results_stand_in_the_order_of_calls_and_those_of_no_call_behind() -> None:
    old = calling(came((2, "two"), (None, "stray")))
    new = calling(came((0, "zero")))
    assert texts_of(merged(old, new)) == ["zero", "two", "stray"]


def test_all_results_of_one_call_are_kept() -> None:
    both = calling(came((0, "first"), (0, "second one")))
    assert texts_of(merged(both, both)) == ["first", "second one"]
    assert texts_of(merged(both, calling(came((0, "")))))[:1] == ["first"]


@given(
    st.lists(st.tuples(st.sampled_from([0, 1, 2, None]), texts), max_size=4),
    st.lists(st.tuples(st.sampled_from([0, 1, 2, None]), texts), max_size=4),
)
def test_no_text_of_results_gets_shorter_and_reading_the_same_again_changes_nothing(
    before: list[tuple[int | None, str]], now: list[tuple[int | None, str]]
) -> None:
    old, new = (calling(sorted(came(*one), key=_place)) for one in (before, now))
    both = merged(old, new)
    assert len(both.results) >= max(len(old.results), len(new.results))
    assert sum(map(len, texts_of(both))) >= max(
        sum(map(len, texts_of(old))), sum(map(len, texts_of(new)))
    )
    assert merged(old, old) == old
    assert merged(both, new) == both


def _place(result: Result) -> tuple[bool, str]:
    return result.call_uid is None, result.call_uid or ""


def test_a_time_that_another_reading_lacks_is_kept() -> None:
    old = replace(said(0, "a"), t_start=T0, t_source="log", t_end=T1)
    assert merged(old, said(0, "a")) == old
    assert merged(said(0, "b"), old) == old
    assert merged(old, replace(said(0, "a"), t_start=T1)).t_start == T1


@given(steps=step_lists(max_size=5), data=st.data())
def test_a_placed_step_says_what_it_said_under_its_index_in_the_run(
    steps: list[Step], data: st.DataObject
) -> None:
    indices = data.draw(st.permutations(range(len(steps))))
    for step in steps:
        at = placed(step, indices=indices, refs=None)
        assert at.index == indices[step.index]
        assert replace(at, index=step.index) == step  # whose ids are the log's own: they stay


def test_ids_that_were_made_of_places_follow_the_steps() -> None:
    step = Step(
        index=1,
        uid="s1",
        kind="agent",
        actor="agent",
        parent_uid="s0",
        calls=(Call(uid="s1.c1", name="x", args={}), Call(uid="toolu_1", name="x", args={})),
        results=(Result(call_uid="s1.c1", text=""), Result(call_uid=None, text="")),
        raw_refs=(0, 1),
    )
    at = placed(step, indices=[10, 11], refs={0: 7, 1: 4})
    assert (at.index, at.uid, at.parent_uid) == (11, "s11", "s10")
    assert [call.uid for call in at.calls] == ["s11.c1", "toolu_1"]
    assert [result.call_uid for result in at.results] == ["s11.c1", None]
    assert at.raw_refs == (4, 7)


@pytest.mark.parametrize("uid", ["s2", "s99", "sx", "s1x", "as1", "S1", "s-1", "s1234567890"])
def test_an_id_that_no_step_of_the_reading_has_stays(uid: str) -> None:
    step = replace(said(0, "a"), parent_uid=uid)
    assert placed(step, indices=[5, 6], refs=None).parent_uid == uid


def test_a_step_that_stays_where_it_is_is_the_same_value() -> None:
    step = said(1, "a")
    assert placed(step, indices=[0, 1], refs=None) is step


@pytest.mark.parametrize(
    ("name", "parent", "now"),
    [
        ("run/a1", "run", ("run#2/a1", "run#2")),
        ("a1", "run", ("a1", "run#2")),
        ("runner/a1", "run", ("runner/a1", "run#2")),
        ("run/a1", None, ("run/a1", None)),
        ("else/a1", "else", ("else/a1", "else")),
    ],
)
def test_a_subagent_follows_its_parent_to_another_id(
    name: str, parent: str | None, now: tuple[str, str | None]
) -> None:
    child = replace(trajectory([], name=name), parent_trajectory_id=parent)
    found = renamed(child, {"run": "run#2"})
    assert (found.trajectory_id, found.parent_trajectory_id) == now


def test_of_a_forgotten_step_its_place_is_left_and_nothing_it_said() -> None:
    step = replace(
        turn(4, "cat secret", "walrus"),
        message="walrus",
        thought="walrus",
        parts=(Part(kind="text", text="walrus"),),
        raw_refs=(2,),
        t_start=T0,
        active=False,
        extra={"walrus": 1},
    )
    left = forgotten(step)
    assert (left.index, left.active, left.t_start) == (4, False, T0)
    assert "walrus" not in repr(left)
    assert (is_forgotten(left), is_forgotten(step)) == (True, False)
    assert forgotten(left) == left
