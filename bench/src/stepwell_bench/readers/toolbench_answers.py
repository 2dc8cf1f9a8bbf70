"""ToolBench answers as ToolEval keeps them: the chosen path alone, with most of its text cut off.

`{query, available_tools, answer: {method, total_steps, final_answer, answer_details}}`, whose
details are nodes `{role, message, next}`. A call is one message: a Python dictionary of name,
arguments and response, written out and cut at 100 characters (later versions keep the dictionary).
The query and the final answer stand whole beside the nodes, and are put back.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from stepwell.formats.chat.content import json_text
from stepwell.trajectory.fields import first_str, is_object, list_of, object_of
from stepwell_bench.readers.toolbench_turns import FINISH, Turn

if TYPE_CHECKING:
    from stepwell.trajectory.model import JsonObject
    from stepwell_bench.readers.toolbench_turns import NoteAt

__all__ = ["answer_turns"]

_CUT_AT = 100
"""Characters that ToolEval keeps of a message."""

_CUT = f"The message is cut off at {_CUT_AT} characters; the rest is not here."
_UNREADABLE = "The message cannot be read to its end; what is left is kept as text."

_LONGEST_ESCAPE = 10
r"""Characters of the longest escape in a Python string, `\U0010ffff`; a cut leaves fewer."""

_FIELD = re.compile(
    r"""[{,]\s*'(name|arguments|response)':\s*+"""
    r"""(?:'((?:[^'\\]|\\.)*+)('?)|"((?:[^"\\]|\\.)*+)("?)|([^'"].*))""",
    re.DOTALL,
)


def answer_turns(
    answer: JsonObject, *, query: str | None, refs: tuple[int, ...], note: NoteAt
) -> list[Turn]:
    """Return the turns of an answer, the query first; the path to its last node is live.

    Args:
        answer: The `answer` object.
        query: What the user asks; the user's node only repeats how it begins.
        refs: Indices of the raw records that hold the nodes.
        note: Takes what is cut off and what is no node or no call.
    """
    turns: list[Turn] = []
    if query is not None:
        turns.append(Turn(message={"role": "user", "content": query}, refs=refs))
    final = first_str(answer, "final_answer") or ""
    stack = _below(answer.get("answer_details"), "/answer/answer_details", len(turns) - 1)
    while stack:
        place, value, parent = stack.pop()
        node = object_of(value)
        if not isinstance(node.get("role"), str):
            note(place, "not-a-node", "A node without a role.", effect="skipped")
        elif not _is_known(node, query):
            above = parent if parent >= 0 else None
            turn = _turn(node, final, place, note)
            turns.append(replace(turn, parent=above, refs=refs, pointer=place))
            parent = len(turns) - 1
        stack += _below(node.get("next"), f"{place}/next", parent)
    return _on_path(turns)


def _below(nodes: Any, pointer: str, parent: int) -> list[tuple[str, Any, int]]:
    """Return nodes with their places and the parent's, the last first, as a stack takes them."""
    placed = [(f"{pointer}/{at}", node, parent) for at, node in enumerate(list_of(nodes))]
    return placed[::-1]


def _is_known(node: JsonObject, query: str | None) -> bool:
    """Return whether a node says nothing, or nothing that the query does not say."""
    message = node.get("message")
    if node["role"] not in {"system", "user"} or not isinstance(message, str):
        return False
    return not message or (node["role"] == "user" and (query or "").startswith(message))


def _on_path(turns: list[Turn]) -> list[Turn]:
    live: set[int] = set()
    at = len(turns) - 1 if turns else None
    while at is not None:
        live.add(at)
        at = turns[at].parent
    return [replace(turn, is_live=place in live) for place, turn in enumerate(turns)]


def _turn(node: JsonObject, final: str, place: str, note: NoteAt) -> Turn:
    message, role = node.get("message"), node["role"]
    if role != "tool":
        if isinstance(message, str) and len(message) >= _CUT_AT:
            note(place, "cut-off", _CUT)
        return Turn(message={"role": role, "content": message})
    fields, is_whole = (message, True) if is_object(message) else _written(str(message))
    name = first_str(fields, "name")
    if name is None:
        note(place, "not-a-call", "A call without a name is kept as text.")
        said = message if isinstance(message, str) else json_text(message)
        return Turn(message={"role": "assistant", "content": said})
    arguments, response = fields.get("arguments"), fields.get("response")
    if name == FINISH and isinstance(arguments, str) and final.startswith(arguments):
        arguments, response, is_whole = final, response or None, True
    if not is_whole:
        note(place, "cut-off", _CUT if len(str(message)) >= _CUT_AT else _UNREADABLE)
    call: JsonObject = {"name": name, "arguments": arguments}
    answered = {"role": "function", "name": name, "content": response}
    return Turn(
        message={"role": "assistant", "content": None, "function_call": call},
        answer=None if response is None else answered,
        is_cut=not is_whole,
    )


def _written(text: str) -> tuple[JsonObject, bool]:
    """Return the fields of a dictionary that Python wrote out, and whether they are all there."""
    fields: JsonObject = {}
    end, is_closed = 0, True
    while (match := _FIELD.match(text, end)) is not None:
        name, single, closed, double, also_closed, bare = match.groups()
        if bare is not None:
            fields[name], is_closed = bare, False
        else:
            quote, body = ("'", single) if double is None else ('"', double)
            fields[name] = _unquoted(body, quote)
            is_closed = bool(closed or also_closed)
        end = match.end()
    is_all = {"name", "arguments", "response"} <= fields.keys()
    return fields, is_all and is_closed and text[end:].strip() == "}"


def _unquoted(body: str, quote: str) -> str:
    """Return the text of a Python string from between its quotes, without a half escape at its end.

    Halves of surrogate pairs, which no file can hold, become U+FFFD.
    """
    for n_off in range(_LONGEST_ESCAPE):
        try:
            value = ast.literal_eval(quote + body[: len(body) - n_off] + quote)
        except (ValueError, SyntaxError):
            continue
        return str(value).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return body
