"""Join the results of a Claude Code log to their calls, by id and never by position."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from stepwell.formats.chat.steps import later, result_of
from stepwell.formats.claude_code.drafts import Draft, is_result
from stepwell.trajectory.fields import first_str, int_of, list_of, object_of
from stepwell.trajectory.model import Result, Step

if TYPE_CHECKING:
    from stepwell.formats.claude_code.drafts import Drafts
    from stepwell.formats.claude_code.records import Entry
    from stepwell.trajectory.model import Call, JsonObject

__all__ = ["add_results"]

_QUOTING = frozenset(
    {"Read", "Grep", "Glob", "LS", "NotebookRead", "WebFetch", "WebSearch", "TodoWrite"}
    | {"Task", "Agent", "Write", "Edit", "MultiEdit"}
)
"""Tools that quote files and pages and flag their own errors: their text is no sign of failure."""

_PLACED = frozenset({"type", "tool_use_id", "content", "is_error", "cache_control"})
_SAVED = re.compile(
    r"\s*(?:<persisted-output>|Error: result \().{0,400}?"
    r"saved to:? [^\n]{0,2000}?tool-results[/\\]([\w.-]{0,255}\w)",
    re.DOTALL,
)
"""A result that is too large for the log, and the name of the file that holds it."""

_SPARSE = 400
"""Bytes of a member of `toolUseResult` above which it only repeats the result's text or a file."""


def add_results(drafts: Drafts, entry: Entry) -> None:
    """Join the results in a record to their calls.

    A result without a call in the log becomes a step of its own, and is noted.
    """
    details = entry.value.get("toolUseResult")
    for block in entry.blocks:
        if is_result(block):
            _add_result(drafts, entry, block, details)
            details = None  # the details belong to the first result of the record


def _add_result(drafts: Drafts, entry: Entry, block: JsonObject, details: Any) -> None:
    native = first_str(block, "tool_use_id")
    found = _caller(drafts, native)
    result, blobs = result_of(block, _whole(drafts, entry, block), known=_PLACED)
    drafts.blobs.extend(blobs)
    if found is None:
        _add_orphan(drafts, entry, native, result)
        return
    draft, call = found
    result = _detailed(drafts, result, call, object_of(details), native)
    draft.results[call.uid] = replace(result, call_uid=call.uid)
    draft.answers.append(entry)
    drafts.owner.setdefault(entry.uid, draft.step.uid)
    draft.step = replace(draft.step, t_end=later(draft.step, entry.time))


def _whole(drafts: Drafts, entry: Entry, block: JsonObject) -> Any:
    """Return what came back: the output kept in a file, or the content with its preview."""
    content = block.get("content")
    first = next(iter(list_of(content)), content)
    text = first if isinstance(first, str) else first_str(object_of(first), "text") or ""
    match = _SAVED.match(text)
    if match is None:
        return content
    output = drafts.outputs.get(match[1])
    if output is None:
        message = f"The output kept in {match[1]} is not beside the log; its preview was read."
        drafts.notes.add(entry.where, "missing-output", message)
        return content
    return output


def _caller(drafts: Drafts, native: str | None) -> tuple[Draft, Call] | None:
    """Return the call with this id: the first without a result, else the last."""
    callers = drafts.callers.get(native or "", [])
    if not callers:
        return None
    waiting = [pair for pair in callers if pair[1] not in drafts.by_uid[pair[0]].results]
    step_uid, call_uid = (waiting or callers[-1:])[0]
    draft = drafts.by_uid[step_uid]
    return draft, next(call for call in draft.step.calls if call.uid == call_uid)


def _add_orphan(drafts: Drafts, entry: Entry, native: str | None, result: Result) -> None:
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
        draft = drafts.by_uid[uid] = Draft(step=step, entries=[entry])
        drafts.owner.setdefault(entry.uid, uid)
    draft.results[native] = result


def _detailed(
    drafts: Drafts, result: Result, call: Call, details: JsonObject, native: str | None
) -> Result:
    """Return the result with what the record says beside its content."""
    agent = first_str(details, "agentId")
    kept = {key: value for key, value in details.items() if _is_sparse(value)}
    extra = result.extra | ({"toolUseResult": kept} if kept else {})
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
