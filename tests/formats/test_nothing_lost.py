"""No record that holds what somebody typed vanishes: it is a step, a notice, or refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.errors import InvalidInputError, UnknownFormatError
from stepwell.formats.read import FileRead, read_bytes
from support.claude_logs import record, user

TYPED = "typed by hand"

_texts = st.just(TYPED) | st.just(f"{TYPED}\nand more")
_blocks = st.builds(
    lambda kind, field, text: ({"type": kind} if kind else {}) | {field: text},
    st.sampled_from(["text", "input_text", "new", "thinking", "tool_result", None]),
    st.sampled_from(["text", "content", "body", "prompt"]),
    _texts,
)
_said = _texts | _blocks | st.lists(_texts | _blocks, min_size=1, max_size=3)
_messages = st.builds(
    lambda role, field, said: {"role": role, field: said},
    st.sampled_from(["user", "User", "HUMAN", "model", "tool", "critic"]),
    st.sampled_from(["content", "parts", "text", "blocks", "refusal"]),
    _said,
)


def is_told(read: FileRead) -> bool:
    steps = [step for bundle in read.bundles for step in bundle.trajectory.steps]
    texts = [step.message + step.thought for step in steps]
    texts += [result.text for step in steps for result in step.results]
    return any(TYPED in text for text in texts) or bool(read.report.notices)


def check(data: bytes) -> None:
    try:
        read = read_bytes(data, uri="log.jsonl")
    except UnknownFormatError:
        return
    assert is_told(read)
    if read.report.notices:
        with pytest.raises(InvalidInputError):
            read_bytes(data, uri="log.jsonl", strict=True)


@given(_messages)
def test_a_chat_message_is_said_noted_or_refused(message: dict[str, Any]) -> None:
    check(json.dumps([{"role": "user", "content": "hi"}, message]).encode())
    check(json.dumps({"messages": [message]}).encode())
    check(json.dumps(message).encode())


@given(_said, st.sampled_from(["user", "attachment", "queue-operation", "typed-input"]))
def test_a_record_of_claude_code_is_said_or_noted(said: Any, kind: str) -> None:
    records: dict[str, Any] = {
        "user": user(1, 0, said),
        "attachment": record(
            1, 0, "attachment", None, attachment={"type": "queued_command", "prompt": said}
        ),
        "queue-operation": {"type": kind, "operation": "enqueue", "content": said},
        "typed-input": {"type": kind, "content": said},
    }
    check(b"\n".join(json.dumps(each).encode() for each in (user(0, None, "hi"), records[kind])))


@given(_said, st.sampled_from(["user", "User", "oracle"]))
def test_a_step_of_atif_is_said_or_noted(said: Any, source: str) -> None:
    step = {"step_id": 1, "source": source, "message": said}
    agent = {"name": "a", "version": "1"}
    run = {"schema_version": "ATIF-v1.7", "trajectory_id": "t", "agent": agent, "steps": [step]}
    check(json.dumps(run).encode())
