"""Prompts that are typed while the agent works: queued, and delivered or taken back later.

The log says when a prompt is queued and when it leaves the queue, and repeats it as an attachment
or as a user's record once the agent reads it; several prompts may be delivered as one record. Each
prompt is one step, where it was typed: a log that grows keeps the steps it had.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stepwell.formats.chat.content import content_of
from stepwell.formats.chat.signals import split_harness
from stepwell.formats.claude_code.drafts import is_result
from stepwell.formats.claude_code.records import QUEUE
from stepwell.trajectory.fields import first_str, is_list, object_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.formats.claude_code.records import Entry

__all__ = ["delivered", "said_in"]

_MAX_OPEN = 100
"""Prompts that wait at once and are looked for in a record; nobody types more ahead."""


def said_in(entry: Entry) -> Any:
    """Return what is said in a record of a user or of the queue, its tool results left out.

    It is text or content blocks; None in any other record.
    """
    if entry.role == QUEUE:
        return entry.value.get("content")
    if entry.role == "attachment":
        attachment = object_of(entry.value.get("attachment"))
        return attachment.get("prompt") if attachment.get("type") == "queued_command" else None
    if entry.role != "user":
        return None
    message = entry.value.get("message", entry.value.get("content"))
    given = entry.message.get("content") if entry.message else message
    return [block for block in given if not is_result(block)] if is_list(given) else given


def delivered(entries: Sequence[Entry]) -> dict[str, str]:
    """Return, for each record that repeats a queued prompt, the record that tells it.

    Args:
        entries: The records of an agent, in file order.
    """
    told: dict[str, str] = {}
    waiting: list[tuple[str, str]] = []
    leaving: list[tuple[str, str]] = []
    for entry in entries:
        if entry.role == QUEUE:
            is_added = first_str(entry.value, "operation") == "enqueue"
            # What leaves a queue that was filled before the log begins is told by its leaving.
            if is_added or not _take(leaving, entry, told):
                waiting.append((entry.uid, _typed(entry)))
                leaving += waiting[-1:] if is_added else []
        elif waiting:
            _take(waiting, entry, told)
    return told


def _take(prompts: list[tuple[str, str]], entry: Entry, told: dict[str, str]) -> bool:
    """Take those of the open prompts that a record repeats; say whether there were any.

    A user's record that says more than these is the one that tells them.
    """
    rest = _typed(entry)
    found: list[tuple[str, str]] = []
    for prompt in prompts[-_MAX_OPEN:] if rest else ():
        if f"\n{prompt[1]}\n" in f"\n{rest}\n":
            rest = f"\n{rest}\n".replace(f"\n{prompt[1]}\n", "\n", 1).strip()
            found.append(prompt)
            prompts.remove(prompt)
    if found and not rest:
        told[entry.uid] = found[-1][0]
    elif entry.role != QUEUE:
        told.update((uid, entry.uid) for uid, _ in found)
    return bool(found)


def _typed(entry: Entry) -> str:
    text = content_of(said_in(entry)).text
    return (split_harness(text)[0] or text).strip()
