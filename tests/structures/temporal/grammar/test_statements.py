"""Sentences that say what was done, where something is, and what it has become."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stepwell.structures.temporal.grammar.said import Said
from stepwell.structures.temporal.grammar.statements import (
    DISTANCE,
    read_arrived,
    read_became,
    read_distance,
    read_done,
    read_located,
    read_turned,
    read_undergone,
)
from stepwell.structures.temporal.grammar.words.sentences import (
    ADVERBS,
    CONDITIONS,
    HANDS,
    SUBJECTS,
    UNSAID,
)

if TYPE_CHECKING:
    from collections.abc import Callable

State = tuple[str, str, str]


def states(said: Said) -> list[State]:
    return [(one.slot, one.aspect, one.value) for one in said.states]


def read(
    reader: Callable[[str, Said], bool], sentence: str, antecedent: str = "box 9"
) -> tuple[bool, list[State], str]:
    said = Said(antecedent=antecedent)
    is_read = reader(sentence, said)
    assert all(one.quote == sentence for one in said.states)
    return is_read, states(said), said.antecedent


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The lid swings open", ("lid", "state", "open")),
        ("The lid slams shut", ("lid", "state", "closed")),
        ("The lid falls closed", ("lid", "state", "closed")),
        ("The lid is open", None),
        ("The lid was shut", None),
        ("The lid has open", None),
        ("The lid swing open", None),
        ("It swings open", None),
        ("The lid swings open wide", None),
    ],
)
def test_what_turns_open_is_open(sentence: str, expected: State | None) -> None:
    found = read(read_turned, sentence)
    assert found == (expected is not None, [expected] if expected else [], "box 9")


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The mug 1 has been put on shelf 2", ("mug 1", "location", "shelf 2")),
        ("The mug 1 was taken from shelf 2", ("mug 1", "location", "inventory")),
        ("The mug 1 is now sliced", ("mug 1", "condition", "sliced")),
        ("The mugs were successfully heated", ("mugs", "condition", "hot")),
        ("The lamp 1 got just turned on", ("lamp 1", "state", "on")),
        ("It was opened", ("box 9", "state", "open")),
        ("The mug 1 is open", None),
        ("The mug 1 was seen on shelf 2", None),
        ("The mug 1 was frobbed on shelf 2", None),
        ("The mug 1 was placed", None),
    ],
)
def test_what_was_done_to_a_thing_is_a_deed(sentence: str, expected: State | None) -> None:
    found = read(read_undergone, sentence)
    assert found[:2] == (expected is not None, [expected] if expected else [])


@pytest.mark.parametrize(
    ("sentence", "place"),
    [
        ("You arrive at desk 1", "desk 1"),
        ("You have arrived at the desk 1", "desk 1"),
        ("You are in the hall", "hall"),
        ("You are now facing the hall", "hall"),
        ("You are standing at pier 1, alone", "pier 1"),
        ("You stand on the pier", "pier"),
        ("You now stand near the pier", "pier"),
        ("You are in it", ""),
        ("You are happy", ""),
        ("He arrives at desk 1", ""),
    ],
)
def test_who_arrives_is_there(sentence: str, place: str) -> None:
    found = read(read_arrived, sentence)
    assert found == (bool(place), [("agent", "location", place)] if place else [], place or "box 9")


@pytest.mark.parametrize("subject", sorted(SUBJECTS))
def test_every_subject_does_something(subject: str) -> None:
    expected = (True, [("mug 1", "location", "shelf 2")], "mug 1")
    assert read(read_done, f"{subject.capitalize()} put mug 1 on shelf 2") == expected


@pytest.mark.parametrize("adverb", sorted(ADVERBS))
def test_every_adverb_stands_before_the_verb(adverb: str) -> None:
    expected = (True, [("mug 1", "location", "shelf 2")], "mug 1")
    assert read(read_done, f"You {adverb} put mug 1 on shelf 2") == expected


@pytest.mark.parametrize(
    ("sentence", "is_read", "expected", "antecedent"),
    [
        ("Rain put mug 1 on shelf 2", False, [], "box 9"),
        ("You frob mug 1", True, [], "box 9"),
        ("You look at mug 1", True, [], "mug 1"),
        ("You go to pier 1", True, [("agent", "location", "pier 1")], "pier 1"),
        ("You can't put mug 1 on shelf 2", True, [], "box 9"),
        ("You open mug 1 in vain", True, [], "mug 1"),
        ("You", True, [], "box 9"),
        ("You open it", True, [], "box 9"),
    ],
)
def test_a_deed_is_read_unless_it_fails(
    sentence: str, *, is_read: bool, expected: list[State], antecedent: str
) -> None:
    assert read(read_done, sentence) == (is_read, expected, antecedent)


@pytest.mark.parametrize(
    ("sentence", "thing", "value"),
    [
        ("tree 3 steps to the north", "tree", "3 steps to the north"),
        ("- the cow 1 tile away", "cow", "1 tile away"),
        ("cow very near", "cow", "very near"),
        ("cow far", "cow", "far"),
        ("cow adjacent to you", "cow", "adjacent to you"),
        ("cow farther", "", ""),
        ("it 3 steps north", "", ""),
        ("cow 3 miles north", "", ""),
    ],
)
def test_a_distance_is_relative_to_the_agent(sentence: str, thing: str, value: str) -> None:
    expected = [(thing, DISTANCE, value)] if thing else []
    assert read(read_distance, sentence) == (bool(thing), expected, "box 9")


@pytest.mark.parametrize("hand", sorted(HANDS))
def test_what_is_in_the_hand_is_carried(hand: str) -> None:
    found = read(read_located, f"The mug 1 is in your {hand}")
    assert found == (True, [("mug 1", "location", "inventory")], "mug 1")


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The mug 1 is on shelf 2", ("mug 1", "location", "shelf 2")),
        ("The mug 1 now lies in the box 1", ("mug 1", "location", "box 1")),
        ("The mug 1 is now placed on top of shelf 2", ("mug 1", "location", "shelf 2")),
        ("The mugs hang still on shelf 2", ("mugs", "location", "shelf 2")),
        ("It is in box 1", ("box 9", "location", "box 1")),
        ("The mug 1 is not found on shelf 2", None),
        ("The mug 1 is in it", None),
        ("Nothing is in box 1", None),
        ("The mug 1 goes on shelf 2", None),
    ],
)
def test_what_is_somewhere_is_there(sentence: str, expected: State | None) -> None:
    found = read(read_located, sentence)
    antecedent = expected[0] if expected else "box 9"
    assert found == (expected is not None, [expected] if expected else [], antecedent)


@pytest.mark.parametrize(("word", "kept"), CONDITIONS.items())
def test_every_word_for_a_state_is_kept_in_one_form(word: str, kept: str) -> None:
    found = read(read_became, f"The gate 5 is now {word.upper()}")
    assert found == (True, [("gate 5", "state", kept)], "gate 5")


@pytest.mark.parametrize("opening", UNSAID)
def test_what_a_thing_is_not_says_nothing(opening: str) -> None:
    assert read(read_became, f"The gate 5 is {opening}door") == (False, [], "box 9")


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The fish 2 is now cooked", ("fish 2", "condition", "cooked")),
        ("The fish 2 became hot", ("fish 2", "condition", "hot")),
        ("The fish 2 has become very  hot", ("fish 2", "condition", "very hot")),
        ("The fish 2 is cut", ("fish 2", "condition", "cut")),
        ("The fish 2 got washed", ("fish 2", "condition", "clean")),
        ("It is already ready", ("box 9", "condition", "ready")),
        ("The fish 2 is burning", None),
        ("The fish 2 is really very hot", None),
        ("There is hot", None),
    ],
)
def test_what_a_thing_has_become_is_its_condition(sentence: str, expected: State | None) -> None:
    found = read(read_became, sentence)
    antecedent = expected[0] if expected else "box 9"
    assert found == (expected is not None, [expected] if expected else [], antecedent)
