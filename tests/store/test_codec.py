"""Steps and heads as bytes: what goes in comes out, and damage is named."""

from __future__ import annotations

import contextlib
import zlib
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.errors import StoreError
from stepwell.store.codec import (
    decode_head,
    decode_step,
    encode_head,
    encode_step,
    pack,
    unpack,
)
from stepwell.trajectory.model import (
    Agent,
    Call,
    Media,
    Metrics,
    Notice,
    Outcome,
    Part,
    Result,
    Step,
    Trajectory,
)
from support.trajectories import said, step_lists, trajectory, turn

WHOLE_STEP = Step(
    index=4,
    uid="u4",
    kind="agent",
    actor="agent:a1",
    parent_uid="u3",
    active=False,
    branch_id="b1",
    message="naïve 漢字 \U0001f40c",
    parts=(
        Part(kind="text", text="t"),
        Part(kind="media", text="[image]", media=Media(media_type="image/png", n_bytes=3)),
        Part(kind="other", data={"deep": [1, None, {"x": 1.5}]}),
    ),
    thought="hm",
    thought_redacted=True,
    calls=(
        Call(uid="k", name="bash", args={"command": "ls"}, native_id="n", actor="agent:a2"),
        Call(uid="l", name="odd", args=None, args_raw="{", args_valid=False),
    ),
    results=(
        Result(
            call_uid="k",
            text="line\nline",
            is_error=True,
            error_source="exit-code",
            exit_code=2,
            truncated=True,
            child_trajectory_id="c",
            extra={"a": []},
        ),
        Result(call_uid=None, text="", is_error=False),
    ),
    status="error",
    t_start=datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC),
    t_end=datetime(2026, 1, 2, 3, 4, 6, tzinfo=UTC),
    t_source="timestamp",
    metrics=Metrics(prompt_tokens=1, cost_usd=0.25),
    model="m",
    subgoal="s",
    is_copied_context=True,
    native_ids={"message": "m1"},
    raw_refs=(0, 7),
    extra={"k": {"l": False}},
)


@given(data=st.binary(max_size=4096))
def test_what_is_packed_is_unpacked(data: bytes) -> None:
    assert unpack(pack(data)) == data


@given(data=st.binary(min_size=1, max_size=8), size=st.integers(2040, 2056))
def test_bytes_are_deflated_from_two_kibibytes_on(data: bytes, size: int) -> None:
    whole = (data * size)[:size]
    stored = pack(whole)
    assert stored[:1] == (b"1" if size >= 2048 else b"2")
    assert unpack(stored) == whole


def test_short_bytes_stand_as_they_are_behind_their_checksum() -> None:
    assert pack(b"") == b"2" + bytes(4)
    assert pack(b"abc") == b"2" + zlib.crc32(b"abc").to_bytes(4) + b"abc"


def test_bytes_of_older_files_have_no_checksum() -> None:
    assert unpack(b"0") == b""
    assert unpack(b"0abc") == b"abc"


@given(data=st.binary(max_size=4096), place=st.integers(0), bit=st.integers(0, 7))
def test_a_bit_that_is_flipped_is_seen(data: bytes, place: int, bit: int) -> None:
    stored = bytearray(pack(data))
    place = 1 + place % (len(stored) - 1)  # behind the tag
    stored[place] ^= 1 << bit
    with contextlib.suppress(zlib.error):
        assert unpack(bytes(stored)) == data  # in a few bits of its head, zlib reads the same


def test_long_bytes_are_deflated_behind_a_one() -> None:
    stored = pack(b"a" * 2048)
    assert zlib.decompress(stored[1:]) == b"a" * 2048
    assert len(stored) < 100


def test_deflating_is_quick_rather_than_tight() -> None:
    text = b" ".join(b"%d" % (n * n) for n in range(2000))
    assert pack(text)[1:] == zlib.compress(text, level=1)


@given(steps=step_lists())
@settings(max_examples=50, deadline=None)
def test_a_step_comes_back_equal_and_equal_steps_give_equal_bytes(steps: list[Step]) -> None:
    for step in steps:
        stored = encode_step(step)
        assert decode_step(stored) == step
        assert encode_step(decode_step(stored)) == stored


def test_every_field_of_a_step_comes_back() -> None:
    assert decode_step(encode_step(WHOLE_STEP)) == WHOLE_STEP


@pytest.mark.parametrize(
    "other",
    [
        replace(WHOLE_STEP, index=5),
        replace(WHOLE_STEP, message=""),
        replace(WHOLE_STEP, active=True),
        replace(WHOLE_STEP, status="ok"),
        replace(WHOLE_STEP, raw_refs=(0,)),
    ],
)
def test_steps_that_differ_give_different_bytes(other: Step) -> None:
    assert encode_step(other) != encode_step(WHOLE_STEP)
    assert decode_step(encode_step(other)) == other


def test_a_long_step_is_deflated() -> None:
    step = turn(0, "cat log", "the same line\n" * 5000)
    stored = encode_step(step)
    assert stored[:1] == b"1"
    assert len(stored) < 5000
    assert decode_step(stored) == step


def test_a_head_keeps_all_but_steps_and_raw_records() -> None:
    whole = Trajectory(
        trajectory_id="s/a",
        session_id="s",
        source_format="claude",
        source_version="2.1",
        parent_trajectory_id="s",
        parent_call_uid="k",
        agent=Agent(name="a", version="1", model="m", tool_definitions=({"name": "bash"},)),
        task="do it",
        outcome=Outcome(reward=0.5, success=False, exit_status="limit"),
        continued_from="r",
        steps=(said(0, "hello"),),
        raw_records=trajectory([said(0, "hello")]).raw_records,
        warnings=(Notice(position="f:1", code="torn-line", message="Torn.", effect="skipped"),),
        extra={"cwd": "/x"},
    )
    head = decode_head(encode_head(whole))
    assert head == replace(whole, steps=(), raw_records=())
    assert whole.steps
    assert b"hello" not in unpack(encode_head(whole))


@pytest.mark.parametrize("damaged", [b"1not deflated", b"0{", b"0", b"", b'0{"index":"x"}', b"0[]"])
def test_damage_is_an_error_of_the_store_that_says_what_to_do(damaged: bytes) -> None:
    for decode in (decode_step, decode_head):
        with pytest.raises(StoreError, match="stored of a trajectory is damaged") as caught:
            decode(damaged)
        assert "doctor --repair" in str(caught.value.hint)
        assert caught.value.reason == "damaged"
        assert "forget the trajectory" in str(caught.value.hint)
        assert caught.value.__cause__ is not None


def test_a_head_is_no_step_and_a_step_no_head() -> None:
    with pytest.raises(StoreError):
        decode_step(encode_head(trajectory([])))
    with pytest.raises(StoreError):
        decode_head(encode_step(said(0, "x")))
