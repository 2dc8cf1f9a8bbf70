"""The body of a chat completion, and what makes a reply unusable."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.chat.base import Reply
from stepwell.chat.completion import Completion, completion


def read(*, is_json: bool = False, **fields: Any) -> Completion:
    choice = {"message": {"content": "hello"}, "finish_reason": "stop"}
    body = {"choices": [choice], "model": "toy", "usage": usage(3, 2)} | fields
    return completion(json.dumps(body).encode(), is_json=is_json)


def usage(prompt: Any, said: Any) -> dict[str, Any]:
    return {"prompt_tokens": prompt, "completion_tokens": said}


def choosing(content: Any, reason: str | None = "stop", **beside: Any) -> list[dict[str, Any]]:
    return [{"message": {"content": content, **beside}, "finish_reason": reason}]


def test_a_usable_reply_has_text_counts_and_model() -> None:
    found = read()
    assert (found.wrong, found.hint) == ("", "")
    assert found.reply == Reply(text="hello", prompt_tokens=3, completion_tokens=2, model="toy")


def test_only_the_first_choice_counts() -> None:
    assert read(choices=[*choosing("one"), *choosing("two")]).reply.text == "one"


@pytest.mark.parametrize(
    ("counts", "prompt", "said", "estimated"),
    [
        (usage(3, 2), 3, 2, False),
        (usage(0, 0), 0, 0, False),
        (usage(3, None), 3, 0, True),
        (usage("3", 2), 0, 2, True),
        (usage(-1, 2), 0, 2, True),
        (None, 0, 0, True),
    ],
)
def test_counts_that_are_missing_or_wrong_are_to_be_estimated(
    counts: Any, prompt: int, said: int, *, estimated: bool
) -> None:
    reply = read(usage=counts).reply
    assert (reply.prompt_tokens, reply.completion_tokens) == (prompt, said)
    assert reply.estimated is estimated


def test_a_reason_that_is_not_given_is_the_ordinary_one() -> None:
    assert read(choices=choosing("x", None)).reply.finish_reason == "stop"
    assert read(choices=choosing("x", "length")).reply.finish_reason == "length"
    assert read(model=None).reply.model == ""


@pytest.mark.parametrize(
    ("choices", "wrong", "hint"),
    [
        ([], "no choices", "/v1"),
        (choosing("", refusal="I will not"), "refused", "declined"),
        (choosing("half", "content_filter"), "refused", "declined"),
        (choosing(None), "an empty message", "Ask again"),
        (choosing(" \n"), "an empty message", "Ask again"),
        (choosing("", "length"), "an empty message", "Raise max_tokens"),
    ],
)
def test_a_reply_that_cannot_be_used_says_why_and_what_to_do(
    choices: Any, wrong: str, hint: str
) -> None:
    found = read(choices=choices)
    assert found.wrong == wrong
    assert hint in found.hint


def test_json_is_asked_for_only_where_a_schema_was_given() -> None:
    assert read(choices=choosing("{no"), is_json=False).wrong == ""
    assert read(choices=choosing('{"a": 1}'), is_json=True).wrong == ""
    broken = read(choices=choosing("{no"), is_json=True)
    assert broken.wrong == "no JSON, though a schema was given"
    assert "keeps to schemas" in broken.hint
    cut = read(choices=choosing('{"a": ', "length"), is_json=True)
    assert "Raise max_tokens: the JSON was cut off." in cut.hint
    assert read(choices=choosing("[" * 100_000), is_json=True).wrong.startswith("no JSON")


@pytest.mark.parametrize(
    "body",
    [b"", b"not json", b"[]", b"{}", b'{"choices": 1}', b'{"choices": [{}]}',
     b'{"choices": [{"message": {"content": 5}}]}', b"[" * 100_000, b"\xff"],
)  # fmt: skip
def test_a_body_of_another_shape_is_malformed_and_never_quoted(body: bytes) -> None:
    found = completion(body, is_json=False)
    assert found.wrong.startswith("malformed, ")
    assert found.reply == Reply(text="", prompt_tokens=0, completion_tokens=0)
    assert "serves chat completions" in found.hint


def test_half_a_surrogate_pair_in_a_cut_reply_is_read() -> None:
    body = b'{"choices": [{"message": {"content": "\\ud83d"}, "finish_reason": "length"}]}'
    assert completion(body, is_json=False).reply.text == "\ud83d"


@given(st.binary(max_size=40))
def test_no_body_raises(body: bytes) -> None:
    assert isinstance(completion(body, is_json=True), Completion)
