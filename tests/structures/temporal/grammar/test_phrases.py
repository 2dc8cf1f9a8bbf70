"""Phrases: verb, particle, thing, places."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.grammar.phrases import Phrase, phrase_of
from stepwell.structures.temporal.grammar.words.prepositions import PARTICLES, PREPOSITIONS


@pytest.mark.parametrize(
    ("text", "verb", "particle", "thing", "places"),
    [
        ("take mug 1", "take", "", "mug 1", ()),
        ("Took the mug 1!", "take", "", "mug 1", ()),
        ("pick up the mug 1 from shelf 2", "pick", "up", "mug 1", (("from", "shelf 2"),)),
        ("go to shelf 2", "go", "to", "shelf 2", ()),
        ("turn the lamp on", "turn", "on", "lamp", ()),
        ("turn lamp", "turn", "", "lamp", ()),
        ("slam the lid shut.", "slam", "shut", "lid", ()),
        ("on", "on", "", "", ()),
        ("Looks", "looks", "", "", ()),
        ("open: box", "open", "", "box", ()),
        ("use x with y on z", "use", "", "x", (("with", "y"), ("on", "z"))),
        ("put a IN b", "put", "", "a", (("in", "b"),)),
        ("put it out of the box", "put", "", "it", (("out of", "box"),)),
        ("put x on top of the box", "put", "", "x", (("on top of", "box"),)),
        ("take up", "take", "up", "", ()),
        ("  wait  ", "wait", "", "", ()),
    ],
)
def test_a_phrase_is_parted(
    text: str, verb: str, particle: str, thing: str, places: tuple[tuple[str, str], ...]
) -> None:
    found = Phrase(verb=verb, particle=particle, thing=thing, places=places)
    assert phrase_of(text) == found


@pytest.mark.parametrize(
    "text", ["", "  ", "!!", "12 mugs", "-x", "take\nmug", "take " + "m" * 196, "(take)"]
)
def test_what_is_no_phrase_is_none(text: str) -> None:
    assert phrase_of(text) is None


def test_a_phrase_has_at_most_200_characters_and_four_places() -> None:
    assert phrase_of("take " + "m" * 195) is not None
    found = phrase_of("carry a to b at c in d by e on f")
    assert found is not None
    assert found.places == (("to", "b"), ("at", "c"), ("in", "d"), ("by", "e"))


@pytest.mark.parametrize("preposition", PREPOSITIONS)
def test_every_preposition_parts_a_phrase(preposition: str) -> None:
    found = phrase_of(f"frob mug 1 {preposition} box 2")
    assert found is not None
    assert (found.thing, found.places) == ("mug 1", ((preposition, "box 2"),))


@pytest.mark.parametrize("particle", sorted(PARTICLES))
def test_every_particle_stands_behind_the_verb(particle: str) -> None:
    found = phrase_of(f"frob {particle.upper()} mug 1")
    assert found is not None
    assert (found.particle, found.thing) == (particle, "mug 1")


def test_names_are_those_that_can_be_one_each_once() -> None:
    found = phrase_of("put it in box 1 on box 1")
    assert found is not None
    assert found.names == ("box 1",)
    assert found.after(frozenset({"in"})) == "box 1"
    assert found.after(frozenset({"at"})) == ""
    last = phrase_of("put x in a1 in b1 in it")
    assert last is not None
    assert last.after(frozenset({"in"})) == "b1"


@pytest.mark.parametrize("end", ["again", "now", "again, please", "carefully"])
def test_adverbs_behind_a_name_are_no_part_of_it(end: str) -> None:
    found = phrase_of(f"close drawer 1 {end}.")
    assert found is not None
    assert found.names == ("drawer 1",)


def test_a_phrase_of_an_adverb_alone_keeps_it() -> None:
    found = phrase_of("again")
    assert found is not None
    assert found.verb == "again"
