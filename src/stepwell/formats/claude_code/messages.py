"""Messages and model responses of a Claude Code log as drafts of steps.

A response is written as several records with the same message id, each with one or more content
blocks; a record can be written again, and its text can have grown.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from stepwell.formats.chat.arguments import call_of
from stepwell.formats.chat.content import content_of
from stepwell.formats.chat.signals import split_harness
from stepwell.formats.chat.steps import later
from stepwell.formats.claude_code.drafts import Draft, is_result
from stepwell.formats.claude_code.queue import said_in
from stepwell.trajectory.fields import first_str, int_of, is_list, is_object, object_of
from stepwell.trajectory.model import Metrics, Part, Step

if TYPE_CHECKING:
    from stepwell.formats.chat.content import Content
    from stepwell.formats.claude_code.drafts import Drafts
    from stepwell.formats.claude_code.records import Entry
    from stepwell.trajectory.model import Call, JsonObject, Kind

__all__ = ["add_message", "add_response", "finish_response"]

_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})


def add_response(drafts: Drafts, entry: Entry, groups: dict[str, str], actor: str) -> None:
    """Add a record of a model response to the step of its message id.

    Args:
        drafts: The steps so far.
        entry: The record.
        groups: The steps by message id; a new one is added.
        actor: Who responds.
    """
    message = entry.message
    message_id = first_str(message, "id")
    uid = groups.setdefault(message_id, entry.uid) if message_id else entry.uid
    draft = drafts.by_uid.get(uid)
    if draft is None:
        is_api_error = entry.value.get("isApiErrorMessage") is True
        step = Step(
            index=0,
            uid=uid,
            kind="meta" if is_api_error else "agent",
            actor="harness" if is_api_error else actor,
            t_start=entry.time,
            t_source="timestamp" if entry.time else None,
        )
        draft = drafts.by_uid[uid] = Draft(step=step, entries=[])
    draft.entries.append(entry)
    drafts.owner[entry.uid] = uid
    content = message.get("content")
    for block in content if is_list(content) else [content]:
        _put_block(draft.blocks, block)
    draft.step = replace(
        draft.step,
        t_end=later(draft.step, entry.time),
        model=first_str(message, "model") or draft.step.model,
        metrics=_metrics(message.get("usage")) or draft.step.metrics,
        native_ids=draft.step.native_ids | _ids(entry, message_id),
    )


def _put_block(blocks: list[Any], block: Any) -> None:
    """Add a block, or let it replace the one it repeats: the same call, or a text that grew."""
    if block is None:
        return
    for at, before in enumerate(blocks):
        if _repeats(block, before):
            blocks[at] = block
            return
    blocks.append(block)


def _repeats(block: Any, before: Any) -> bool:
    if not (is_object(block) and is_object(before)) or block.get("type") != before.get("type"):
        return bool(block == before)
    if first_str(block, "type") in _CALLS and block.get("id"):
        return bool(block.get("id") == before.get("id"))
    for key in ("text", "thinking"):
        now, then = block.get(key), before.get(key)
        if isinstance(now, str) and isinstance(then, str) and then:
            return now.startswith(then)
    return bool(block == before)


def _metrics(usage: Any) -> Metrics | None:
    """Return the usage of a response; cached tokens are part of the prompt."""
    counts = object_of(usage)
    cached = int_of(counts.get("cache_read_input_tokens"))
    names = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    read = [int_of(counts.get(name)) for name in names]
    metrics = Metrics(
        prompt_tokens=sum(n or 0 for n in read) if any(n is not None for n in read) else None,
        completion_tokens=int_of(counts.get("output_tokens")),
        cached_tokens=cached,
    )
    return None if metrics == Metrics() else metrics


def _ids(entry: Entry, message_id: str | None) -> dict[str, str]:
    ids = {"message_id": message_id, "request_id": first_str(entry.value, "requestId")}
    return {name: value for name, value in ids.items() if value is not None}


def finish_response(drafts: Drafts, draft: Draft) -> None:
    """Turn the collected content blocks of a response into message, thought and calls."""
    if draft.entries[0].role != "assistant":
        return
    calls: list[Call] = []
    said: list[Any] = []
    for block in draft.blocks:
        if is_object(block) and first_str(block, "type") in _CALLS:
            calls.append(_call(drafts, draft.step.uid, block, number=len(calls) + 1))
        elif not is_result(block):
            said.append(block)
    content = content_of(said if len(said) != 1 or is_object(said[0]) else said[0])
    drafts.blobs.extend(content.blobs)
    draft.step = replace(
        draft.step,
        message=content.text,
        parts=_needed(content),
        thought=content.thought,
        thought_redacted=content.is_redacted,
        calls=tuple(calls),
    )


def _needed(content: Content) -> tuple[Part, ...]:
    """Return the parts, none when they are the one text that the message already is."""
    is_plain = content.parts == (Part(kind="text", text=content.text),)
    return () if is_plain else content.parts


def _call(drafts: Drafts, step_uid: str, block: JsonObject, *, number: int) -> Call:
    native = first_str(block, "id")
    uid = native if native and native not in drafts.callers else f"{step_uid}.c{number}"
    call, blobs = call_of(
        uid, first_str(block, "name") or "unknown", block.get("input"), native_id=native
    )
    drafts.blobs.extend(blobs)
    drafts.callers.setdefault(native or uid, []).append((step_uid, uid))
    return call


def add_message(drafts: Drafts, entry: Entry) -> None:
    """Add the step of a user, queue or system record, unless it holds nothing but results."""
    kind, actor, content, context = _heard(entry)
    if not content.text:
        return
    extra: JsonObject = {"context": context} if context else {}
    step = Step(
        index=0,
        uid=entry.uid,
        kind=kind,
        actor=actor,
        message=content.text,
        parts=_needed(content),
        t_start=entry.time,
        t_source="timestamp" if entry.time else None,
        extra=extra,
    )
    drafts.blobs.extend(content.blobs)
    drafts.by_uid[entry.uid] = Draft(step=step, entries=[entry])
    drafts.owner[entry.uid] = entry.uid


def _heard(entry: Entry) -> tuple[Kind, str, Content, str]:
    """Return who speaks in a user or system record, what is said, and what the harness put in."""
    if entry.role == "system":
        is_said = entry.value.get("subtype") == "local_command"
        return "context", "harness", content_of(entry.value.get("content") if is_said else None), ""
    content = content_of(said_in(entry))
    if entry.value.get("isCompactSummary") is True:
        return "summary", "harness", content, ""
    own, harness = split_harness(content.text)
    if harness and not own:
        return "context", "harness", content, ""
    if entry.value.get("isMeta") is True:
        return "meta", "harness", content, ""
    # A subagent is spoken to by the agent that started it.
    speaker = "agent" if entry.value.get("isSidechain") is True else "user"
    return "user", speaker, replace(content, text=own) if harness else content, harness
