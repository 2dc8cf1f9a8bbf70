"""What is looked up, as JSON."""

from __future__ import annotations

import json

import pytest

from stepwell.memory.memory import Memory
from stepwell.serve.documents.looking import (
    expanded_document,
    sessions_document,
    shown_document,
    timeline_document,
)
from support.documents import undocumented, unwritten


@pytest.fixture
def memory() -> Memory:
    found = Memory(None, encoder=None)
    found.add("Überprüfe das.", trajectory="run7")
    found.add(
        {"action": "ls", "observation": "x.py\ny.py", "timestamp": "2026-05-01T12:00:00Z"},
        trajectory="run7",
    )
    return found


def test_one_citation_is_one_object_and_several_are_a_list(memory: Memory) -> None:
    one = shown_document(memory.expand("run7/s0.m"))
    assert one == {"id": "run7/s0.m", "trajectory": "run7", "text": "Überprüfe das."}
    several = shown_document(memory.expand("run7/s0-s1"))
    assert isinstance(several, list)
    assert [shown["id"] for shown in several] == ["run7/s0", "run7/s1"]
    assert undocumented(one, "show") == unwritten(one, "show") == set()


def test_a_cited_line_is_shown_alone(memory: Memory) -> None:
    shown = shown_document(memory.expand("run7/s1.o1:L2"))
    assert shown == {"id": "run7/s1.o1:L2", "trajectory": "run7", "text": "y.py"}


def test_surroundings_hold_the_steps_with_their_parts(memory: Memory) -> None:
    document = expanded_document(memory.expand("run7/s0", context=1))
    assert isinstance(document, dict)
    first, second = document["steps"]
    assert first["atoms"] == [{"id": "s0.m", "label": first["actor"], "text": "Überprüfe das."}]
    assert [(atom["id"], atom["label"]) for atom in second["atoms"]] == [
        ("s1.c1", "action"),
        ("s1.o1", "action"),
    ]
    assert second["time"] == "2026-05-01T12:00:00Z"
    assert undocumented(document, "expand") == unwritten(document, "expand") == set()
    assert isinstance(expanded_document(memory.expand("run7/s0-s1")), list)


def test_a_timeline_has_a_line_for_each_step(memory: Memory) -> None:
    document = timeline_document(memory.timeline("run7"))
    assert [row["step"] for row in document] == [0, 1]
    assert document[0]["summary"] == "Überprüfe das."
    assert document[1]["summary"].startswith("action(ls)")
    assert document[1]["kind"] == "agent"
    assert undocumented(document, "timeline") == unwritten(document, "timeline") == set()


def test_sessions_are_named_by_their_ids_and_not_by_numbers_of_the_file(memory: Memory) -> None:
    memory.add("second", trajectory="run8")
    document = sessions_document(memory.sessions())
    assert [row["trajectory_id"] for row in document] == ["run7", "run8"]
    assert all("number" not in row for row in document)
    assert [row["n_steps"] for row in document] == [2, 1]
    assert undocumented(document, "sessions") == unwritten(document, "sessions") == set()


def test_documents_hold_only_what_json_knows(memory: Memory) -> None:
    for document in (
        timeline_document(memory.timeline()),
        sessions_document(memory.sessions()),
        expanded_document(memory.expand("s0-s1")),
    ):
        assert json.loads(json.dumps(document)) == document


def test_nothing_is_an_empty_list() -> None:
    assert timeline_document([]) == sessions_document([]) == shown_document([]) == []
