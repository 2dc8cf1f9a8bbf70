from __future__ import annotations

from typing import Any

import pytest

from stepwell.formats.chat.anthropic_messages import chat_messages

TEXT = {"type": "text", "text": "hello"}
CALL = {"type": "tool_use", "id": "t1", "name": "ls", "input": {"path": "."}}
MADE = {"id": "t1", "function": {"name": "ls", "arguments": {"path": "."}}}
GOT = {"type": "tool_result", "tool_use_id": "t1", "content": "42", "is_error": True}
TOOL = {"role": "tool", "tool_call_id": "t1", "content": "42", "is_error": True}


@pytest.mark.parametrize("content", ["hello", None, [], [TEXT], [TEXT, "x", 7], {"type": "x"}])
def test_a_message_without_calls_or_results_comes_back_itself(content: Any) -> None:
    message = {"role": "user", "content": content}
    (only,) = chat_messages(message)
    assert only is message


@pytest.mark.parametrize("kind", ["tool_use", "server_tool_use", "mcp_tool_use"])
def test_calls_leave_the_content(kind: str) -> None:
    message = {"role": "assistant", "content": [TEXT, CALL | {"type": kind}], "id": "m"}
    assert chat_messages(message) == [
        {"role": "assistant", "content": [TEXT], "id": "m", "tool_calls": [MADE]}
    ]


def test_a_message_of_calls_alone_stays_a_message() -> None:
    assert chat_messages({"role": "assistant", "content": [CALL]}) == [
        {"role": "assistant", "content": [], "tool_calls": [MADE]}
    ]


def test_results_alone_leave_no_message_behind() -> None:
    assert chat_messages({"role": "user", "content": [GOT, GOT]}) == [TOOL, TOOL]


def test_a_users_words_come_after_the_results() -> None:
    assert chat_messages({"role": "user", "content": [TEXT, GOT]}) == [
        TOOL,
        {"role": "user", "content": [TEXT]},
    ]


@pytest.mark.parametrize("kind", ["web_search_tool_result", "mcp_tool_result"])
def test_results_of_the_servers_own_tools_come_after_their_call(kind: str) -> None:
    message = {"role": "assistant", "content": [CALL, GOT | {"type": kind}, TEXT]}
    assert chat_messages(message) == [
        {"role": "assistant", "content": [TEXT], "tool_calls": [MADE]},
        TOOL,
    ]


def test_the_message_given_is_not_changed() -> None:
    message = {"role": "assistant", "content": [TEXT, CALL]}
    chat_messages(message)
    assert message == {"role": "assistant", "content": [TEXT, CALL]}
