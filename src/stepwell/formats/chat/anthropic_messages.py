"""Messages whose blocks hold calls and results, as chat messages of the OpenAI form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stepwell.formats.chat.parts import inferences
from stepwell.trajectory.fields import first_str, object_of

if TYPE_CHECKING:
    from stepwell.trajectory.model import JsonObject

__all__ = ["chat_messages"]

_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_RESULT = "tool_result"
_AGENTS = frozenset({"assistant", "model", "ai"})


def chat_messages(message: JsonObject) -> list[JsonObject]:
    """Return a message as chat messages: a `tool` message per result block beside what is left.

    A user's results come before the user's words; results of the server's own tools after the
    message that called them. A message of several inferences is one message for each. The role is
    read in any case.

    A message without such blocks comes back alone and unchanged.

    >>> result = {"type": "tool_result", "tool_use_id": "t1", "content": "42"}
    >>> chat_messages({"role": "user", "content": [result]})
    [{'role': 'tool', 'tool_call_id': 't1', 'content': '42'}]
    """
    role = first_str(message, "role") or ""
    if role != (plain := role.strip().lower()):
        message = message | {"role": plain}
    found = inferences(message)
    if found is None:
        is_bare = message.get("content") is None and isinstance(message.get("text"), str)
        return [message | {"content": message["text"]}] if is_bare else [message]
    if "parts" in message:
        message = {name: item for name, item in message.items() if name != "parts"}
    return [each for blocks in found for each in _messages(message, blocks)]


def _messages(message: JsonObject, blocks: list[Any]) -> list[JsonObject]:
    answers = [_answer(object_of(block)) for block in blocks if _type(block).endswith(_RESULT)]
    calls = [_call(object_of(block)) for block in blocks if _type(block) in _CALLS]
    if not answers and not calls:
        return [message if message.get("content") == blocks else message | {"content": blocks}]
    left = [
        block
        for block in blocks
        if not _type(block).endswith(_RESULT) and _type(block) not in _CALLS
    ]
    rest = message | {"content": left}
    if calls:
        rest["tool_calls"] = calls
    if not left and not calls:
        return answers
    return [rest, *answers] if message.get("role") in _AGENTS else [*answers, rest]


def _type(block: Any) -> str:
    return first_str(object_of(block), "type") or ""


def _call(block: JsonObject) -> JsonObject:
    return {
        "id": block.get("id"),
        "function": {"name": block.get("name"), "arguments": block.get("input")},
    }


def _answer(block: JsonObject) -> JsonObject:
    known = {"type", "tool_use_id"}
    beside = {name: item for name, item in block.items() if name not in known}
    return {"role": "tool", "tool_call_id": block.get("tool_use_id")} | beside
