"""Evidence gives an account of itself, line by line, and cites steps in one word."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.recall.evidence import Cut, Evidence, Item, Noted, Reading, address

PLAIN = Evidence(
    query="which port?",
    text="x",
    tokens=12,
    budget=800,
    tokenizer="o200k",
    format="text",
    items=(),
)
NOTE = Noted(structure="temporal", trajectory="run", steps=(1, 2, 5), text="port is 1")


def account(**changes: object) -> list[str]:
    lines = replace(PLAIN, **changes).explain().split("\n")  # type: ignore[arg-type]
    assert lines[:2] == ["question: which port?", "tokens: 12 of 800 (o200k, whole payload)"]
    return lines[2:]


@pytest.mark.parametrize(
    ("steps", "listed", "word"),
    [
        ((), 4, ""),
        ((3,), 4, "s3"),
        ((3, 4), 4, "s3-s4"),
        ((3, 5), 4, "s3,s5"),
        ((0, 1, 2, 9, 10), 4, "s0-s2,s9-s10"),
        ((0, 2, 4, 6), 4, "s0,s2,s4,s6"),
        ((0, 2, 4, 6, 8), 4, "s0,s2,s4,s6,+1"),
        ((0, 1, 3, 4, 6, 8), 2, "s0-s1,s3-s4,+2"),
        ((0, 2), 2, "s0,s2"),
    ],
)
def test_steps_are_cited_in_one_word(steps: tuple[int, ...], listed: int, word: str) -> None:
    assert address(steps, listed=listed) == word


@given(st.sets(st.integers(0, 60), max_size=30))
def test_all_steps_are_named_where_all_are_listed(steps: set[int]) -> None:
    named: set[int] = set()
    for word in address(sorted(steps), listed=len(steps)).split(","):
        first, _, last = word.replace("s", "").partition("-")
        named.update(range(int(first), int(last or first) + 1) if first else ())
    assert named == steps


def test_four_steps_are_listed_unless_said_otherwise() -> None:
    assert address((0, 2, 4, 6, 8, 10)) == "s0,s2,s4,s6,+2"


def test_an_account_of_nothing_is_the_question_and_its_budget() -> None:
    assert account() == []


def test_an_account_says_what_a_policy_chose_and_why() -> None:
    chosen = {"policy": "default", "read": ("summary", "episodic")}
    assert account(**chosen) == ["policy default chose summary, episodic"]
    assert account(**chosen, why="it asks when") == [
        "policy default chose summary, episodic: it asks when"
    ]


def test_an_account_says_how_each_structure_was_read() -> None:
    readings = (
        Reading(structure="vector", n_hits=7, coverage=0.5),
        Reading(structure="temporal", n_hits=3, coverage=1.0, n_notes=2),
        Reading(structure="summary", n_hits=3, coverage=1.0, n_notes=1, note="by extraction"),
        Reading(structure="units", n_hits=4, coverage=1.0, note="paper order", orders=True),
    )
    assert account(readings=readings) == [
        "read vector: 7 passages, 50% of the scope indexed",
        "read temporal: 3 steps, 2 lines",
        "read summary: 3 steps, 1 lines; by extraction",
        "read units: 4 steps; paper order",
    ]


def test_an_account_tells_notices_notes_quotations_the_tail_and_what_was_cut() -> None:
    item = Item(
        id="run/s4.o1",
        trajectory="run",
        step=4,
        part="o1",
        text="5433",
        kind="agent",
        label="bash",
        structure="episodic",
        score=2.345,
        scores={"episodic": 1.5, "vector": 0.846},
        why="its words match",
    )
    tail = replace(NOTE, structure="tail", steps=(0, 2, 4, 6, 8), text="5 bash")
    cut = Cut(id="run/s9", score=0.126, why="a weak match", reason="no room left in the budget")
    assert account(
        notices=("vectors are off",),
        notes=(NOTE, replace(NOTE, is_answer=True)),
        items=(item,),
        tail=(tail,),
        cut=(cut,),
    ) == [
        "note: vectors are off",
        "said by temporal from s1-s2,s5: port is 1",
        "computed by temporal from s1-s2,s5: port is 1",
        "quoted run/s4.o1: 2.35 (episodic 1.50, vector 0.85); its words match",
        "named run/s0,s2,s4,s6,s8: 5 bash",
        "cut run/s9: 0.13; a weak match; no room left in the budget",
    ]


def test_an_account_tells_how_far_a_question_is_supported_unless_wholly() -> None:
    assert account(support=0.5) == ["support: 0.50 of 1"]
    line = "Nothing in memory supports this question."
    assert account(support=0.0, absence=line) == [line, "support: 0.00 of 1"]
