"""Turns of a ToolBench search, and the steps they become.

A turn is one message and what came back for it. Turns stand in the order in which they were made;
each names the turn it continues, and those that led nowhere are not live.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

from stepwell.formats.chat.steps import (
    answer_of_message,
    join_result,
    orphan_step,
    settled,
    step_of_message,
)
from stepwell.text.clean import readable
from stepwell.trajectory.fields import is_object
from stepwell.trajectory.model import Part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.formats.chat.steps import Answer
    from stepwell.trajectory.model import Blob, JsonObject, Step

__all__ = ["FINISH", "NoteAt", "Turn", "told", "turn_steps"]

FINISH = "Finish"
"""The function by which an agent ends its search; nothing has to come back from it."""

_HARMLESS = frozenset({0, 3, 4})
"""Observation codes that report no failure: a response, a final answer, and giving up."""

_ERROR_FIELD = re.compile(r'\s*\{\s*"error"\s*:\s*"((?:[^"\\]|\\.)*+)("?)', re.DOTALL)


class NoteAt(Protocol):
    """Notes something at a JSON pointer within the document that is read."""

    def __call__(
        self,
        pointer: str,
        code: str,
        message: str,
        *,
        effect: Literal["skipped", "repaired", "warning"] = "warning",
    ) -> None:
        """Note it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message of a search.

    Attributes:
        message: The message, in the shape of the OpenAI API.
        answer: The `function` message that answers its call.
        code: ToolBench's code for what came back: 0 for a response, 3 for the final answer, 4 for
            giving up, others for failures; None when the source has none.
        parent: Place of the turn it continues; None for the first.
        is_live: Whether it led to the end of the search.
        is_cut: Whether the source cut the answer off.
        refs: Indices of its raw records.
        pointer: JSON pointer of the message within the document.
        extra: Fields of the source without a place of their own.
    """

    message: JsonObject
    answer: JsonObject | None = None
    code: int | None = None
    parent: int | None = None
    is_live: bool = True
    is_cut: bool = False
    refs: tuple[int, ...] = ()
    pointer: str = ""
    extra: JsonObject = field(default_factory=dict[str, Any])


def told(message: JsonObject) -> JsonObject:
    """Return a message as the chat reader takes it.

    Text beside a call is the thought behind it. A message marked as not valid is a prompt by
    which the search asked for something new, and no word of the user.
    """
    rest = {name: item for name, item in message.items() if name != "valid"}
    if message.get("valid") is False and message.get("role") == "user":
        return rest | {"role": "harness"}
    if is_object(message.get("function_call")) and isinstance(message.get("content"), str):
        return rest | {"content": None, "thought": message["content"]}
    return rest


def turn_steps(
    turns: Sequence[Turn], query: str | None, *, note: NoteAt
) -> tuple[tuple[Step, ...], tuple[Blob, ...]]:
    """Return one step per turn, in their order, and the media bytes they refer to.

    Args:
        turns: The turns; a parent stands before the turns that continue it.
        query: What the user asks, which the first words of the user then are.
        note: Takes what is odd.
    """
    made = [_step(turn, index, note) for index, turn in enumerate(turns)]
    steps: list[Step] = []
    for index, (turn, (step, _)) in enumerate(zip(turns, made, strict=True)):
        parent = None if turn.parent is None else steps[turn.parent]
        steps.append(
            replace(
                step,
                parent_uid=parent.uid if parent and parent.index != index - 1 else None,
                active=turn.is_live,
                branch_id=None if turn.is_live else (parent and parent.branch_id) or step.uid,
                extra=step.extra | turn.extra,
            )
        )
    first = next((step.index for step in steps if step.kind == "user"), None)
    if first is not None and query is not None:
        steps[first] = _asking(steps[first], query)
    return settled(steps), tuple(blob for _, blobs in made for blob in blobs)


def _step(turn: Turn, index: int, note: NoteAt) -> tuple[Step, tuple[Blob, ...]]:
    alone = answer_of_message(turn.message)
    if alone is not None:
        note(turn.pointer, "orphan-result", "The call this result answers is not in the log.")
        return orphan_step(_judged(alone, turn), index=index, raw_refs=turn.refs), alone.blobs
    step, blobs = step_of_message(turn.message, index=index, raw_refs=turn.refs)
    if not turn.is_cut and not all(call.args_valid for call in step.calls):
        note(turn.pointer, "bad-arguments", "Arguments are no JSON; they are kept as text.")
    answer = None if turn.answer is None else answer_of_message(turn.answer)
    if answer is not None and step.calls:
        joined = join_result(step, step.calls[0].uid, _judged(answer, turn))
        return joined, (*blobs, *answer.blobs)
    if [call.name for call in step.calls] == [FINISH]:
        step = replace(step, status="ok")
    elif step.calls and turn.is_cut:
        step = replace(step, status="missing")
    return step, blobs


def _judged(answer: Answer, turn: Turn) -> Answer:
    """Return an answer judged by its error field, else by its code, else as any text is.

    A field that is empty does not overrule a code: ToolBench fills it with its service's word only.
    """
    result = replace(answer.result, truncated=turn.is_cut)
    match = _ERROR_FIELD.match(result.text)
    is_told = match is not None and bool(match[1] or match[2])
    has_error = match is not None and bool(match[1].strip())
    if turn.code is not None:
        result = replace(result, extra=result.extra | {"observation_code": turn.code})
    if has_error or (is_told and turn.code is None):
        result = replace(result, is_error=has_error, error_source="error-field")
    elif turn.code is not None:
        is_error = turn.code not in _HARMLESS
        result = replace(result, is_error=is_error, error_source="observation-code")
    return replace(answer, result=result)


def _asking(step: Step, query: str) -> Step:
    """Return the user's first step with the query as its message, its prompt kept as a part."""
    asked = readable(query)
    if any(part.kind != "text" for part in step.parts):
        return step
    said = "\n".join(part.text for part in step.parts) if step.parts else step.message
    if not asked.startswith(step.message) and asked not in step.message:
        return step
    parts = (Part(kind="text", text=said),) if said and said != asked else ()
    return replace(step, message=asked, parts=parts)
