"""The records of a Claude Code log: conversation records by agent, and what lies beside them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stepwell.formats.files.members import elements, member
from stepwell.trajectory.fields import (
    first_str,
    is_list,
    is_object,
    list_of,
    object_of,
    str_of,
    time_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from stepwell.formats.base import Notes, Record, Source
    from stepwell.trajectory.model import JsonObject

__all__ = ["CONVERSATION", "QUEUE", "Entry", "Log", "looks_like_claude_code", "sort_out"]

CONVERSATION = frozenset({"user", "assistant", "system", "attachment", "progress"})
QUEUE = "queue-operation"
"""Type of a record that says that a prompt is queued, or leaves the queue."""

_INERT = frozenset(
    {"agent-color", "agent-name", "agent-setting", "ai-title", "bridge-session", "custom-title"}
    | {"content-replacement", "file-history-snapshot", "last-prompt", "marble-origami-commit"}
    | {"mode", "permission-mode", "pr-link", QUEUE, "speculation-accept", "summary"}
    | {"tag", "task-summary", "worktree-state"}
)
"""Types of records that hold no conversation; new ones appear every few weeks."""

_TITLES = {"custom-title": "customTitle", "ai-title": "aiTitle", "agent-name": "agentName"}
_PROBE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A conversation record.

    Attributes:
        place: Its number in the file, from 0, broken records not counted.
        uid: Its `uuid`; `r<place>` when it has none.
        parent: The `uuid` it continues, over a compaction too; None for a root.
        value: The whole record.
        time: Its timestamp in UTC.
        where: Line or JSON pointer, for notices.
        position: Line or JSON pointer, for raw records.
        byte_offset: Where its line or document starts.
        raw: Its bytes.
    """

    place: int
    uid: str
    parent: str | None
    value: JsonObject
    time: datetime | None
    where: int | str
    position: str
    byte_offset: int
    raw: bytes

    @property
    def role(self) -> str:
        """Its type: `user`, `assistant`, `system`, or another."""
        return str(self.value.get("type"))

    @property
    def message(self) -> JsonObject:
        """Its Anthropic message; empty when it has none."""
        return object_of(self.value.get("message"))

    @property
    def blocks(self) -> list[JsonObject]:
        """The objects among its content blocks; none when its content is a string."""
        return [object_of(block) for block in list_of(self.message.get("content"))]


@dataclass(slots=True)
class Log:
    """A file sorted out.

    Attributes:
        lanes: Conversation records by agent id, in file order; None is the session's own agent,
            and `""` holds side chains that name no agent.
        extra: Titles, summaries and compactions.
        session_id: The session; None when no record names one.
    """

    lanes: dict[str | None, list[Entry]] = field(default_factory=dict[str | None, list[Entry]])
    extra: JsonObject = field(default_factory=dict[str, Any])
    session_id: str | None = None


def looks_like_claude_code(source: Source) -> float:
    """Return how surely a source is a log of Claude Code.

    Conversation records give 0.98, a web export 0.95, a log of other known records alone 0.9.
    """
    seen = [object_of(record.value) for record in source.records[:_PROBE]]
    if any(is_list(value.get("loglines")) for value in seen):
        return 0.95
    if any(_is_conversation(value) and _has_links(value) for value in seen):
        return 0.98
    types = [kind for value in seen if (kind := first_str(value, "type")) in _INERT]
    return 0.9 if types and all(_is_inert(value) for value in seen) else 0.0


def _is_conversation(value: JsonObject) -> bool:
    return first_str(value, "type") in CONVERSATION


def _has_links(value: JsonObject) -> bool:
    return "uuid" in value and ("parentUuid" in value or "sessionId" in value)


def _is_inert(value: JsonObject) -> bool:
    return "type" in value and "payload" not in value and "role" not in value


def sort_out(source: Source, notes: Notes) -> Log:
    """Sort the records of a file into conversations and what lies beside them."""
    log = Log()
    unknown: Counter[str] = Counter()
    first: dict[str, int | str] = {}
    own_agent = first_str(source.sidecar or {}, "agentId")
    entries: dict[tuple[str | None, str], Entry] = {}
    for entry in _entries(source):
        value = entry.value
        log.session_id = log.session_id or first_str(value, "sessionId", "session_id")
        kind = str(value.get("type", "without a type"))
        is_talk = kind in CONVERSATION or (kind == QUEUE and bool(value.get("content")))
        if not is_talk and kind not in _INERT:
            unknown[kind] += 1
            first.setdefault(kind, entry.where)
        if not is_talk:
            _keep_beside(log.extra, value)
        if is_talk or "uuid" in value:
            lane = _lane(value, own_agent)
            before = entries.get((lane, entry.uid))
            # A record written again replaces the first, in its place.
            entries[lane, entry.uid] = entry if before is None else _in_place_of(before, entry)
    for (lane, _), entry in entries.items():
        log.lanes.setdefault(lane, []).append(entry)
    for kind, n in unknown.items():
        message = f"{n} records of type {kind!r} are not known, and were passed over."
        notes.add(first[kind], "unknown-type", message, effect="skipped")
    return log


def _lane(value: JsonObject, own_agent: str | None) -> str | None:
    agent = first_str(value, "agentId")
    if agent is None and value.get("isSidechain") is True:
        return own_agent or ""
    return own_agent if agent is None and value.get("type") == QUEUE else agent


def _in_place_of(before: Entry, entry: Entry) -> Entry:
    return Entry(
        place=before.place,
        uid=entry.uid,
        parent=entry.parent,
        value=entry.value,
        time=entry.time or before.time,
        where=entry.where,
        position=entry.position,
        byte_offset=entry.byte_offset,
        raw=entry.raw,
    )


def _keep_beside(extra: JsonObject, value: JsonObject) -> None:
    kind = value.get("type")
    if kind == "summary" and (summary := str_of(value.get("summary"))):
        kept = {"summary": summary, "leafUuid": str_of(value.get("leafUuid"))}
        extra.setdefault("summaries", []).append(kept)
    elif isinstance(kind, str) and kind in _TITLES:
        title = first_str(value, _TITLES[kind], "title", "name")
        if title:
            extra[kind.replace("-", "_")] = title


def _entries(source: Source) -> Iterator[Entry]:
    place = 0
    for record in source.records:
        value = object_of(record.value)
        lines = value.get("loglines")
        pieces = _loglines(record) if is_list(lines) else [(value, record.raw, None)]
        previous: str | None = None
        for piece, raw, pointer in pieces:
            entry = _entry(piece, raw, pointer, record=record, place=place, previous=previous)
            place += 1
            previous = entry.uid
            yield entry


def _loglines(record: Record) -> list[tuple[JsonObject, bytes, str | None]]:
    values = list_of(record.value["loglines"])
    raws = elements(member(record.raw, "loglines"))
    raws = raws if len(raws) == len(values) else [b""] * len(values)
    return [
        (value, raw, f"/loglines/{at}")
        for at, (value, raw) in enumerate(zip(values, raws, strict=True))
        if is_object(value)
    ]


def _entry(
    value: JsonObject,
    raw: bytes,
    pointer: str | None,
    *,
    record: Record,
    place: int,
    previous: str | None,
) -> Entry:
    uid = first_str(value, "uuid")
    parent = first_str(value, "parentUuid", "logicalParentUuid")
    return Entry(
        place=place,
        uid=uid or f"r{place}",
        parent=parent if uid else parent or previous,
        value=value,
        time=time_of(value.get("timestamp")),
        where=pointer or record.line,
        position=pointer or f"line:{record.line}",
        byte_offset=record.byte_offset,
        raw=raw,
    )
