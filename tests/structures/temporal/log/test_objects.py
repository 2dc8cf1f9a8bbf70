"""What an object says of a world."""

from __future__ import annotations

from typing import Any

import pytest

from stepwell.structures.temporal.grammar.words.fields import (
    CARRIED,
    ERRORS,
    HELD,
    IDENTITIES,
    PLACES,
    STATUSES,
)
from stepwell.structures.temporal.log.objects import object_facts


def states(value: Any) -> list[tuple[str, str, str]]:
    return [(one.slot, one.aspect, one.value) for one in object_facts(value, "")[0]]


def listings(value: Any) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.holder, one.items) for one in object_facts(value, "")[1]]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"gold": 12, "done": False, "x": None}, [("gold", "", "12"), ("done", "", "false"),
                                                  ("x", "", "none")]),
        ({"level": {"depth": 3.5}}, [("level.depth", "", "3.5")]),
        ({"a": {"b": {"c": {"d": {"e": 1}}}}}, [("a.b.c.d.e", "", "1")]),
        ({"a": {"b": {"c": {"d": {"e": {"f": 1}}}}}}, []),
        ({"name": "mug 2", "colour": "red"}, [("mug 2", "colour", "red")]),
        ({"name": "mug", "colour": "red"}, [("mug.colour", "", "red")]),
        ({"name": "mug 2", "id": "mug 2", "title": "T"}, [("mug 2", "title", "T")]),
        ({"name": "it", "colour": "red"}, [("name", "", "it"), ("colour", "", "red")]),
        ({"items": [{"name": "mug 2", "x": 1}, {"y": 2}, 3]}, [("mug 2", "x", "1")]),
        ([{"name": "mug 2", "x": 1}, 3], [("mug 2", "x", "1")]),
        ([1, 2], []),
        (4, []),
        ({"t": "x" * 200}, [("t", "", "x" * 200)]),
        ({"t": "x" * 201}, []),
        ({"t": "a  b\nc"}, [("t", "", "a b c")]),
        ({"n": 10**100 - 1}, [("n", "", "9" * 100)]),
        ({"n": 10**100}, [("n", "", "a huge number")]),
        ({"n": -(10**100)}, [("n", "", "a huge number")]),
        ({"n": 1e300}, [("n", "", "1e+300")]),
        ({"l": [1, "é"]}, [("l", "", '[1, "é"]')]),
        ({"mug 2": {"colour": "red"}}, [("mug 2", "colour", "red")]),
    ],
)  # fmt: skip
def test_fields_have_their_path_or_their_thing(
    value: Any, expected: list[tuple[str, str, str]]
) -> None:
    assert states(value) == expected


@pytest.mark.parametrize("key", sorted(PLACES))
def test_every_field_of_places_says_where(key: str) -> None:
    assert states({key: "desk 1"}) == [("agent", "location", "desk 1")]
    assert states({"name": "mug 2", key.upper(): "desk 1"}) == [("mug 2", "location", "desk 1")]
    assert states({key: {"mug 2": "desk 1", "pen": "hand"}}) == [
        ("mug 2", "location", "desk 1"), ("pen", "location", "inventory"),
    ]  # fmt: skip
    assert states({key: {"mug 2": 4}}) != [("mug 2", "location", "4")]


@pytest.mark.parametrize("key", sorted(CARRIED))
def test_every_field_of_what_is_carried_lists_it(key: str) -> None:
    assert listings({key: ["mug 2", {"name": "pen"}]}) == [("inventory", ("mug 2", "pen"))]
    assert listings({key: {"wood": 2, "stone": 0}}) == [("inventory", ("wood",))]
    assert listings({key: "mug 2"}) == [("inventory", ("mug 2",))]
    assert listings({key: ""}) == listings({key: None}) == [("inventory", ())]
    assert listings({key: ["it"]}) == listings({key: 4}) == listings({key: {"a": "b"}}) == []
    assert states({"at": key}) == [("agent", "location", "inventory")]


@pytest.mark.parametrize("key", sorted(HELD))
def test_every_field_of_contents_lists_what_is_in_the_thing(key: str) -> None:
    assert listings({"name": "box 1", key: ["mug 2"]}) == [("box 1", ("mug 2",))]
    assert listings({"box": {key: ["mug 2"]}}) == [("box", ("mug 2",))]
    assert listings({key: ["mug 2"]}) == []


@pytest.mark.parametrize("key", sorted(STATUSES))
def test_every_status_is_of_its_thing(key: str) -> None:
    assert states({"name": "mug", key: "hot"}) == [("mug", key, "hot")]
    assert states({key: "hot"}) == [(key, "", "hot")]


@pytest.mark.parametrize("key", sorted(ERRORS))
def test_every_error_counts_each_time(key: str) -> None:
    (one, other) = object_facts({key: "bad", "x": 1}, "")[0]
    assert (one.is_event, other.is_event) == (True, False)


@pytest.mark.parametrize("key", IDENTITIES)
def test_every_identity_names_the_thing(key: str) -> None:
    assert states({key: "mug 2", "x": 1}) == [("mug 2", "x", "1")]


def test_values_are_quoted_where_they_stand() -> None:
    found, _ = object_facts({"a": "desk", "b": 3, "c": ""}, '{"a": "desk"}')
    assert [one.quote for one in found] == ["desk", "", ""]


def test_objects_are_read_within_bounds() -> None:
    assert len(states({str(n): n for n in range(70)})) == 64
    rows = [{"name": f"mug {n}", "x": 1} for n in range(20)]
    assert len(states(rows)) == 12
    assert len(states([*[1] * 12, {"name": "mug 1", "x": 1}])) == 0
    many = {"a": {str(n): 1 for n in range(60)}, "b": {str(n): 1 for n in range(60)}}
    assert len(states(many)) == 64
    assert len(listings({"inventory": [f"m{n}" for n in range(70)]})[0][1]) == 64


def test_a_value_without_end_is_left_out_and_the_rest_is_read() -> None:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    assert states({"gold": 12, "deep": value}) == [("gold", "", "12")]
