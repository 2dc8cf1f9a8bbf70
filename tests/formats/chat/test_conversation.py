from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from stepwell.formats.base import Notes
from stepwell.formats.chat.conversation import conversation_steps
from stepwell.formats.chat.logs import chats
from stepwell.formats.files.decode import decode

if TYPE_CHECKING:
    from stepwell.trajectory.model import Blob, Notice, Step

CALL = {"id": "a", "function": {"name": "ls", "arguments": "{}"}}


def read(*messages: Any, **options: Any) -> tuple[list[Step], list[Notice], tuple[Blob, ...]]:
    notes = Notes("log.json")
    source = decode(json.dumps(list(messages)).encode(), notes=notes)
    (chat,) = chats(source, notes)
    steps, blobs = conversation_steps(chat, notes, **options)
    return list(steps), notes.notices, blobs


def said(role: str, content: Any = "x", **fields: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **fields}


def test_results_join_their_calls_and_bring_their_records() -> None:
    steps, notices, _ = read(
        said("user"),
        said("assistant", tool_calls=[CALL]),
        said("tool", "files", tool_call_id="a"),
        said("assistant", "done"),
    )
    assert [step.index for step in steps] == [0, 1, 2]
    assert [step.raw_refs for step in steps] == [(0,), (1, 2), (3,)]
    assert [step.status for step in steps] == ["ok", "ok", "ok"]
    assert steps[1].results[0].text == "files"
    assert notices == []


def test_a_result_without_its_call_is_a_step_and_noted() -> None:
    steps, (notice,), _ = read(said("user"), said("tool", "files", tool_call_id="a"))
    assert (steps[1].kind, steps[1].raw_refs) == ("tool_env", (1,))
    assert (notice.code, notice.effect) == ("orphan-result", "warning")
    assert notice.position == "log.json#/1"


def test_calls_that_nobody_answered_are_missing_unless_they_are_the_last() -> None:
    calling = said("assistant", tool_calls=[CALL])
    steps, _, _ = read(calling, said("user"), calling)
    assert [step.status for step in steps] == ["missing", "ok", "interrupted"]


def test_what_is_no_message_is_left_out_and_noted() -> None:
    steps, (notice,), _ = read(said("user"), 7, said("user"))
    assert [step.index for step in steps] == [0, 1]
    assert [step.raw_refs for step in steps] == [(0,), (2,)]
    assert (notice.code, notice.effect, notice.position) == (
        "not-a-message",
        "skipped",
        "log.json#/1",
    )


def test_arguments_that_are_no_json_are_noted_once_a_message() -> None:
    wrong = {"id": "a", "function": {"name": "ls", "arguments": "{no"}}
    steps, (notice,), _ = read(said("user"), said("assistant", tool_calls=[wrong, wrong]))
    assert [call.args for call in steps[1].calls] == [None, None]
    assert notice.code == "bad-arguments"


def test_a_message_of_several_pieces_gives_each_its_record() -> None:
    blocks = [
        {"type": "tool_use", "id": "a", "name": "ls", "input": {}},
        {"type": "tool_result", "tool_use_id": "a", "content": "files"},
    ]
    steps, notices, _ = read(said("user"), said("assistant", blocks))
    assert steps[1].results[0].text == "files"
    assert steps[1].raw_refs == (1, 1)
    assert notices == []


def test_a_source_may_say_what_its_messages_consist_of() -> None:
    steps, _, _ = read(said("user", "hi"), said("user"), pieces=lambda message: [message, message])
    assert [step.message for step in steps] == ["hi", "hi", "x", "x"]


def test_media_are_collected_in_order() -> None:
    _, _, blobs = read(
        said("user", "data:image/png;base64,AAAA"),
        said("assistant", tool_calls=[CALL]),
        said("tool", "data:image/png;base64,BBBB", tool_call_id="a"),
    )
    assert [blob.data for blob in blobs] == [b"\0\0\0", b"\x04\x10A"]
