"""What holds after a phrase was done, verb by verb."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.grammar.effects import effect_of, is_move
from stepwell.structures.temporal.grammar.phrases import phrase_of
from stepwell.structures.temporal.grammar.words.verbs import (
    CHANGES,
    DROPS,
    GOES,
    NEUTRAL,
    PUTS,
    SWITCHES,
    TAKES,
    TURNS,
)

Effect = tuple[str, str, str, str]


def effect(text: str) -> Effect | None:
    phrase = phrase_of(text)
    assert phrase is not None
    state = effect_of(phrase)
    return None if state is None else (state.slot, state.aspect, state.value, state.before)


@pytest.mark.parametrize("verb", sorted(TAKES))
def test_what_is_taken_is_carried(verb: str) -> None:
    assert effect(f"{verb} mug 1 from box 2") == ("mug 1", "location", "inventory", "box 2")
    assert effect(f"{verb} mug 1") == ("mug 1", "location", "inventory", "")


@pytest.mark.parametrize("verb", sorted(PUTS - {"move"}))
def test_what_is_put_is_where_it_says(verb: str) -> None:
    assert effect(f"{verb} mug 1 on box 2") == ("mug 1", "location", "box 2", "")
    expected = ("mug 1", "location", "here", "") if verb in DROPS else None
    assert effect(f"{verb} mug 1") == expected
    assert effect(f"{verb} down mug 1") == ("mug 1", "location", "here", "")


@pytest.mark.parametrize("verb", sorted(GOES))
def test_who_goes_is_there(verb: str) -> None:
    assert effect(f"{verb} to pier 1") == ("agent", "location", "pier 1", "")
    assert effect(f"{verb} pier 1") == ("agent", "location", "pier 1", "")
    assert effect(f"{verb} north") is None


@pytest.mark.parametrize(("verb", "state"), SWITCHES.items())
def test_what_is_switched_has_a_state(verb: str, state: str) -> None:
    assert effect(f"{verb} gate 5") == ("gate 5", "state", state, "")
    assert effect(f"{verb} it") is None


@pytest.mark.parametrize("verb", sorted(TURNS))
def test_what_is_turned_is_on_or_off(verb: str) -> None:
    assert effect(f"{verb} on lamp 1") == ("lamp 1", "state", "on", "")
    assert effect(f"{verb} lamp 1 off") == ("lamp 1", "state", "off", "")
    assert effect(f"{verb} lamp 1 up") is None
    assert effect(f"{verb} lamp 1") is None


@pytest.mark.parametrize("verb", sorted(CHANGES))
def test_what_is_changed_has_a_condition(verb: str) -> None:
    found = effect(f"{verb} fish 2 with stove 1")
    assert found is not None
    assert (found[0], found[1], found[3]) == ("fish 2", "condition", "")


@pytest.mark.parametrize("verb", sorted(NEUTRAL))
def test_looking_changes_nothing(verb: str) -> None:
    assert effect(f"{verb} mug 1 in box 2") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("take mug 1 at box 2", ("mug 1", "location", "inventory", "box 2")),
        ("take mug 1 to box 2", ("mug 1", "location", "inventory", "")),
        ("take mug 1 in x2 from box 2", ("mug 1", "location", "inventory", "box 2")),
        ("put mug 1 from x2 on box 2", ("mug 1", "location", "box 2", "x2")),
        ("put mug 1 off box 2", ("mug 1", "location", "inventory", "box 2")),
        ("move mug 1 to box 2", ("mug 1", "location", "box 2", "")),
        ("move to box 2", ("agent", "location", "box 2", "")),
        ("move box 2", ("agent", "location", "box 2", "")),
        ("ferry ball 3 from pier 1 to boat 2", ("ball 3", "location", "boat 2", "pier 1")),
        ("ferry ball 3 from pier 1", ("ball 3", "location", "inventory", "pier 1")),
        ("ferry ball 3 in boat 2", None),
        ("ferry ball 3 into boat 2", ("ball 3", "location", "boat 2", "")),
        ("ferry ball 3", None),
        ("swim over to boat 2", ("agent", "location", "boat 2", "")),
        ("swim to boat 2", ("agent", "location", "boat 2", "")),
        ("pry open hatch 2", ("hatch 2", "state", "open", "")),
        ("slam hatch 2 shut", ("hatch 2", "state", "closed", "")),
        ("slice it", None),
        ("slice bread 1 in box 2", ("bread 1", "condition", "sliced", "")),
        ("frob", None),
    ],
)
def test_prepositions_say_what_has_moved(text: str, expected: Effect | None) -> None:
    assert effect(text) == expected


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("go north", True),
        ("move", True),
        ("move mug 1 to box 2", False),
        ("move to box 2", True),
        ("take to box 2", False),
        ("swim to box 2", True),
        ("swim over to box 2", True),
        ("swim over box 2", False),
        ("swim into box 2", True),
        ("frob mug 1 to box 2", False),
        ("frob mug 1", False),
    ],
)
def test_a_move_is_the_agents_own(text: str, *, moves: bool) -> None:
    phrase = phrase_of(text)
    assert phrase is not None
    assert is_move(phrase) is moves


def test_an_effect_names_its_words_and_its_action() -> None:
    phrase = phrase_of("open gate 5")
    assert phrase is not None
    state = effect_of(phrase, quote="open gate 5", act=3)
    assert state is not None
    assert (state.quote, state.act, state.is_event) == ("open gate 5", 3, False)
    plain = effect_of(phrase)
    assert plain is not None
    assert (plain.quote, plain.act) == ("", -1)
