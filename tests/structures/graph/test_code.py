"""Files, tracebacks, SQL, pages and settings, as triples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stepwell.structures.graph.code import (
    addressed,
    defined,
    elements,
    queried,
    settings,
    traced,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stepwell.structures.graph.model import Triple


def plain(triples: Iterable[Triple]) -> list[tuple[str, str, str]]:
    return [(triple.subject, triple.relation, triple.object) for triple in triples]


def test_what_a_file_defines() -> None:
    text = "class Boat:\n    async def sail(self):\nexport function row() {\n12|pub fn dive()\n"
    assert [triple[1:] for triple in plain(defined(text, file="a.py"))] == [
        ("defines class", "Boat"),
        ("defines def", "sail"),
        ("defines function", "row"),
        ("defines fn", "dive"),
    ]
    assert plain(defined("the class is full", file="a.py")) == []
    assert len(plain(defined("def f1x():\n" * 30, file="a.py"))) == 12


def test_frames_of_a_traceback_call_one_another() -> None:
    text = 'File "a.py", line 3, in run\nFile "b.py", line 9, in row\nFile "b.py", line 9, in row'
    assert plain(traced(text)) == [
        ("a.py", "line 3 in", "run"),
        ("b.py", "line 9 in", "row"),
        ("b.py", "line 9 in", "row"),
        ("run", "calls", "row"),
    ]
    assert plain(traced('File "a.py", line 3')) == [("a.py", "line 3 in", "module")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("UPDATE boats SET name = 1", [("sql", "updates", "boats")]),
        ("INSERT INTO boats VALUES (1)", [("sql", "writes", "boats")]),
        ("DELETE FROM boats", [("sql", "deletes from", "boats")]),
        (
            "CREATE TABLE boats (id INT, name TEXT)",
            [
                ("sql", "creates", "boats"),
                ("boats", "column", "id"),
                ("boats", "column", "name"),
            ],
        ),
        (
            "select b as boat from db.boats",
            [("sql", "reads", "db.boats"), ("db.boats", "column", "boat")],
        ),
        ("SELECT * FROM boats", [("sql", "reads", "boats")]),
        ("please update the boats", []),
        ("we select from what there is. Then from here", []),
        ("", []),
    ],
)
def test_tables_and_columns_of_sql(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert plain(queried(text, by="sql")) == expected


def test_tables_that_are_joined_follow_one_another() -> None:
    text = "SELECT a FROM boats JOIN crews ON x JOIN ports ON y"
    joined = [triple for triple in plain(queried(text, by="sql")) if triple[1] == "joined with"]
    assert joined == [("boats", "joined with", "crews"), ("crews", "joined with", "ports")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://x.org:8080/a/b.", [("x.org", "page", "x.org/a/b")]),
        ("https://www.x.org/a#part", [("x.org", "page", "x.org/a")]),
        ("https://x.org and ftp://y.org/a", []),
    ],
)
def test_pages_of_addresses(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert plain(addressed(text)) == expected


def test_named_elements_of_a_page() -> None:
    assert plain(elements("[7] button 'Save' [8] is tab 'Home'\n[9] link ''")) == [
        ("#7", "button", "Save"),
        ("#8", "tab", "Home"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"port": 8080,', [("it", "port", "8080")]),
        ("- owner = Ada", [("it", "owner", "Ada")]),
        ("Due date: next week", [("it", "due date", "next week")]),
        ("ValueError: no port", []),
        ("see https://x.org", []),
        ("items: [1, 2]", []),
        ("port:8080", []),
        ("a: b\nc: d", [("it", "a", "b"), ("it", "c", "d")]),
    ],
)
def test_values_that_whole_lines_state(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert plain(settings(text, of="it")) == expected
