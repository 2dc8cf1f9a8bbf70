"""Steps of a Claude Code conversation: one per user message, one per model response."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stepwell.formats.chat.signals import is_own_output
from stepwell.formats.chat.steps import status_of
from stepwell.formats.claude_code.drafts import Drafts
from stepwell.formats.claude_code.graph import graph_of
from stepwell.formats.claude_code.messages import add_message, add_response, finish_response
from stepwell.formats.claude_code.results import add_results
from stepwell.trajectory.fields import object_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from stepwell.formats.base import Notes
    from stepwell.formats.claude_code.drafts import Draft
    from stepwell.formats.claude_code.graph import Graph
    from stepwell.formats.claude_code.records import Entry
    from stepwell.trajectory.model import Blob, Step

__all__ = ["Talk", "steps_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """The steps of one agent, with the media bytes in them and the records they were read from."""

    steps: tuple[Step, ...]
    blobs: tuple[Blob, ...]
    entries: tuple[Entry, ...]


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
    drafts = Drafts(graph=graph, notes=notes, agents=agents)
    groups: dict[str, str] = {}
    for entry in graph.entries:
        if entry.role == "assistant":
            add_response(drafts, entry, groups, actor)
        elif entry.role in {"user", "system"}:
            add_message(drafts, entry)
    for draft in drafts.by_uid.values():
        finish_response(drafts, draft)
    for entry in graph.entries:
        add_results(drafts, entry)
    return _finished(drafts, entries)


def _finished(drafts: Drafts, entries: Sequence[Entry]) -> Talk:
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


def _is_step(draft: Draft) -> bool:
    step = draft.step
    is_said = bool(step.message or step.thought or step.thought_redacted)
    return is_said or bool(step.calls or draft.results)


def _steps_above(drafts: Drafts, uids: set[str]) -> dict[str, str | None]:
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


def _joined(graph: Graph, draft: Draft, *, is_stopped: bool) -> Step:
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
