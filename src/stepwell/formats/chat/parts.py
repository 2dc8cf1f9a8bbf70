"""Parts of a message, as several programs name them, as the blocks of an Anthropic message.

Vercel's interface messages and Gemini's contents keep what was said in `parts`; Vercel's model
messages and Bedrock's have part types of their own in `content`. Other blocks pass as they are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from stepwell.trajectory.fields import first_str, is_list, is_object, list_of, object_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.trajectory.model import JsonObject

__all__ = ["inferences"]

_NEXT_INFERENCE = "step-start"
_CALLS = frozenset(
    {"tool-call", "tool_call", "functionCall", "function_call", "executableCode", "toolUse"}
)
_ANSWERS = frozenset(
    {"tool-result", "tool_call_response", "functionResponse", "function_response"}
    | {"codeExecutionResult", "toolResult"}
)
_FILES = frozenset({"inlineData", "inline_data", "fileData", "file_data"})
_IDS = ("toolCallId", "toolUseId", "call_id", "id")
_INPUTS = ("input", "args", "arguments", "rawInput")
_OUTPUTS = ("output", "result", "response", "errorText")
_SPACE = re.compile(r"\s+")


def inferences(message: JsonObject) -> list[list[Any]] | None:
    """Return the blocks of a message, one list for each model inference in it.

    None when its content is no list and it has no parts: then it is one text, or nothing.
    """
    content, parts = message.get("content"), list_of(message.get("parts"))
    if not is_list(content):
        if not parts:
            return None
        content = [] if content is None or _repeats(content, parts) else [content]
    found: list[list[Any]] = [[]]
    for part in [*content, *parts]:
        if first_str(object_of(part), "type") != _NEXT_INFERENCE:
            found[-1] += _blocks(part)
        elif found[-1]:
            found.append([])
    return found


def _repeats(content: Any, parts: list[Any]) -> bool:
    """Return whether a content is only the text of the parts again."""
    said = "".join(first_str(object_of(part), "text") or "" for part in parts)
    return isinstance(content, str) and _SPACE.sub("", content) in _SPACE.sub("", said)


def _blocks(part: Any) -> list[Any]:
    if not is_object(part):
        return [part]
    kind, value = _named(part)
    if kind in _CALLS:
        return [_call(value, "code")]
    if kind in _ANSWERS:
        return [_answer(value)]
    if kind == "dynamic-tool" or kind.startswith("tool-"):
        value = object_of(part.get("toolInvocation")) or part
        is_answered = any(name in value for name in _OUTPUTS)
        return [
            _call(value, kind.removeprefix("tool-")),
            *([_answer(value)] if is_answered else []),
        ]
    return [_plain(kind, part)]


def _plain(kind: str, part: JsonObject) -> JsonObject:
    if kind in _FILES:
        return {"type": "file", "file": part[kind]}
    is_thought = not kind and part.get("thought") is True
    return {"type": "thinking", "thinking": part.get("text")} if is_thought else part


def _named(part: JsonObject) -> tuple[str, JsonObject]:
    """Return what a part is, and the object that says it: some are named by their only field."""
    kind = first_str(part, "type")
    if kind is None:
        for name, value in part.items():
            if name in _CALLS | _ANSWERS | _FILES and is_object(value):
                return name, value
    return kind or "", part


def _call(value: JsonObject, name: str) -> JsonObject:
    """Return a call; what gives no arguments is its own argument, such as code to run."""
    return {
        "type": "tool_use",
        "id": first_str(value, *_IDS),
        "name": first_str(value, "toolName", "name") or name,
        "input": _first(value, _INPUTS, value),
    }


def _answer(value: JsonObject) -> JsonObject:
    content = _first(value, _OUTPUTS, value.get("content"))
    failed = bool(value.get("errorText")) or value.get("outcome", "OUTCOME_OK") != "OUTCOME_OK"
    if is_object(content):
        failed = failed or str(content.get("type")).startswith("error") or "error" in content
        if "value" in content and "type" in content:
            content = content["value"]
        elif len(content) == 1:  # `{"output": text}` is how Gemini's results are usually given
            content = next(iter(content.values()))
    answer = {
        "type": "tool_result",
        "tool_use_id": first_str(value, *_IDS),
        "name": first_str(value, "toolName", "name"),
        "content": content,
        "status": value.get("status"),
    }
    return answer | {"is_error": True} if failed else answer


def _first(value: JsonObject, names: Sequence[str], default: Any) -> Any:
    return next((value[name] for name in names if value.get(name) is not None), default)
