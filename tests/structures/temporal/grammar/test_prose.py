"""Sentences of an observation, from the most particular form to the least."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.grammar.prose import read_prose
from stepwell.structures.temporal.grammar.words.sentences import BARRED

State = tuple[str, str, str]


def states(text: str) -> list[State]:
    return [(one.slot, one.aspect, one.value) for one in read_prose(text).states]


def listings(text: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.holder, one.items) for one in read_prose(text).listings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[INFO] The gate 5 is open.", [("gate 5", "state", "open")]),
        ("- The gate 5 is open", [("gate 5", "state", "open")]),
        ("> * The gate 5 is open!!", [("gate 5", "state", "open")]),
        ("\u201cGate 5\u201d is open", [("Gate 5", "state", "open")]),
        ("12 gates are open", []),
        ("It is open.", []),
        ("The gate 5 is here. It is open.", [("gate 5", "condition", "here"),
                                             ("gate 5", "state", "open")]),
        ("You arrive at box 1. It is empty.", [("agent", "location", "box 1")]),
        ("", []),
    ],
)  # fmt: skip
def test_a_sentence_is_read_without_its_marks(text: str, expected: list[State]) -> None:
    assert states(text) == expected


@pytest.mark.parametrize("character", sorted(BARRED))
def test_lines_of_programs_and_tables_are_no_sentences(character: str) -> None:
    assert states(f"The gate 5{character} is open.") == []


def test_it_is_the_thing_named_last() -> None:
    assert listings("You open the box 1. In it, you see a mug 1.") == [("box 1", ("mug 1",))]
    assert states("The mug 1 is on shelf 2. It is clean.")[-1] == ("mug 1", "condition", "clean")
    assert listings("You are at box 1. It contains a pen.") == [("box 1", ("pen",))]


def test_every_sentence_is_quoted_as_it_stands() -> None:
    said = read_prose("- The gate 5 is open. On the box 1, you see a pen 1.")
    assert [one.quote for one in said.states] == ["The gate 5 is open"]
    assert [one.quote for one in said.listings] == ["On the box 1, you see a pen 1"]


def test_distances_of_things_of_one_name_are_joined() -> None:
    text = "- tree 3 steps to the north\n- cow 2 steps east\n- Tree 5 steps west\n- tree far"
    aspect = "place relative to the agent"
    assert states(text) == [
        ("tree", aspect, "3 steps to the north; 5 steps west; far"),
        ("cow", aspect, "2 steps east"),
    ]
    said = read_prose(text)
    assert [one.quote for one in said.states] == ["", "cow 2 steps east"]
    lone = read_prose("- tree 3 steps to the north").states
    assert [one.quote for one in lone] == ["tree 3 steps to the north"]


def test_joining_leaves_other_states_in_their_order() -> None:
    text = "The lid is open.\n- tree 3 steps north\nThe lid is open.\n- tree 1 step south"
    assert [one[0] for one in states(text)] == ["lid", "tree", "lid"]
