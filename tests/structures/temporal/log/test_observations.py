"""What an observation says, of a world or of a tool."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.log.observations import read_observation


def states(text: str, *, is_world: bool = True) -> list[tuple[str, str]]:
    return [(one.slot, one.value) for one in read_observation(text, is_world=is_world)[0]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"gold": 3}', [("gold", "3")]),
        ("The gate 5 is open.\nScore: 4", [("gate 5", "open"), ("Score", "4")]),
        ("saved to a.csv\nThe gate 5 is open.", [("a.csv", "written"), ("gate 5", "open")]),
        ("Score: 4\nScore: 5", [("Score", "5")]),
        ("Available actions: look\nScore: 4", [("Score", "4")]),
        ("", []),
    ],
)
def test_objects_sentences_and_lines_are_read(text: str, expected: list[tuple[str, str]]) -> None:
    assert states(text) == expected


def test_what_a_sentence_has_said_no_line_says_again() -> None:
    found, listings = read_observation("Inventory: mug 1.\nmood: the lid is open", is_world=True)
    assert [one.items for one in listings] == [("mug 1",)]
    assert [(one.slot, one.value) for one in found] == [("mood", "the lid is open")]
    _, seen = read_observation("You are carrying: pen.\nBag: mug 1", is_world=True)
    assert [(one.holder, one.items) for one in seen] == [("inventory", ("mug 1",))]


def test_of_a_long_output_only_plain_values_are_read() -> None:
    text = "The gate 5 is open.\nScore: 4\nName: " + "n" * 24 + "\nMore: " + "m" * 25 + "\n"
    short, long = text + "x" * (300 - len(text)), text + "x" * (301 - len(text))
    assert ("gate 5", "open") in states(short, is_world=False)
    assert states(long, is_world=False) == [("Score", "4"), ("Name", "n" * 24)]
    assert ("gate 5", "open") in states(long)
    listed = "Inventory: mug 1\n" + "x" * 300
    assert read_observation(listed, is_world=False)[1] == []


def test_lines_of_a_document_have_no_values() -> None:
    assert ("Score", "4") in states("Score: 4\n" + "x" * 3_991)
    assert ("Score", "4") not in states("Score: 4\n" + "x" * 3_992)
