"""Steps are told apart by what was said and done, whatever file and place they are read from."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.trajectory.contents import SPOKEN, Content, chained, content_of, contents_of
from stepwell.trajectory.model import Call, RawRecord, Result, Step
from support.trajectories import said, step_lists, trajectory, turn

if TYPE_CHECKING:
    from stepwell.trajectory.model import Kind

CALL = Call(uid="k1", name="bash", args={"command": "ls"}, native_id="toolu_1")
STEP = Step(
    index=1, uid="u1", kind="agent", actor="agent", message="hi", thought="hm", calls=(CALL,)
)


def of(step: Step) -> bytes:
    return content_of(step, record="", before=b"").said


@pytest.mark.parametrize(
    "change",
    [
        {"index": 9},
        {"uid": "another"},
        {"parent_uid": "u0"},
        {"active": False, "branch_id": "s0"},
        {"status": "interrupted"},
        {"raw_refs": (4,)},
        {"t_start": datetime(2026, 1, 1, tzinfo=UTC)},
        {"actor": "agent:a7"},
        {"results": (Result(call_uid="k1", text="late"),)},
        {"calls": (replace(CALL, uid="k9"),)},
    ],
    ids=str,
)
def test_where_a_step_stands_and_what_came_back_does_not_make_it_another(
    change: dict[str, Any],
) -> None:
    assert of(replace(STEP, **change)) == of(STEP)


@pytest.mark.parametrize(
    "change",
    [
        {"message": "hi "},
        {"thought": ""},
        {"message": "hm", "thought": "hi"},
        {"kind": "user", "actor": "user"},
        {"calls": ()},
        {"calls": (CALL, CALL)},
        {"calls": (replace(CALL, name="sh"),)},
        {"calls": (replace(CALL, args={"command": "ls -l"}),)},
        {"calls": (replace(CALL, native_id="toolu_2"),)},
    ],
    ids=str,
)
def test_another_word_or_call_makes_it_another(change: dict[str, Any]) -> None:
    assert of(replace(STEP, **change)) != of(STEP)


def test_two_speakers_who_say_the_same_are_told_apart_but_for_agents() -> None:
    ann, ben = (replace(said(0, "yes"), actor=actor) for actor in ("Ann", "Ben"))
    assert of(ann) != of(ben)


@given(steps=step_lists())
def test_a_prefix_is_of_all_that_was_said_up_to_there(steps: list[Step]) -> None:
    contents = contents_of(steps, ())
    assert [one.kind for one in contents] == [step.kind for step in steps]
    for end in range(len(steps) + 1):
        assert contents_of(steps[:end], ()) == contents[:end]
    assert len({one.prefix for one in contents}) == len(contents)
    assert chained(contents) == contents


@pytest.mark.parametrize("kind", ["system", "summary", "context", "meta"])
def test_what_the_harness_puts_in_leaves_the_prefix_as_it_was(kind: Kind) -> None:
    assert kind not in SPOKEN
    put_in = Step(index=1, uid="x", kind=kind, actor="harness", message="reminder")
    with_it = contents_of([said(0, "go"), put_in, turn(2, "ls", "")], ())
    without = contents_of([said(0, "go"), turn(1, "ls", "")], ())
    assert [one.prefix for one in with_it] == [without[0].prefix, *(one.prefix for one in without)]


def test_a_prefix_tells_the_order_of_what_was_said() -> None:
    one, other = ([said(0, a), said(1, b)] for a, b in (("a", "b"), ("b", "a")))
    assert contents_of(one, ())[-1].prefix != contents_of(other, ())[-1].prefix


@given(steps=step_lists(), wrong=st.binary(min_size=16, max_size=16))
def test_chaining_gives_back_every_prefix_and_nothing_else(steps: list[Step], wrong: bytes) -> None:
    contents = contents_of(steps, ())
    assert chained(replace(one, prefix=wrong) for one in contents) == contents


def test_the_record_is_the_first_a_step_was_read_from_as_far_as_there_is_one() -> None:
    steps = [
        replace(said(0, "a"), raw_refs=(1, 0)),
        replace(said(1, "b"), raw_refs=(7,)),
        said(2, "c"),
    ]
    records: tuple[RawRecord, ...] = trajectory(steps).raw_records[:2]
    found = [one.record for one in contents_of(steps, records)]
    assert found == [bytes.fromhex(records[1].sha256)[:16], b"", b""]


def test_a_content_is_a_value() -> None:
    one = content_of(STEP, record="ab" * 32, before=b"")
    assert one == Content(kind="agent", said=of(STEP), record=b"\xab" * 16, prefix=one.prefix)
