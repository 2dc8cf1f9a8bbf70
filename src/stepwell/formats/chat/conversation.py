"""Turn a conversation into the steps of one trajectory, each result joined to its call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.formats.chat.anthropic_messages import chat_messages
from stepwell.formats.chat.logs import is_message
from stepwell.formats.chat.steps import (
    answer_of_message,
    call_answered,
    join_result,
    orphan_step,
    settled,
    step_of_message,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from stepwell.formats.base import Notes
    from stepwell.formats.chat.logs import Chat, Message
    from stepwell.trajectory.model import Blob, JsonObject, Step

__all__ = ["conversation_steps"]


def conversation_steps(
    chat: Chat,
    notes: Notes,
    *,
    pieces: Callable[[JsonObject], list[JsonObject]] = chat_messages,
) -> tuple[tuple[Step, ...], tuple[Blob, ...]]:
    """Return the steps of a conversation and the media bytes they refer to.

    Args:
        chat: The conversation; what is no message in it is noted and left out.
        notes: Takes what is odd: arguments that are no JSON, results without a call.
        pieces: Turns a message of the source into the chat messages it consists of.
    """
    steps: list[Step] = []
    blobs: list[Blob] = []
    for at, message in enumerate(chat.messages):
        if is_message(message.value):
            for piece in pieces(message.value):
                blobs += _add(steps, piece, (at,) if chat.raws else (), message, notes)
        else:
            message.note(notes, "not-a-message", "A message without a role.", effect="skipped")
    return settled(steps), tuple(blobs)


def _add(
    steps: list[Step],
    value: JsonObject,
    raw_refs: tuple[int, ...],
    message: Message,
    notes: Notes,
) -> tuple[Blob, ...]:
    """Add a message as a step, or as a result of an earlier step, and return its media bytes."""
    answer = answer_of_message(value)
    if answer is None:
        step, blobs = step_of_message(value, index=len(steps), raw_refs=raw_refs)
        steps.append(step)
        if not all(call.args_valid for call in step.calls):
            message.note(notes, "bad-arguments", "Arguments are no JSON; they are kept as text.")
        return blobs
    place = call_answered(steps, answer)
    if place is None:
        steps.append(orphan_step(answer, index=len(steps), raw_refs=raw_refs))
        message.note(notes, "orphan-result", "The call this result answers is not in the log.")
    else:
        index, call_uid = place
        steps[index] = join_result(steps[index], call_uid, answer, raw_refs=raw_refs)
    return answer.blobs
