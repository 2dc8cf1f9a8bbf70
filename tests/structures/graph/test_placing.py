"""Where things are, as plain English says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stepwell.structures.graph.placing import listed, moved, placed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stepwell.structures.graph.model import Triple


def plain(triples: Iterable[Triple]) -> list[tuple[str, str, str]]:
    return [(triple.subject, triple.relation, triple.object) for triple in triples]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("put kelp 1 in barrel 9", [("kelp 1", "in", "barrel 9")]),
        ("put kelp 1 in/on barrel 9", [("kelp 1", "in", "barrel 9")]),
        ("place lamp onto desk 1", [("lamp", "on", "desk 1")]),
        ("insert key into lock", [("key", "in", "lock")]),
        ("move crate to dock", [("crate", "in", "dock")]),
        ("take kelp 1 from crate 2", [("kelp 1", "taken from", "crate 2")]),
        ("clean mug 1 with sink 1", [("mug 1", "clean with", "sink 1")]),
        ("heat egg in microwave 1", [("egg", "heat in", "microwave 1")]),
        ("Assigned ticket 7 to Ada", [("ticket 7", "assigned to", "Ada")]),
        ("> put kelp 1 in barrel 9", [("kelp 1", "in", "barrel 9")]),
        ("You put the kelp in the barrel.", [("the kelp", "in", "the barrel")]),
        ("Then we have moved the boat to the pier.", [("the boat", "in", "the pier")]),
        ("go to barrel 9", []),
        ("please put kelp 1 in barrel 9", []),
        ("", []),
    ],
)
def test_what_is_taken_and_put(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert plain(moved(text)) == expected


def test_of_many_moves_sixteen_are_told() -> None:
    text = " ".join(f"You put box {n} in hall {n}." for n in range(40))
    assert len(plain(moved(text))) == 16


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("On the desk 1, you see a pen 2.", [("a pen 2", "on", "desk 1")]),
        (
            "In cabinet 3, there are a cup 1, a mug 2 and a plate 4.",
            [
                ("a cup 1", "in", "cabinet 3"),
                ("a mug 2", "in", "cabinet 3"),
                ("a plate 4", "in", "cabinet 3"),
            ],
        ),
        ("On the desk 1, you see nothing.", [("desk 1", "holds", "nothing")]),
        ("The safe 1 is open. In it, you see a coin 1.", [("a coin 1", "in", "safe 1")]),
        ("In it, you see a coin 1.", [("a coin 1", "in", "it")]),
        ("Suddenly, you see a ghost.", []),
    ],
)
def test_what_is_seen_at_a_place(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert plain(listed(text)) == expected


def test_of_a_long_list_sixteen_things_are_told() -> None:
    things = ", ".join(f"a pen {n}" for n in range(30))
    assert len(plain(listed(f"On the desk 1, you see {things}."))) == 16


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The boat is now located at pier 3.", [("The boat", "at", "pier 3")]),
        ("- keys are in drawer 2", [("keys", "in", "drawer 2")]),
        ("it is in drawer 2", []),
        ("Nothing is in drawer 2", []),
        ("cow 2 steps to your north", [("cow", "position", "2 steps to your north")]),
        ("wall very near east", [("wall", "position", "very near east")]),
        ("wall very near", []),
    ],
)
def test_what_is_said_to_be_somewhere(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert plain(placed(text)) == expected


@pytest.mark.parametrize("read", [moved, listed, placed])
@pytest.mark.parametrize("unit", ["you see ", "You put a ", "is in ", "a 1 ", ", "])
def test_a_long_text_is_read_in_little_time(read: object, unit: str) -> None:
    assert callable(read)
    assert len(list(read(unit * 5_000))) <= 16 * 16
