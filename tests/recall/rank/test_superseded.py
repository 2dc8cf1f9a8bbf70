"""Asked what holds now, the newest of like facts comes first and older ones are marked."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from stepwell import Memory
from support.trajectories import said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.recall.evidence import Evidence

NOW = datetime(2026, 9, 24, 12, tzinfo=UTC)
FACTS = {  # by days before now, in another order than they are added in
    3: "The staging gateway listens on port 8099.",
    9: "The staging gateway listens on port 8081.",
    1: "The staging gateway now listens on port 9443. Nobody was told.",
    5: "The staging gateway is made of tin.",
    2: "The staging gateway listens on port 9443.",
}


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(encoder=None, clock=lambda: NOW) as memory:
        for days, text in FACTS.items():
            step = replace(said(0, text), t_start=NOW - timedelta(days=days))
            memory.add(step, trajectory=f"days{days}")
        yield memory


def superseded(evidence: Evidence) -> set[str]:
    return {item.trajectory for item in evidence.items if item.superseded}


def test_the_newest_is_first_and_what_it_contradicts_is_marked(memory: Memory) -> None:
    evidence = memory.recall("Which port does the staging gateway listen on now?", 600)
    assert superseded(evidence) == {"days3", "days9"}
    best = max(evidence.items, key=lambda item: item.score)
    assert best.trajectory == "days1"
    assert "[s0.m user superseded] The staging gateway listens on port 8081." in evidence.text
    assert "on 2026-09-23]" in evidence.text
    assert '"superseded": true' in memory.recall("port of the gateway now?", format="json").text


def test_a_question_about_the_past_marks_nothing(memory: Memory) -> None:
    evidence = memory.recall("Which port did the staging gateway listen on?", 600)
    assert superseded(evidence) == set()
    assert "superseded" not in evidence.text


def test_what_only_shares_a_word_is_not_alike(memory: Memory) -> None:
    memory.add("The kitchen has one window now.", trajectory="kitchen")
    evidence = memory.recall("What is the gateway made of now?", 600)
    assert not {"days5", "kitchen"} & superseded(evidence)
