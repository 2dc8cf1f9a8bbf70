"""The records of a Claude Code log, sorted by agent."""

from __future__ import annotations

import json
from typing import Any

import pytest

from stepwell.formats.base import Notes
from stepwell.formats.claude_code.records import Log, looks_like_claude_code, sort_out
from stepwell.formats.files.decode import decode

TALK = {"type": "user", "uuid": "u1", "parentUuid": None, "message": {"content": "hi"}}


def read(*values: Any, sidecar: dict[str, Any] | None = None) -> tuple[Log, Notes]:
    notes = Notes("log.jsonl")
    data = b"".join(json.dumps(value).encode() + b"\n" for value in values)
    return sort_out(decode(data, notes=notes, sidecar=sidecar), notes), notes


def sure(*values: Any) -> float:
    data = b"".join(json.dumps(value).encode() + b"\n" for value in values)
    return looks_like_claude_code(decode(data, notes=Notes("a")))


@pytest.mark.parametrize(
    ("values", "score"),
    [
        ([TALK], 0.98),
        ([{"type": "user", "uuid": "u", "sessionId": "s"}], 0.98),
        ([{"type": "user", "uuid": "u"}], 0.0),
        ([{"type": "user", "parentUuid": "u", "sessionId": "s"}], 0.0),
        ([{"type": "other", "uuid": "u", "sessionId": "s"}], 0.0),
        ([{"loglines": []}], 0.95),
        ([{"type": "summary"}], 0.9),
        ([{"type": "summary"}, {"type": "new"}], 0.9),
        ([{"type": "summary"}, {"role": "user"}], 0.0),
        ([{"type": "summary", "payload": 1}], 0.0),
        ([{"type": "new"}], 0.0),
    ],
)
def test_how_sure_a_log_is_one(values: list[Any], score: float) -> None:
    assert sure(*values) == score


def test_only_the_first_fifty_records_are_looked_at() -> None:
    before = [{"n": n} for n in range(50)]
    assert sure(*before[:49], TALK) == 0.98
    assert sure(*before, TALK) == 0.0


def test_an_entry_keeps_where_it_stands() -> None:
    log, _ = read({"n": 1, "type": "mode"}, TALK | {"timestamp": "2026-03-01T09:00:00Z"})
    (entry,) = log.lanes[None]
    assert (entry.place, entry.uid, entry.parent) == (1, "u1", None)
    assert (entry.where, entry.position) == (2, "line:2")
    assert json.loads(entry.raw)["uuid"] == "u1"
    assert entry.time is not None
    assert (entry.role, entry.message, entry.blocks) == ("user", {"content": "hi"}, [])


def test_records_without_an_id_get_one_and_follow_each_other() -> None:
    log, _ = read({"type": "user"}, {"type": "assistant"}, {"type": "user", "parentUuid": "x"})
    assert [(e.uid, e.parent) for e in log.lanes[None]] == [
        ("r0", None),
        ("r1", None),
        ("r2", "x"),
    ]


def test_a_compaction_links_over_its_gap() -> None:
    log, _ = read(TALK | {"parentUuid": None, "logicalParentUuid": "u0"})
    assert log.lanes[None][0].parent == "u0"


def test_agents_have_lanes_of_their_own() -> None:
    log, _ = read(
        TALK,
        TALK | {"uuid": "u2", "agentId": "a1", "isSidechain": True},
        TALK | {"uuid": "u3", "isSidechain": True},
        TALK | {"uuid": "u4", "isSidechain": "yes"},
    )
    lanes = {lane: [entry.uid for entry in entries] for lane, entries in log.lanes.items()}
    assert lanes == {None: ["u1", "u4"], "a1": ["u2"], "": ["u3"]}


def test_a_side_chain_in_a_subagents_file_is_that_subagents() -> None:
    log, _ = read(TALK | {"isSidechain": True}, sidecar={"agentId": "a9"})
    assert list(log.lanes) == ["a9"]


def test_a_record_written_again_replaces_the_first_in_its_place() -> None:
    first = TALK | {"timestamp": "2026-03-01T09:00:00Z"}
    log, _ = read(first, TALK | {"uuid": "u2"}, TALK | {"message": {"content": "longer"}})
    again, other = log.lanes[None]
    assert (again.uid, again.place, again.message) == ("u1", 0, {"content": "longer"})
    assert again.time is not None
    assert again.where == 3
    assert other.uid == "u2"


def test_titles_and_summaries_are_kept_beside() -> None:
    log, notes = read(
        {"type": "summary", "summary": "One", "leafUuid": "u1"},
        {"type": "summary", "summary": ""},
        {"type": "summary", "summary": "Two"},
        {"type": "custom-title", "customTitle": "Mine"},
        {"type": "ai-title", "title": "Its"},
        {"type": "agent-name"},
    )
    assert log.extra == {
        "summaries": [{"summary": "One", "leafUuid": "u1"}, {"summary": "Two", "leafUuid": None}],
        "custom_title": "Mine",
        "ai_title": "Its",
    }
    assert notes.notices == []
    assert log.lanes == {}


def test_unknown_types_are_counted_and_noted_where_the_first_stands() -> None:
    _, notes = read(TALK, {"type": "new"}, {"type": "new"}, {"n": 1})
    new, nameless = notes.notices
    assert (new.code, new.position, new.effect) == ("unknown-type", "log.jsonl:2", "skipped")
    assert new.message.startswith("2 records of type 'new'")
    assert nameless.message.startswith("1 records of type 'without a type'")


def test_the_first_session_named_counts() -> None:
    log, _ = read({"type": "mode", "session_id": "s1"}, TALK | {"sessionId": "s2"})
    assert log.session_id == "s1"
    assert read(TALK)[0].session_id is None


def test_loglines_of_a_web_export_are_records() -> None:
    lines = [{"type": "user", "message": {}}, 7, {"type": "assistant"}]
    log, _ = read({"loglines": lines})
    entries = log.lanes[None]
    assert [(e.uid, e.parent, e.where) for e in entries] == [
        ("r0", None, "/loglines/0"),
        ("r1", "r0", "/loglines/2"),
    ]
    assert [json.loads(e.raw) for e in entries] == [lines[0], lines[2]]
    assert entries[1].position == "/loglines/2"
