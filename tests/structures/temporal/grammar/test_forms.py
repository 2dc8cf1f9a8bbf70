"""Each form of sentence names its parts, and leaves alone what only looks like it."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.grammar import forms


def parts(form: str, sentence: str) -> dict[str, str] | None:
    """Return the parts that a form names in a whole sentence; None where it is another form."""
    found = getattr(forms, form).fullmatch(sentence)
    return None if found is None else {k: v for k, v in found.groupdict().items() if v is not None}


@pytest.mark.parametrize(
    ("form", "sentence", "named"),
    [
        (
            "LISTED",
            "On the shelf 2, you see a mug 1, and a cup 3",
            {"holder": "the shelf 2", "items": "a mug 1, and a cup 3"},
        ),
        (
            "LISTED",
            "Looking inside the box there is: a mug",
            {"holder": "the box", "items": "a mug"},
        ),
        ("LISTED", "in the box lies a mug", {"holder": "the box", "items": "a mug"}),
        ("CONTAINS", "The box 1 contains a mug 1", {"holder": "The box 1", "items": "a mug 1"}),
        (
            "CONTAINS",
            "It now holds the following: a, b",
            {"holder": "It", "items": "a, b"},
        ),
        ("EMPTY", "The box 1 is now empty", {"holder": "The box 1"}),
        ("CARRIED", "You are carrying: a mug 1", {"items": "a mug 1"}),
        ("CARRIED", "You're holding a mug", {"items": "a mug"}),
        ("CARRIED", "You’re now carrying a mug", {"items": "a mug"}),  # noqa: RUF001
        ("CARRIED", "You have two mugs", None),
        ("CARRIED", "You have 2 mugs", {"items": "2 mugs"}),
        ("CARRIED", "Your inventory: a mug", {"items": "a mug"}),
        ("CARRIED", "You have to go", None),
        ("EMPTY_HANDED", "You are not carrying anything", {}),
        ("EMPTY_HANDED", "Your hands are empty", {}),
        ("EMPTY_HANDED", "The box is empty", None),
        ("ARRIVED", "You arrive at desk 1", {"place": "desk 1"}),
        ("ARRIVED", "You are now facing the desk 1", {"place": "the desk 1"}),
        ("ARRIVED", "You're at desk 1", {"place": "desk 1"}),
        ("ARRIVED", "You now stand at desk 1", {"place": "desk 1"}),
        ("ARRIVED", "You have arrived at desk 1", {"place": "desk 1"}),
        ("ARRIVED", "They arrive at desk 1", None),
        (
            "LOCATED",
            "The mug 1 is now placed on shelf 2",
            {"thing": "The mug 1", "place": "shelf 2"},
        ),
        ("LOCATED", "The mug 1 lies on shelf 2", {"thing": "The mug 1", "place": "shelf 2"}),
        ("LOCATED", "The mug 1 likes shelf 2", None),
        ("BECAME", "The door 3 is now locked", {"thing": "The door 3", "value": "locked"}),
        ("BECAME", "It has become very hot", {"thing": "It", "value": "very hot"}),
        ("AWAY", "- tree 3 steps to the north", {"thing": "tree", "value": "3 steps to the north"}),
        ("AWAY", "tree very far", {"thing": "tree", "value": "very far"}),
        ("AWAY", "tree 3 apples", None),
        ("SEEN_HERE", "You can see a mug 1 here", {"items": "a mug 1"}),
        ("SEEN_HERE", "lying there: a mug", {"more": "a mug"}),
        (
            "UNDERGONE",
            "The mug 1 has been put on shelf 2",
            {"thing": "The mug 1", "verb": "put", "rest": "on shelf 2"},
        ),
        (
            "UNDERGONE",
            "The mug 1 was successfully cleaned",
            {"thing": "The mug 1", "verb": "cleaned"},
        ),
        ("TURNED", "The lid swings open", {"thing": "The lid", "value": "open"}),
        ("TURNED", "The lid is open", None),
    ],
)
def test_a_form_names_its_parts(form: str, sentence: str, named: dict[str, str] | None) -> None:
    assert parts(form, sentence) == named
    assert parts(form, sentence.upper()) == (
        None if named is None else {name: part.upper() for name, part in named.items()}
    )


@pytest.mark.parametrize("form", ["CONTAINS", "LOCATED", "BECAME", "UNDERGONE", "TURNED"])
def test_a_noun_phrase_has_no_comma_no_colon_and_sixty_characters_at_most(form: str) -> None:
    rest = {
        "CONTAINS": "contains a mug",
        "LOCATED": "is on shelf 2",
        "BECAME": "is now hot",
        "UNDERGONE": "has been cleaned",
        "TURNED": "swings open",
    }[form]
    assert parts(form, f"{'x' * 60} {rest}") is not None
    assert parts(form, f"{'x' * 61} {rest}") is None
    for sign in ",:":
        assert parts(form, f"the mug{sign} 1 {rest}") is None


@pytest.mark.parametrize(
    ("value", "is_going_on"),
    [("burning", True), ("Burning hot", True), ("locked", False), ("a ring", False)],
)
def test_something_going_on_is_no_state(value: str, *, is_going_on: bool) -> None:
    assert (forms.GOING_ON.match(value) is not None) == is_going_on
