"""Values in lines."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.grammar.states import Listing, State
from stepwell.structures.temporal.grammar.words.fields import CARRIED, PLACES
from stepwell.structures.temporal.log.fieldlines import field_lines


def states(text: str) -> list[tuple[str, str]]:
    found = field_lines(text.split("\n"))
    return [(one.slot, one.value) for one in found if not isinstance(one, Listing)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Score: 66", [("Score", "66")]),
        ("- Gold :  4 ", [("Gold", "4")]),
        ("mode = fast", [("mode", "fast")]),
        ("x = f(1)", []),
        ("x = " + "v" * 24, [("x", "v" * 24)]),
        ("x = " + "v" * 25, []),
        ("x: f(1)", [("x", "f(1)")]),
        ("HP 12/16", [("HP", "12/16")]),
        ("HP 12 / 16", [("HP", "12 / 16")]),
        ("cursor (x=71, y:-6)", [("x", "71"), ("y", "-6")]),
        ("lv=4(3) hp=2/3 t=1:2 &a=1", [("lv", "4(3)"), ("hp", "2/3")]),
        ("4: 5", []),
        ("Score:66", [("Score", "66")]),
        ("k" * 40 + ": 1", [("k" * 40, "1")]),
        ("k" * 41 + ": 1", []),
        ("k: " + "v" * 200, [("k", "v" * 200)]),
        ("k: " + "v" * 201, []),
        ("a " + "x" * 255 + " b=1", []),
        ("a " + "x" * 254 + " b=1", [("b", "1")]),
        ("Items:\n  wood 3\n  stone", [("Items", "wood 3 / stone")]),
        ("Items:\n  wood\n\n  stone", [("Items", "wood")]),
        ("Items:\n  wood\nScore: 4", [("Items", "wood"), ("Score", "4")]),
        ("Items:\n  wood\nOther:", [("Items", "wood")]),
        ("Items:", []),
        ("You see:\n  wood", []),
        ("", []),
    ],
)
def test_a_line_has_a_value(text: str, expected: list[tuple[str, str]]) -> None:
    assert states(text) == expected


def test_a_block_has_at_most_twelve_lines() -> None:
    text = "Items:\n" + "\n".join(f"i{n}" for n in range(20))
    assert states(text) == [("Items", " / ".join(f"i{n}" for n in range(12)))]


def test_lines_are_read_within_bounds() -> None:
    assert len(states("\n".join(f"key {n}: 1" for n in range(70)))) == 64
    assert states("x\n" * 399 + "Score: 4") == [("Score", "4")]
    assert states("x\n" * 400 + "Score: 4") == []


@pytest.mark.parametrize("key", sorted(CARRIED))
def test_every_key_of_what_is_carried_lists_it(key: str) -> None:
    (found,) = field_lines([f"{key.title()}: mug 1, a pen"])
    expected = Listing(
        holder="inventory", items=("mug 1", "pen"), quote=f"{key.title()}: mug 1, a pen"
    )
    assert found == expected
    (other,) = field_lines([f"{key}: it, that is so"])
    assert not isinstance(other, Listing)


@pytest.mark.parametrize("key", sorted(PLACES))
def test_every_key_of_places_says_where_the_agent_is(key: str) -> None:
    (found,) = field_lines([f"{key}: hall 1"])
    assert not isinstance(found, Listing)
    assert (found.slot, found.aspect, found.value) == ("agent", "location", "hall 1")
    (other,) = field_lines([f"{key}: nothing"])
    assert not isinstance(other, Listing)
    assert (other.slot, other.aspect) == (key, "")


def test_the_level_of_a_line_is_no_part_of_its_key() -> None:
    (state,) = field_lines(["[INFO] arrived: shelf 1"])
    assert isinstance(state, State)
    assert (state.slot, state.value, state.quote) == ("arrived", "shelf 1", "arrived: shelf 1")
