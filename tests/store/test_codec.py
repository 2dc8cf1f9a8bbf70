"""Bytes of steps and heads: they come back as they were, small where that pays."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.errors import StoreError
from stepwell.store.codec import decode_head, decode_step, encode_head, encode_step, pack, unpack
from support.trajectories import said, step_lists, trajectory, turn

if TYPE_CHECKING:
    from stepwell.trajectory.model import Step


@given(data=st.binary(max_size=5_000))
@settings(max_examples=40)
def test_what_is_packed_comes_back(data: bytes) -> None:
    assert unpack(pack(data)) == data


def test_only_what_is_long_enough_is_deflated() -> None:
    short, long = b"a" * 2047, b"a" * 2048
    assert pack(short) == b"0" + short
    assert pack(long)[:1] == b"1"
    assert zlib.decompress(pack(long)[1:]) == long
    assert len(pack(long)) < 100


def test_nothing_is_packed_as_its_tag_alone() -> None:
    assert pack(b"") == b"0"
    assert unpack(b"0") == b""


@given(steps=step_lists(max_size=3))
@settings(max_examples=30, deadline=None)
def test_steps_come_back_and_equal_ones_have_equal_bytes(steps: list[Step]) -> None:
    for step in steps:
        assert decode_step(encode_step(step)) == step
    assert encode_step(turn(3, "ls", "ä\n🦓")) == encode_step(turn(3, "ls", "ä\n🦓"))
    assert encode_step(turn(3, "ls", "a")) != encode_step(turn(3, "ls", "b"))


def test_a_head_has_neither_steps_nor_raw_records() -> None:
    whole = trajectory([said(0, "hello")], name="näme", session="s")
    head = decode_head(encode_head(whole))
    assert (head.steps, head.raw_records) == ((), ())
    assert (head.trajectory_id, head.session_id, head.source_format) == ("näme", "s", "test")


@pytest.mark.parametrize("decode", [decode_step, decode_head])
@pytest.mark.parametrize("damage", [b"", b"0", b"0{", b"1not deflated", b"0[]", b'0{"index": "x"}'])
def test_damaged_bytes_are_an_error_that_says_what_to_do(decode: object, damage: bytes) -> None:
    assert callable(decode)
    with pytest.raises(StoreError, match="What is stored of a trajectory is damaged") as caught:
        decode(damage)
    assert "Restore the file from a backup, or forget the trajectory" in str(caught.value.hint)
