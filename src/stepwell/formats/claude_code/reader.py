"""Claude Code session logs: a graph of records, several agents, one trajectory each.

A file `<session>.jsonl` holds a session, and `<session>/subagents/agent-<id>.jsonl` beside it hold
its subagents; older logs keep both in one file, and a web export wraps the records in `loglines`.
A subagent's trajectory is named `<session>/<agent id>`, so a citation reads `a1/s2`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

from stepwell.formats.base import Bundle
from stepwell.formats.chat.content import content_of
from stepwell.formats.claude_code.records import looks_like_claude_code, sort_out
from stepwell.formats.claude_code.steps import steps_of
from stepwell.formats.files.documents import source_id
from stepwell.trajectory.fields import first_str, object_of
from stepwell.trajectory.model import Agent, RawRecord, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from stepwell.formats.base import Notes, Source
    from stepwell.formats.claude_code.records import Entry, Log
    from stepwell.formats.claude_code.steps import Talk
    from stepwell.trajectory.model import JsonObject

__all__ = ["ClaudeCode"]

_NAME = "claude-code"
_ABOUT = ("cwd", "gitBranch", "slug")
_SUBAGENT_TOOLS = frozenset({"Task", "Agent"})


@dataclass(frozen=True, slots=True)
class ClaudeCode:
    """Reads the session logs of Claude Code, subagents and abandoned branches included."""

    name: str = _NAME

    def sniff(self, source: Source) -> float:
        """Return how surely the first records are those of Claude Code."""
        return looks_like_claude_code(source)

    def read(self, source: Source, notes: Notes) -> Iterator[Bundle]:
        """Yield the session's trajectory, then those of its subagents."""
        log = sort_out(source, notes)
        lanes = _named_lanes(log)
        session = _session_id(log, source.uri)
        sidecar = source.sidecar or {}
        agents = _agents(lanes, session, sidecar)
        outputs = object_of(sidecar.get("outputs"))
        talked = partial(steps_of, agents=agents, outputs=outputs, notes=notes)
        starters: dict[str, str] = {}
        if None in lanes or not lanes:
            talk = talked(lanes.get(None, []), actor="agent")
            starters = {
                result.child_trajectory_id: result.call_uid
                for step in talk.steps
                for result in step.results
                if result.child_trajectory_id and result.call_uid
            }
            yield _bundle(talk, session, log.extra, source=source, notes=notes)
        for agent, entries in lanes.items():
            if agent is not None:
                talk = talked(entries, actor=f"agent:{agent}")
                child = _Child(
                    agent=agent,
                    call_uid=starters.get(f"{session}/{agent}") or first_str(sidecar, "toolUseId"),
                )
                yield _bundle(talk, session, {}, source=source, notes=notes, child=child)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Child:
    """What makes a trajectory a subagent's."""

    agent: str
    call_uid: str | None


def _session_id(log: Log, uri: str) -> str:
    """Return the session the file is named for, if its records know it, else the first they name.

    A resumed session begins with the records of the one it continues.
    """
    stem = uri.replace("\\", "/").rpartition("/")[2].partition(".")[0]
    named = (first_str(e.value, "sessionId") for lane in log.lanes.values() for e in lane)
    return stem if stem and stem in set(named) else log.session_id or source_id(uri)


def _named_lanes(log: Log) -> dict[str | None, list[Entry]]:
    """Return the lanes, side chains without an agent id split and named by their first record."""
    lanes: dict[str | None, list[Entry]] = {k: v for k, v in log.lanes.items() if k != ""}
    roots: dict[str, str] = {}
    for entry in log.lanes.get("", []):
        root = roots.get(entry.parent or "", f"side-{entry.uid[:8]}")
        roots[entry.uid] = root
        lanes.setdefault(root, []).append(entry)
    return lanes


def _agents(
    lanes: Mapping[str | None, Sequence[Entry]], session: str, sidecar: JsonObject
) -> dict[str, str]:
    """Map agent ids, and the calls known to have started them, to trajectory ids."""
    named = {str(first_str(object_of(entry.value.get("toolUseResult")), "agentId"))
             for entry in lanes.get(None, [])}  # fmt: skip
    named |= {agent for agent in lanes if agent is not None}
    agents = {agent: f"{session}/{agent}" for agent in named}
    for started, agent_id in object_of(sidecar.get("subagents")).items():
        agents[started] = f"{session}/{agent_id}"
    prompts = {
        content_of(entries[0].message.get("content")).text: agent
        for agent, entries in lanes.items()
        if agent is not None and agent.startswith("side-")
    }
    for block in (b for entry in lanes.get(None, []) for b in entry.blocks) if prompts else ():
        prompt = first_str(object_of(block.get("input")), "prompt")
        call = first_str(block, "id")
        if call and first_str(block, "name") in _SUBAGENT_TOOLS and prompt in prompts:
            agents[call] = f"{session}/{prompts.pop(prompt)}"
    return agents


def _bundle(
    talk: Talk,
    session: str,
    extra: JsonObject,
    *,
    source: Source,
    notes: Notes,
    child: _Child | None = None,
) -> Bundle:
    last: dict[str, str] = {}
    for entry in talk.entries:
        for key in (*_ABOUT, "version"):
            if value := first_str(entry.value, key):
                last[key] = value
    sidecar = source.sidecar or {}
    models = [step.model for step in talk.steps if step.model]
    about = {key: last[key] for key in _ABOUT if key in last}
    trajectory = Trajectory(
        trajectory_id=session if child is None else f"{session}/{child.agent}",
        session_id=session,
        source_format=_NAME,
        source_version=last.get("version"),
        parent_trajectory_id=None if child is None else session,
        parent_call_uid=None if child is None else child.call_uid,
        agent=Agent(
            name=_NAME if child is None else first_str(sidecar, "agentType") or _NAME,
            version=last.get("version"),
            model=models[-1] if models else None,
        ),
        task=None if child is None else first_str(sidecar, "description"),
        steps=talk.steps,
        raw_records=tuple(_raw_record(entry, source.uri) for entry in talk.entries),
        warnings=tuple(notes.notices),
        extra=about | _compactions(talk) | extra,
    )
    return Bundle(trajectory=trajectory, blobs=talk.blobs)


def _compactions(talk: Talk) -> JsonObject:
    found = [
        {"uuid": entry.uid} | object_of(entry.value.get("compactMetadata"))
        for entry in talk.entries
        if entry.value.get("subtype") == "compact_boundary"
    ]
    return {"compactions": found} if found else {}


def _raw_record(entry: Entry, uri: str) -> RawRecord:
    return RawRecord(
        source_uri=uri,
        position=entry.position,
        byte_offset=entry.byte_offset,
        sha256=sha256(entry.raw).hexdigest(),
        raw=entry.raw,
    )
