"""Steps of a Claude Code conversation: one per user message, one per model response.

A response is written as several records with the same message id, its results as user records
that may come in any order; they are put together by id, never by neighbourhood.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import msgspec

from stepwell.ingest.arguments import call_of
from stepwell.ingest.chat_steps import result_of, status_of
from stepwell.ingest.claude_graph import graph_of
from stepwell.ingest.content import content_of
from stepwell.ingest.fields import first_str, int_of, is_object, object_of
from stepwell.ingest.signals import is_own_output, split_harness
from stepwell.trajectory.model import Metrics, Part, Result, Step

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from stepwell.ingest.base import Notes
    from stepwell.ingest.claude_graph import Graph
    from stepwell.ingest.claude_log import Entry
    from stepwell.ingest.content import Content
    from stepwell.trajectory.model import Blob, Call, JsonObject, Kind

__all__ = ["Talk", "steps_of"]

_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_RESULT = "tool_result"
_KNOWN_BLOCKS = frozenset(
    {"text", "thinking", "redacted_thinking", "image", "document", "container_upload"}
)
_QUOTING = frozenset(
    {"Read", "Grep", "Glob", "LS", "NotebookRead", "WebFetch", "WebSearch", "TodoWrite"}
    | {"Task", "Agent", "Write", "Edit", "MultiEdit"}
)
"""Tools that quote files and pages and flag their own errors: their text is no sign of failure."""

_PLACED = frozenset({"type", "tool_use_id", "content", "is_error", "cache_control"})
_SPARSE = 400
"""Bytes of a member of `toolUseResult` above which it only repeats the result's text or a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """The steps of one agent, with the media bytes in them and the records they were read from."""

    steps: tuple[Step, ...]
    blobs: tuple[Blob, ...]
    entries: tuple[Entry, ...]


@dataclass(slots=True)
class _Draft:
    """A step in the making: its records, its content blocks, and its calls by their uid."""

    step: Step
    entries: list[Entry]
    blocks: list[Any] = field(default_factory=list)
    results: dict[str | None, Result] = field(default_factory=dict)
    answers: list[Entry] = field(default_factory=list)


@dataclass(slots=True)
class _Drafts:
    """All steps in the making, in order."""

    graph: Graph
    notes: Notes
    agents: Mapping[str, str]
    by_uid: dict[str, _Draft] = field(default_factory=dict)
    owner: dict[str, str] = field(default_factory=dict)
    callers: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    blobs: list[Blob] = field(default_factory=list)


def steps_of(
    entries: Sequence[Entry], *, actor: str, agents: Mapping[str, str], notes: Notes
) -> Talk:
    """Return the steps of one agent's records.

    Args:
        entries: The records, in file order.
        actor: `agent`, or `agent:<id>` for a subagent.
        agents: Trajectory ids of subagents by the `tool_use_id` or agent id that names them.
        notes: Takes results without a call and blocks of unknown type.
    """
    graph = graph_of(entries, is_leaf=lambda entry: entry.role in {"user", "assistant"})
    drafts = _Drafts(graph=graph, notes=notes, agents=agents)
    groups: dict[str, str] = {}
    for entry in graph.entries:
        if entry.role == "assistant":
            _add_response(drafts, entry, groups, actor)
        elif entry.role in {"user", "system"}:
            _add_message(drafts, entry)
    for draft in drafts.by_uid.values():
        _finish_response(drafts, draft)
    for entry in graph.entries:
        _add_results(drafts, entry)
    return _finished(drafts, entries)


def _add_response(drafts: _Drafts, entry: Entry, groups: dict[str, str], actor: str) -> None:
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
        draft = drafts.by_uid[uid] = _Draft(step=step, entries=[])
    draft.entries.append(entry)
    drafts.owner[entry.uid] = uid
    content = message.get("content")
    for block in content if isinstance(content, list) else [content]:
        _put_block(draft.blocks, block)
    draft.step = replace(
        draft.step,
        t_end=entry.time or draft.step.t_end,
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
    if block.get("type") in _CALLS and block.get("id"):
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


def _finish_response(drafts: _Drafts, draft: _Draft) -> None:
    if draft.entries[0].role != "assistant":
        return
    calls: list[Call] = []
    said: list[Any] = []
    for block in draft.blocks:
        if is_object(block) and block.get("type") in _CALLS:
            calls.append(_call(drafts, draft.step.uid, block, number=len(calls) + 1))
        elif not (is_object(block) and str(block.get("type")).endswith(_RESULT)):
            said.append(block)
    content = content_of(said if len(said) != 1 or is_object(said[0]) else said[0])
    drafts.blobs.extend(content.blobs)
    _note_unknown_blocks(drafts.notes, draft.entries[0], said)
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


def _note_unknown_blocks(notes: Notes, entry: Entry, blocks: list[Any]) -> None:
    for block in blocks:
        kind = object_of(block).get("type")
        if isinstance(kind, str) and kind not in _KNOWN_BLOCKS:
            message = f"A content block of type {kind!r} is not known; it was kept as it is."
            notes.add(entry.where, "unknown-block", message)


def _call(drafts: _Drafts, step_uid: str, block: JsonObject, *, number: int) -> Call:
    native = first_str(block, "id")
    uid = native if native and native not in drafts.callers else f"{step_uid}.c{number}"
    call, blobs = call_of(
        uid, first_str(block, "name") or "unknown", block.get("input"), native_id=native
    )
    drafts.blobs.extend(blobs)
    drafts.callers.setdefault(native or uid, []).append((step_uid, uid))
    return call


def _add_message(drafts: _Drafts, entry: Entry) -> None:
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
        is_copied_context=is_own_output(None, content.text),
        extra=extra,
    )
    drafts.blobs.extend(content.blobs)
    drafts.by_uid[entry.uid] = _Draft(step=step, entries=[entry])
    drafts.owner[entry.uid] = entry.uid


def _heard(entry: Entry) -> tuple[Kind, str, Content, str]:
    """Return who speaks in a user or system record, what is said, and what the harness put in."""
    if entry.role == "system":
        is_said = entry.value.get("subtype") == "local_command"
        return "context", "harness", content_of(entry.value.get("content") if is_said else None), ""
    given = entry.message.get("content")
    blocks = [b for b in given if not _is_result(b)] if isinstance(given, list) else given
    content = content_of(blocks)
    if entry.value.get("isCompactSummary") is True:
        return "summary", "harness", content, ""
    own, harness = split_harness(content.text)
    if is_own_output(None, content.text) or (harness and not own):
        return "context", "harness", content, ""
    if entry.value.get("isMeta") is True:
        return "meta", "harness", content, ""
    # A subagent is spoken to by the agent that started it.
    speaker = "agent" if entry.value.get("isSidechain") is True else "user"
    return "user", speaker, replace(content, text=own) if harness else content, harness


def _is_result(block: Any) -> bool:
    return is_object(block) and str(block.get("type")).endswith(_RESULT)


def _add_results(drafts: _Drafts, entry: Entry) -> None:
    details = entry.value.get("toolUseResult")
    for block in entry.blocks:
        if _is_result(block):
            _add_result(drafts, entry, block, details)
            details = None  # it belongs to the first result of the record


def _add_result(drafts: _Drafts, entry: Entry, block: JsonObject, details: Any) -> None:
    native = first_str(block, "tool_use_id")
    found = _caller(drafts, native)
    result, blobs = result_of(block, block.get("content"), known=_PLACED)
    drafts.blobs.extend(blobs)
    if found is None:
        _add_orphan(drafts, entry, native, result)
        return
    draft, call = found
    result = _detailed(drafts, result, call, object_of(details), native)
    draft.results[call.uid] = replace(result, call_uid=call.uid)
    draft.answers.append(entry)
    drafts.owner.setdefault(entry.uid, draft.step.uid)
    times = [time for time in (entry.time, draft.step.t_end) if time is not None]
    draft.step = replace(draft.step, t_end=max(times, default=None))


def _caller(drafts: _Drafts, native: str | None) -> tuple[_Draft, Call] | None:
    """Return the call with this id: the first without a result, else the last."""
    callers = drafts.callers.get(native or "", [])
    if not callers:
        return None
    waiting = [pair for pair in callers if pair[1] not in drafts.by_uid[pair[0]].results]
    step_uid, call_uid = (waiting or callers[-1:])[0]
    draft = drafts.by_uid[step_uid]
    return draft, next(call for call in draft.step.calls if call.uid == call_uid)


def _add_orphan(drafts: _Drafts, entry: Entry, native: str | None, result: Result) -> None:
    message = f"The result {native or 'without an id'} answers no call in this log."
    drafts.notes.add(entry.where, "orphan-result", message)
    uid = f"{entry.uid}.r" if entry.uid in drafts.by_uid else entry.uid
    draft = drafts.by_uid.get(uid)
    if draft is None:
        ids = {"tool_call_id": native} if native else {}
        step = Step(
            index=0,
            uid=uid,
            kind="tool_env",
            actor="env",
            t_start=entry.time,
            t_source="timestamp" if entry.time else None,
            native_ids=ids,
        )
        draft = drafts.by_uid[uid] = _Draft(step=step, entries=[entry])
        drafts.owner.setdefault(entry.uid, uid)
    draft.results[native] = result


def _detailed(
    drafts: _Drafts, result: Result, call: Call, details: JsonObject, native: str | None
) -> Result:
    """Return the result with what the record says beside its content."""
    agent = first_str(details, "agentId")
    kept = {key: value for key, value in details.items() if _is_sparse(value)}
    extra = result.extra | ({"toolUseResult": kept} if kept else {})
    if is_own_output(call.name, result.text):
        extra |= {"stepwell": True}
    if result.error_source == "text" and call.name in _QUOTING:
        result = replace(result, is_error=None, error_source=None)
    code = int_of(details.get("exitCode", details.get("exit_code")))
    return replace(
        result,
        exit_code=code if code is not None else result.exit_code,
        truncated=details.get("truncated") is True,
        child_trajectory_id=drafts.agents.get(agent or "") or drafts.agents.get(native or ""),
        extra=extra,
    )


def _is_sparse(value: Any) -> bool:
    return value not in (None, "", [], {}) and len(msgspec.json.encode(value)) <= _SPARSE


def _finished(drafts: _Drafts, entries: Sequence[Entry]) -> Talk:
    order = {entry.uid: at for at, entry in enumerate(drafts.graph.entries)}
    rows = {entry.uid: row for row, entry in enumerate(entries)}
    kept = [draft for draft in drafts.by_uid.values() if _is_step(draft)]
    kept.sort(key=lambda draft: order[draft.entries[0].uid])
    above = _steps_above(drafts, {draft.step.uid for draft in kept})
    stopped = {
        above[draft.entries[0].uid]
        for draft in kept
        if draft.step.message.startswith("[Request interrupted")
    }
    steps = tuple(
        replace(
            _joined(drafts.graph, draft, is_stopped=draft.step.uid in stopped or draft is kept[-1]),
            index=index,
            parent_uid=above[draft.entries[0].uid],
            raw_refs=tuple(sorted({rows[entry.uid] for entry in draft.entries + draft.answers})),
        )
        for index, draft in enumerate(kept)
    )
    return Talk(steps=steps, blobs=tuple(drafts.blobs), entries=tuple(entries))


def _is_step(draft: _Draft) -> bool:
    step = draft.step
    is_said = bool(step.message or step.thought or step.thought_redacted)
    return is_said or bool(step.calls or draft.results)


def _steps_above(drafts: _Drafts, uids: set[str]) -> dict[str, str | None]:
    """Return, for each record, the step of the nearest record above it that has one."""
    above: dict[str, str | None] = {}
    for entry in drafts.graph.entries:
        parent = drafts.graph.parents[entry.uid]
        if parent is None:
            above[entry.uid] = None
        else:
            owner = drafts.owner.get(parent)
            above[entry.uid] = owner if owner in uids else above[parent]
    return above


def _joined(graph: Graph, draft: _Draft, *, is_stopped: bool) -> Step:
    """Return the step with its results in the order of its calls, its status and its branch."""
    calls = draft.step.calls
    places: dict[str | None, int] = {call.uid: place for place, call in enumerate(calls)}
    ordered = sorted(draft.results.items(), key=lambda item: places.get(item[0], len(places)))
    results = tuple(result for _, result in ordered)
    was_cut = any(
        object_of(entry.value.get("toolUseResult")).get("interrupted") is True
        for entry in draft.answers
    )
    branches = [graph.branches[entry.uid] for entry in draft.entries]
    is_recall = bool(calls) and all(is_own_output(call.name, "") for call in calls)
    return replace(
        draft.step,
        active=None in branches,
        branch_id=None if None in branches else branches[0],
        results=results,
        status="interrupted" if was_cut else status_of(calls, results, is_last=is_stopped),
        is_copied_context=draft.step.is_copied_context or (is_recall and not draft.step.message),
    )
