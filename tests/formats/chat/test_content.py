from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.formats.chat.anthropic_messages import chat_messages
from stepwell.formats.chat.arguments import call_of
from stepwell.formats.chat.content import content_of
from stepwell.text.clean import readable


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("", ""),
        ([], ""),
        ("plain", "plain"),
        (["a", {"type": "text", "text": "b"}], "a\nb"),
        ({"type": "output_text", "text": "x"}, "x"),
        ({"text": "typeless"}, "typeless"),
        ({"rows": 3}, '{"rows": 3}'),
        (3, "3"),
        ([[1, 2]], "[1, 2]"),
        ([{"type": "new", "text": "inside"}], "[part:new]\ninside"),
        ([{"type": [], "x": 1}], '{"type": [], "x": 1}'),
        ([{"type": "text", "text": ""}, "b"], "b"),
    ],
)
def test_every_shape_of_content_has_a_text(value: Any, text: str) -> None:
    assert content_of(value).text == text


def test_a_string_equal_to_its_text_has_no_parts() -> None:
    assert content_of("plain").parts == ()
    assert [part.text for part in content_of("a\r\nb").parts] == ["a\r\nb"]
    assert [part.text for part in content_of(["plain"]).parts] == ["plain"]


def test_a_refusal_stands_for_the_content_it_takes_the_place_of() -> None:
    assert content_of(None, refusal="I cannot.").text == "I cannot."


def test_reasoning_is_no_part_of_the_text() -> None:
    content = content_of(
        [{"type": "thinking", "thinking": "hm"}, {"type": "redacted_thinking", "data": "x"}, "yes"]
    )
    assert (content.text, content.thought, content.is_redacted) == ("yes", "hm", True)


@given(st.text())
def test_a_string_is_shown_readably_and_kept_as_it_was(text: str) -> None:
    content = content_of(text)
    assert content.text == readable(text)
    assert content.parts == () if content.text == text else content.parts[0].text == text


def test_media_in_arguments_are_set_aside_in_strings_and_objects() -> None:
    uri = "data:image/png;base64,iVBORw0KGgo="
    for arguments in ('{"src": "' + uri + '"}', {"src": uri}, "{'src': '" + uri + "'}"):
        call, blobs = call_of("c", "show", arguments)
        assert [blob.media_type for blob in blobs] == ["image/png"]
        assert "base64" not in repr(call)


def test_half_a_surrogate_in_arguments_is_replaced() -> None:
    call, _ = call_of("c", "f", '{"a": "\\ud83d x"}')
    assert call.args == {"a": "\ufffd x"}


def test_messages_without_tool_blocks_come_back_unchanged() -> None:
    message = {"role": "user", "content": [{"type": "text", "text": "hi"}]}
    assert chat_messages(message) == [message]
    assert chat_messages({"role": "user", "content": "hi"}) == [{"role": "user", "content": "hi"}]


def test_calls_and_results_leave_the_content() -> None:
    use = {"type": "tool_use", "id": "t", "name": "f", "input": {"x": 1}}
    text = {"type": "text", "text": "hi"}
    (message,) = chat_messages({"role": "assistant", "content": [text, use]})
    assert message["content"] == [text]
    assert message["tool_calls"] == [{"id": "t", "function": {"name": "f", "arguments": {"x": 1}}}]
    result = {"type": "tool_result", "tool_use_id": "t", "content": "1", "is_error": True}
    answer, rest = chat_messages({"role": "user", "content": [result, text]})
    assert answer == {"role": "tool", "tool_call_id": "t", "content": "1", "is_error": True}
    assert rest == {"role": "user", "content": [text]}


def test_empty_thoughts_are_none_and_a_thought_in_an_unknown_field_is_a_part() -> None:
    empty = {"type": "thinking", "thinking": "", "signature": "x"}
    assert content_of([empty, empty]).thought == ""
    assert content_of([empty, {"type": "thinking", "thinking": "hm"}, empty]).thought == "hm"
    assert content_of([{"type": "thinking", "body": "hm"}]).text == "[part:thinking]"
