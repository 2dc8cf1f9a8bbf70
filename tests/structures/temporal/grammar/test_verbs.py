"""Verbs: base forms, participles, meanings, and what a tool's name begins with."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.structures.temporal.grammar.verbs import (
    base_of,
    class_of,
    is_deed,
    is_idle,
    is_known,
    is_past,
    participle_of,
    root_of,
)
from stepwell.structures.temporal.grammar.words.verbs import (
    CHANGES,
    DROPS,
    GOES,
    IRREGULAR,
    NEUTRAL,
    PARTICIPLES,
    PUTS,
    SWITCHES,
    TAKES,
    TURNS,
)

GROUPS = (TAKES, PUTS, GOES, CHANGES, NEUTRAL, TURNS, frozenset(SWITCHES))
KNOWN = sorted(frozenset().union(*GROUPS))


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("take", "take"),
        ("TAKE", "take"),
        ("took", "take"),
        ("taken", "take"),
        ("takes", "take"),
        ("taking", "take"),
        ("picked", "pick"),
        ("grabbed", "grab"),
        ("putting", "put"),
        ("dropped", "drop"),
        ("went", "go"),
        ("goes", "go"),
        ("fried", "fry"),
        ("carries", "carries"),
        ("dries", "dry"),
        ("pushes", "push"),
        ("examined", "examine"),
        ("leaving", "leave"),
        ("left", "leave"),
        ("is", "be"),
        ("frobbed", "frobbed"),
        ("Frobs", "frobs"),
        ("ed", "ed"),
        ("", ""),
        ("öffnete", "öffnete"),
    ],
)
def test_a_form_has_its_base(word: str, base: str) -> None:
    assert base_of(word) == base


@pytest.mark.parametrize("verb", KNOWN)
def test_a_known_verb_is_its_own_base(verb: str) -> None:
    assert base_of(verb) == verb
    assert base_of(verb.upper()) == verb
    assert is_known(verb)
    assert class_of(verb)


def test_no_verb_means_two_things() -> None:
    for n, group in enumerate(GROUPS):
        for other in GROUPS[n + 1 :]:
            assert not group & other
    assert DROPS <= PUTS


def test_every_irregular_form_leads_to_a_base_form() -> None:
    for form, base in IRREGULAR.items():
        if base in KNOWN:
            assert base_of(form) == (form if form in KNOWN else base)


def test_every_participle_belongs_to_a_change() -> None:
    assert set(PARTICIPLES) <= CHANGES


@pytest.mark.parametrize(
    ("verb", "participle"),
    [
        ("slice", "sliced"),
        ("heat", "hot"),
        ("cool", "cold"),
        ("wash", "clean"),
        ("fry", "fried"),
        ("empty", "emptied"),
        ("play", "played"),
        ("y", "yed"),
        ("cook", "cooked"),
        ("cut", "cut"),
        ("freeze", "frozen"),
        ("bake", "baked"),
    ],
)
def test_a_participle_says_what_a_thing_is_then(verb: str, participle: str) -> None:
    assert participle_of(verb) == participle


@pytest.mark.parametrize(
    ("word", "past"),
    [
        ("taken", True),
        ("Placed", True),
        ("put", True),
        ("cut", True),
        ("set", True),
        ("shut", True),
        ("take", False),
        ("open", False),
        ("opened", True),
        ("blue", False),
    ],
)
def test_participles_are_told_from_base_forms(word: str, *, past: bool) -> None:
    assert is_past(word) is past


@pytest.mark.parametrize(
    ("verb", "meaning"),
    [
        ("grab", "take"),
        ("take", "take"),
        ("drop", "put"),
        ("put", "put"),
        ("walk", "go"),
        ("shut", "close"),
        ("close", "close"),
        ("open", "open"),
        ("slice", "slice"),
        ("look", "look"),
        ("mug", ""),
        ("", ""),
    ],
)
def test_verbs_of_one_meaning_share_a_class(verb: str, meaning: str) -> None:
    assert class_of(verb) == meaning


@pytest.mark.parametrize(
    ("verb", "known", "idle", "deed"),
    [
        ("look", True, True, False),
        ("take", True, False, True),
        ("slice", True, False, True),
        ("go", True, False, True),
        ("turn", True, False, True),
        ("unlock", True, False, True),
        ("frob", False, False, False),
    ],
)
def test_a_deed_changes_something(verb: str, *, known: bool, idle: bool, deed: bool) -> None:
    assert (is_known(verb), is_idle(verb), is_deed(verb)) == (known, idle, deed)


@pytest.mark.parametrize(
    ("name", "root"),
    [
        ("pick_up_item", "pick"),
        ("goTo", "go"),
        ("look at", "look"),
        ("Opened door", "open"),
        ("bash", "bash"),
        ("12", "12"),
        ("", ""),
        ("__Read", "read"),
    ],
)
def test_a_name_begins_with_its_root(name: str, root: str) -> None:
    assert root_of(name) == root


@given(st.text(max_size=40))
def test_any_word_has_a_base_that_is_folded(word: str) -> None:
    assert base_of(word) == base_of(word).casefold()


@pytest.mark.parametrize("verb", KNOWN)
def test_a_verb_that_is_known_is_its_own_base(verb: str) -> None:
    assert is_known(verb)
    assert base_of(verb) == verb
