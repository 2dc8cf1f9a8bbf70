"""What people say: of themselves, on which dates, and of whom."""

from __future__ import annotations

import pytest

from stepwell.structures.graph.talk import dated, mentioned, told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I adopted a dog last week.", [("adopted", "a dog last week")]),
        ("I've been working on a novel.", [("been working on", "a novel")]),
        ("We really love the harbour!", [("really love", "the harbour")]),
        ("My sister is a pilot.", [("'s sister", "a pilot")]),
        ("my cat is old; I feed her twice.", [("feed", "her twice"), ("'s cat", "old")]),
        ("You adopted a dog.", []),
        ("", []),
    ],
)
def test_what_someone_says_of_themselves(text: str, expected: list[tuple[str, str]]) -> None:
    found = list(told(text, by="Ada"))
    assert [(triple.relation, triple.object) for triple in found] == expected
    assert {triple.subject for triple in found} <= {"Ada"}


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("on 2023-05-08 at noon", ["2023-05-08"]),
        ("at 2023-05-08T12:30:01", ["2023-05-08T12:30"]),
        ("8 May 2023, or May 9th", ["8 May 2023", "May 9th"]),
        ("the 3rd of March", ["3rd of March"]),
        ("in June 2021", ["June 2021"]),
        ("last Friday and next weekend", ["last Friday", "next weekend"]),
        ("yesterday", ["yesterday"]),
        ("may I? march on", []),
        ("12345-67-89", []),
    ],
)
def test_dates_that_are_mentioned(text: str, dates: list[str]) -> None:
    found = list(dated(text, by="Ada"))
    assert [triple.object for triple in found] == dates
    assert {(triple.subject, triple.relation) for triple in found} <= {("Ada", "mentions date")}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I met Grace Hopper.", ["Grace Hopper"]),
        ("Grace came.", []),
        ("Grace Hopper came.", ["Grace Hopper"]),
        ("Hello Grace, come in", ["Grace"]),
        ("we saw the Bank of England", ["Bank of England"]),
        ("we saw the Bank of", ["Bank"]),
        ("Grace's boat and Ada's kayak", ["Ada"]),
        ("then I'm off, I said", []),
        ("meet Émile and 日本", ["Émile"]),
        ("no names here", []),
    ],
)
def test_names_that_are_mentioned(text: str, names: list[str]) -> None:
    assert [triple.object for triple in mentioned(text, by="Ada")] == names


def test_at_most_ten_of_a_kind_are_told() -> None:
    assert len(list(mentioned("and Ada, " * 40, by="x"))) == 10
    assert len(list(dated("yesterday " * 40, by="x"))) == 10
    assert len(list(told("I like tea. My name is Ada. " * 40, by="x"))) == 20
