"""Steps of a Claude Code conversation: one per user message, one per model response."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stepwell.formats.chat.steps import says_nothing, status_of
from stepwell.formats.claude_code.drafts import Drafts
from stepwell.formats.claude_code.graph import graph_of
from stepwell.formats.claude_code.messages import add_message, add_response, finish_response
from stepwell.formats.claude_code.queue import delivered, said_in
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
    entries: Sequence[Entry],
    *,
    actor: str,
    agents: Mapping[str, str],
    outputs: Mapping[str, str],
    notes: Notes,
) -> Talk:
    """Return the steps of one agent's records.

    Args:
        entries: The records, in file order.
        actor: `agent`, or `agent:<id>` for a subagent.
        agents: Trajectory ids of subagents by the `tool_use_id` or agent id that names them.
        outputs: Results that were too large for the log, by the name of their file.
        notes: Takes results without a call and blocks of unknown type.
    """
    graph = graph_of(entries, is_talk=_is_talk)
    drafts = Drafts(graph=graph, notes=notes, agents=agents, outputs=outputs)
    groups: dict[str, str] = {}
    told = delivered(entries)
    for entry in graph.entries:
        if entry.role == "assistant":
            add_response(drafts, entry, groups, actor)
        elif entry.uid not in told:
            add_message(drafts, entry)
    _join_told(drafts, told)
    for draft in drafts.by_uid.values():
        finish_response(drafts, draft)
    for entry in graph.entries:
        add_results(drafts, entry)
    return _finished(drafts, entries)


def _is_talk(entry: Entry) -> bool:
    """Return whether a record is a turn: results alone follow the call they answer."""
    return entry.role == "assistant" or (entry.role == "user" and bool(said_in(entry)))


def _join_told(drafts: Drafts, told: Mapping[str, str]) -> None:
    """Join the records that repeat a prompt to the step of the record that tells it."""
    entries = {entry.uid: entry for entry in drafts.graph.entries}
    for uid in told:
        teller = told[uid]
        while teller in told:
            teller = told[teller]
        if (draft := drafts.by_uid.get(teller)) is not None:
            draft.entries.append(entries[uid])
            drafts.owner[uid] = draft.step.uid


def _finished(drafts: Drafts, entries: Sequence[Entry]) -> Talk:
    order = {entry.uid: at for at, entry in enumerate(drafts.graph.entries)}
    rows = {entry.uid: row for row, entry in enumerate(entries)}
    kept = [draft for draft in drafts.by_uid.values() if _is_step(draft)]
    kept.sort(key=lambda draft: order[draft.entries[0].uid])
    uids = {draft.step.uid for draft in kept}
    _note_silent(drafts, uids)
    above = _steps_above(drafts, uids)
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
    return bool(draft.results) or not says_nothing(draft.step)


def _note_silent(drafts: Drafts, uids: set[str]) -> None:
    """Note how many turns hold nothing that makes a step, at the first of them."""
    silent = [
        entry
        for entry in drafts.graph.entries
        if (entry.role in {"user", "assistant"} or said_in(entry) is not None)
        and drafts.owner.get(entry.uid) not in uids
    ]
    if silent:
        message = f"{len(silent)} turns hold nothing that is read, and are no steps."
        drafts.notes.add(silent[0].where, "empty-message", message)


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
    return replace(
        draft.step,
        active=None in branches,
        branch_id=None if None in branches else branches[0],
        results=results,
        status="interrupted" if was_cut else status_of(calls, results, is_last=is_stopped),
    )
