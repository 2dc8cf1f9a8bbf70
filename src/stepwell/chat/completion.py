"""Read the body of a chat completion; what is no usable reply is said in words of our own."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import msgspec

from stepwell.chat.base import Reply

__all__ = ["Completion", "completion"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What a body holds.

    Attributes:
        reply: The reply; its text may be blank when something is wrong.
        wrong: What makes it unusable; empty if nothing does.
        hint: What to do about it.
    """

    reply: Reply
    wrong: str = ""
    hint: str = ""


class _Message(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Body(msgspec.Struct):
    choices: list[_Choice]
    model: str | None = None
    usage: dict[str, Any] | None = None


_NO_REPLY = Reply(text="", prompt_tokens=0, completion_tokens=0)
_ADDRESS = "Check that the address ends in /v1 and serves chat completions."


def completion(body: bytes, *, is_json: bool) -> Completion:
    """Return what the body of an answer with status 200 holds.

    Args:
        body: As it came.
        is_json: Whether a JSON schema was given, so that the text must be JSON.
    """
    try:
        # Not msgspec's own decoder: it refuses half surrogate pairs, which a cut reply may end in.
        read = msgspec.convert(json.loads(body), _Body)
    except (ValueError, RecursionError) as error:  # msgspec's errors are ValueErrors
        # The error's own words could quote the body, and servers echo what was sent.
        return Completion(
            reply=_NO_REPLY, wrong=f"malformed, {type(error).__name__}", hint=_ADDRESS
        )
    if not read.choices:
        return Completion(reply=_reply(read, None), wrong="no choices", hint=_ADDRESS)
    choice = read.choices[0]
    wrong, hint = _fault(choice, is_json=is_json)
    return Completion(reply=_reply(read, choice), wrong=wrong, hint=hint)


def _reply(read: _Body, choice: _Choice | None) -> Reply:
    usage = read.usage or {}
    prompt, said = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    return Reply(
        text=(choice and choice.message.content) or "",
        prompt_tokens=prompt or 0,
        completion_tokens=said or 0,
        finish_reason=(choice and choice.finish_reason) or "stop",
        model=read.model or "",
        estimated=prompt is None or said is None,
    )


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and value >= 0 else None


def _fault(choice: _Choice, *, is_json: bool) -> tuple[str, str]:
    text = choice.message.content or ""
    is_cut = choice.finish_reason == "length"
    if choice.message.refusal or choice.finish_reason == "content_filter":
        return "refused", "The model or its filter declined; ask otherwise, or ask another model."
    if not text.strip():
        more = "Raise max_tokens: it was spent before an answer began." if is_cut else ""
        return "an empty message", more or "Ask again, or ask another model."
    if is_json and not _is_json(text):
        more = "Raise max_tokens: the JSON was cut off." if is_cut else ""
        return "no JSON, though a schema was given", more or "Ask a model that keeps to schemas."
    return "", ""


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
