"""Sentences that list what lies somewhere or what is carried."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.grammar.listings import (
    read_carried,
    read_contents,
    read_seen_here,
)
from stepwell.structures.temporal.grammar.said import Said
from stepwell.structures.temporal.grammar.words.prepositions import BESIDE, STANDING

Items = tuple[str, ...]


@pytest.mark.parametrize(
    ("sentence", "items"),
    [
        ("You are carrying: a mug 1", ("mug 1",)),
        ("You are holding a mug 1 and a pen 2", ("mug 1", "pen 2")),
        ("You are now carrying the mug 1", ("mug 1",)),
        ("You are currently holding nothing", ()),
        ("You hold a pen", ("pen",)),
        ("You carry: pen", ("pen",)),
        ("You have: a pen", ("pen",)),
        ("You have a pen", ("pen",)),
        ("You have an axe", ("axe",)),
        ("You have the pen", ("pen",)),
        ("You have nothing", ()),
        ("You have some rope", ("rope",)),
        ("You have 3 pens", ("3 pens",)),
        ("You have opened it", None),
        ("Inventory: mug 1, pen 2", ("mug 1", "pen 2")),
        ("Your inventory: empty", ()),
        ("Inventory is full", None),
        ("Carrying: pen", ("pen",)),
        ("Holding: pen", ("pen",)),
        ("In hand: pen", ("pen",)),
        ("In your bag: pen", ("pen",)),
        ("Your bag holds a pen", ("pen",)),
        ("Your hands contain: a pen", ("pen",)),
        ("Your hands are empty", ()),
        ("Your pack is empty", ()),
        ("You are not carrying anything", ()),
        ("You are empty-handed", ()),
        ("You are empty handed", ()),
        ("You are carrying nothing", ()),
        ("You are carrying that it is over, I", None),
        ("He is carrying a mug", None),
    ],
)
def test_what_is_carried_is_listed(sentence: str, items: Items | None) -> None:
    said = Said()
    assert read_carried(sentence, said) is (items is not None)
    found = [(one.holder, one.items, one.quote) for one in said.listings]
    assert found == ([("inventory", items, sentence)] if items is not None else [])


@pytest.mark.parametrize(
    ("sentence", "holder", "items"),
    [
        ("On the shelf 2, you see a mug 1, and a cup 3", "shelf 2", ("mug 1", "cup 3")),
        ("In box 1 you can find: pen", "box 1", ("pen",)),
        ("In box 1 you notice pen", "box 1", ("pen",)),
        ("In box 1, you spot pen", "box 1", ("pen",)),
        ("On desk 1 there is a pen", "desk 1", ("pen",)),
        ("On desk 1 there lies a pen", "desk 1", ("pen",)),
        ("On desk 1 there are pens", "desk 1", ("pens",)),
        ("On the desk lies a pen", "desk", ("pen",)),
        ("On the desk stand a pen and a cup", "desk", ("pen", "cup")),
        ("Looking on the desk, you see a pen", "desk", ("pen",)),
        ("On top of the desk, you see a pen", "desk", ("pen",)),
        ("The box 1 contains: a pen", "box 1", ("pen",)),
        ("The box 1 now holds the following: a pen", "box 1", ("pen",)),
        ("The box 1 is empty", "box 1", ()),
        ("The boxes are now empty", "boxes", ()),
    ],
)
def test_what_lies_somewhere_is_listed(sentence: str, holder: str, items: Items) -> None:
    said = Said()
    assert read_contents(sentence, said)
    assert [(one.holder, one.items) for one in said.listings] == [(holder, items)]
    assert said.antecedent == holder


@pytest.mark.parametrize("preposition", STANDING)
def test_every_preposition_begins_a_listing(preposition: str) -> None:
    said = Said()
    assert read_contents(f"{preposition.capitalize()} desk 1, you see a pen", said)
    is_beside = preposition.startswith(BESIDE)
    assert [one.holder for one in said.listings] == ([] if is_beside else ["desk 1"])


@pytest.mark.parametrize(
    ("sentence", "is_read"),
    [
        ("Next to the desk, you see a pen", True),
        ("Near the desk, you see a pen", True),
        ("Behind the desk, you see a pen", True),
        ("On the desk, you see that it is over now, I", False),
        ("On it, you see a pen", False),
        ("You see a pen", False),
        ("Nothing contains a pen", False),
    ],
)
def test_what_is_beside_a_place_or_no_list_gives_no_listing(
    sentence: str, *, is_read: bool
) -> None:
    said = Said()
    assert read_contents(sentence, said) is is_read
    assert said == Said()


@pytest.mark.parametrize(
    ("sentence", "items"),
    [
        ("You can see a mug 1 here", ("mug 1",)),
        ("You see: mug 1 and pen 1", ("mug 1", "pen 1")),
        ("There is a mug 1", ("mug 1",)),
        ("There are mugs here", ("mugs",)),
        ("Lying here: a mug", ("mug",)),
        ("Standing there: a cow, a horse", ("cow", "horse")),
        ("You see nothing", ()),
        ("You see that it is over now, I", None),
        ("A mug is here", None),
    ],
)
def test_what_is_seen_here_is_listed(sentence: str, items: Items | None) -> None:
    said = Said()
    assert read_seen_here(sentence, said) is (items is not None)
    found = [(one.holder, one.items, one.quote) for one in said.listings]
    assert found == ([("here", items, sentence)] if items is not None else [])
