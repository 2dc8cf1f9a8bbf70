"""Calls whose names are verbs."""

from __future__ import annotations

from typing import Any

import pytest

from stepwell.structures.temporal.log.callphrases import phrase_of_call
from stepwell.text.tools import GENERIC, SOURCES, TARGETS

Read = tuple[str, str, str, tuple[tuple[str, str], ...]]


def read(name: str, args: dict[str, Any]) -> Read | None:
    found = phrase_of_call(name, args)
    return None if found is None else (found.verb, found.particle, found.thing, found.places)


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("put_object", {"a": "mug 1", "b": "shelf 2"},
         ("put", "", "mug 1", (("to", "shelf 2"),))),
        ("take", {"a": "mug 1", "b": "shelf 2"}, ("take", "", "mug 1", (("from", "shelf 2"),))),
        ("pickUp", {"a": "mug 1"}, ("pick", "up", "mug 1", ())),
        ("go-to", {"a": "shelf 2"}, ("go", "to", "shelf 2", ())),
        ("turn.on", {"a": "lamp 1"}, ("turn", "on", "lamp 1", ())),
        ("open", {"n": 4}, ("open", "", "4", ())),
        ("open", {"n": 4.5, "m": None, "o": "it"}, ("open", "", "", ())),
        ("put", {"a": "mug 1", "from_box": "box 1", "c": "x1"},
         ("put", "", "mug 1", (("from", "box 1"),))),
        ("frob", {"a": "mug 1"}, None),
        ("take_photo", {"a": "mug 1"}, None),
        ("", {}, None),
        ("___", {}, None),
        ("look", {}, ("look", "", "", ())),
    ],
)  # fmt: skip
def test_a_call_is_a_phrase(name: str, args: dict[str, Any], expected: Read | None) -> None:
    assert read(name, args) == expected


@pytest.mark.parametrize("key", sorted(TARGETS))
def test_every_target_is_where_a_thing_goes(key: str) -> None:
    expected = ("put", "", "mug 1", (("to", "box 2"),))
    assert read("put", {key.upper(): "box 2", "thing": "mug 1"}) == expected
    assert read("put", {f"{key}_name": "box 2", "thing": "mug 1"}) == expected
    assert read("put", {f"{key}_": "box 2", "thing": "mug 1"}) == expected


@pytest.mark.parametrize("key", sorted(SOURCES))
def test_every_source_is_where_a_thing_comes_from(key: str) -> None:
    assert read("take", {key: "box 2", "x": "m1"}) == ("take", "", "m1", (("from", "box 2"),))


@pytest.mark.parametrize("word", sorted(GENERIC))
def test_generic_words_of_a_name_are_left_out(word: str) -> None:
    found = read(f"drop_x_{word}", {"a": "mug 1"})
    assert found is None
    found = read(f"drop_{word}", {"a": "mug 1"})
    assert found is not None
    assert found[2] == "mug 1"


def test_arguments_are_read_within_bounds() -> None:
    args = {f"k{n}": "it" for n in range(31)}
    assert read("open", {**args, "z": "m1"}) == ("open", "", "m1", ())
    assert read("open", {**args, "y": "it", "z": "m1"}) == ("open", "", "", ())
