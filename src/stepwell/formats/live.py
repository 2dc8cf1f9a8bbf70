"""What an agent hands over while it runs: steps, messages and turns, in the shapes agents have.

`live_change` is what a live memory needs: the steps that a value adds or completes. `live_step` and
`live_result` are its two halves.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from stepwell.errors import InvalidInputError
from stepwell.formats.atif.steps import atif_step
from stepwell.formats.chat.anthropic_messages import chat_messages
from stepwell.formats.chat.logs import is_message
from stepwell.formats.chat.steps import (
    Answer,
    answer_of_message,
    call_answered,
    join_result,
    orphan_step,
    step_of_message,
)
from stepwell.formats.chat.turns import answer_of_turn, is_turn, step_of_turn
from stepwell.formats.files.mend import decode_value, encode_value
from stepwell.text.clean import readable
from stepwell.trajectory.fields import is_object
from stepwell.trajectory.model import Blob, Part, Step

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from stepwell.trajectory.model import JsonObject, Result

__all__ = ["LiveChange", "live_change", "live_result", "live_step"]

_ACCEPTED: Final = (
    "Pass a Step, a string (what the agent said), an OpenAI or Anthropic message "
    '{"role": ..., "content": ...}, an ATIF step {"source": ..., "message": ...}, or a turn '
    '{"action": ..., "observation": ...} with "thought", "tool", "args" or "error" if you like.'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveChange:
    """What a value changes in a trajectory.

    Attributes:
        steps: Whole steps to write: those completed by a result, under their old index, then
            those added. The last one holds the value, or its last part.
        blobs: The bytes of media in the value.
    """

    steps: tuple[Step, ...]
    blobs: tuple[Blob, ...] = ()


def live_change(value: object, *, steps: Sequence[Step], index: int, now: datetime) -> LiveChange:
    """Return the steps that a value adds to a trajectory or completes.

    Args:
        value: Anything `live_step` accepts.
        steps: The latest steps of the trajectory in order; calls are looked for in them.
        index: The index the next new step gets, from 0.
        now: The time, in UTC; it is the time of steps that bring none.

    Raises:
        InvalidInputError: The value has none of the accepted shapes.
    """
    known = {step.index: step for step in steps}
    changed: dict[int, Step] = {}
    blobs: list[Blob] = []
    for piece in _pieces(value):
        if isinstance(piece, Answer):
            step, found = _answered(piece, known, index, now), piece.blobs
        else:
            step, found = piece(index)
            step = _timed(step, now)
        index += step.index == index
        known[step.index] = changed[step.index] = step
        blobs += found
    return LiveChange(steps=tuple(changed.values()), blobs=tuple(blobs))


def live_step(value: object, *, index: int, now: datetime) -> Step:
    """Return the step of a value.

    A result whose call is not known becomes a step of kind `tool_env`.

    Raises:
        InvalidInputError: The value has none of the accepted shapes.

    >>> from datetime import UTC, datetime
    >>> step = live_step({"action": "look", "observation": "a door"}, index=3,
    ...                  now=datetime(2026, 1, 5, tzinfo=UTC))
    >>> step.results[0].text
    'a door'
    """
    return live_change(value, steps=(), index=index, now=now).steps[-1]


def live_result(value: object) -> tuple[Answer, ...]:
    """Return the answers that a value holds to calls of earlier steps; there may be none.

    An OpenAI message of the roles `tool` and `function` answers one call, an Anthropic message
    one per `tool_result` block.
    """
    return tuple(piece for piece in _pieces(value) if isinstance(piece, Answer))


_Make: TypeAlias = Callable[[int], tuple[Step, tuple[Blob, ...]]]
"""Makes the step of a value, and its media, once its index is known."""


def _pieces(value: object) -> list[Answer | _Make]:
    """Return what a value consists of: answers to calls, and steps."""
    if isinstance(value, Step):
        made = _storable(value)
        return [lambda index: (_cleaned(made, index), ())]
    if isinstance(value, str):
        return [_from_message({"role": "assistant", "content": _whole(value)})]
    value = _plain(value)
    if is_object(value):
        if is_message(value):
            return [answer_of_message(m) or _from_message(m) for m in chat_messages(value)]
        if isinstance(value.get("source"), str) and "message" in value:
            return [lambda index: atif_step(value, index=index, note=_unnoted)]
        if is_turn(value):
            return [answer_of_turn(value) or (lambda index: step_of_turn(value, index=index))]
    raise InvalidInputError(f"{_shape(value)} is no step.", hint=_ACCEPTED)


def _plain(value: object) -> object:
    """Return a value as what JSON can say: no NaN, no half surrogates, no objects of a client."""
    dump = getattr(value, "model_dump", None)
    value = dump() if callable(dump) else value
    if not is_object(value):
        return value
    try:
        return decode_value(json.dumps(value, default=str).encode())[0]
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInputError(f"The value is no JSON: {error}.", hint=_ACCEPTED) from error


def _whole(text: str) -> str:
    """Return text without half surrogate pairs, which no file can hold."""
    return text if text.isascii() else decode_value(encode_value(text))[0]


def _storable(step: Step) -> Step:
    """Return a step of the caller's own making as it will be read from the store."""
    try:
        return msgspec.json.decode(encode_value(step), type=Step)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInputError(f"The step cannot be stored: {error}.", hint=_ACCEPTED) from error


def _from_message(message: JsonObject) -> _Make:
    return lambda index: step_of_message(message, index=index)


def _unnoted(pointer: str, code: str, message: str) -> None:
    """Ignore a violation of the format, since a running agent has nobody to report it to."""


def _shape(value: object) -> str:
    if is_object(value):
        return "An object with the fields " + ", ".join(map(repr, sorted(map(str, value))[:9]))
    return f"A {type(value).__name__}"


def _answered(answer: Answer, known: dict[int, Step], index: int, now: datetime) -> Step:
    place = call_answered(list(known.values()), answer)
    if place is None:
        return _timed(orphan_step(answer, index=index), now)
    at, call_uid = place
    return join_result(known[at], call_uid, replace(answer, time=answer.time or now))


def _timed(step: Step, now: datetime) -> Step:
    return step if step.t_start else replace(step, t_start=now, t_source="added")


def _cleaned(step: Step, index: int) -> Step:
    """Return a step of the caller's own making with its index and readable text."""
    return replace(
        step,
        index=index,
        message=readable(step.message),
        parts=step.parts or _original(step.message),
        thought=readable(step.thought),
        results=tuple(map(_cleaned_result, step.results)),
    )


def _cleaned_result(result: Result) -> Result:
    parts = result.parts or _original(result.text)
    return replace(result, text=readable(result.text), parts=parts)


def _original(text: str) -> tuple[Part, ...]:
    return () if readable(text) == text else (Part(kind="text", text=text),)
