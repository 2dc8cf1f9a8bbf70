"""Names: what is cut from around them, and which of them are one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.structures.graph.model import MAX_NAME, PLACES, WEAK, Triple, key_of, name_of


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("the crate 2", "crate 2"),
        ("The Hague", "Hague"),
        ("theatre", "theatre"),
        ("An apple", "apple"),
        ("some kelp", "kelp"),
        ("a", "a"),
        ('"quoted",', "quoted"),
        ("`code` here", "code here"),
        ("two\nlines\t here", "two lines here"),
        ("«guillemets»", "guillemets"),
        ("**bold**", "bold"),
        (" . , ", ""),
        ("", ""),
        ("日本。", "日本。"),
    ],
)
def test_a_name_is_without_what_stands_around_it(text: str, name: str) -> None:
    assert name_of(text) == name


def test_only_one_article_is_taken_off() -> None:
    assert name_of("the a crate") == "a crate"


def test_long_names_are_cut() -> None:
    assert name_of("x" * (MAX_NAME + 1)) == "x" * MAX_NAME
    assert name_of("x" * (MAX_NAME - 1) + " y") == "x" * (MAX_NAME - 1)


@given(st.text())
def test_a_name_has_no_line_ends_or_blanks_around_it(text: str) -> None:
    name = name_of(text)
    assert len(name) <= MAX_NAME
    assert name == name.strip()
    assert "\n" not in name


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Crate 2", "crate 2"),
        ("STRASSE", "strasse"),
        ("straße", "strasse"),
        ("/a/b/c.py", "b/c.py"),
        ("b/c.py", "b/c.py"),
        ("/c.py", "c.py"),
        ("a/b/", "a/b"),
        ("/", "/"),
        ("in/on the shelf", "in/on the shelf"),
        ("https://x.org/a/b", "https://x.org/a/b"),
    ],
)
def test_names_of_one_thing_share_a_key(name: str, key: str) -> None:
    assert key_of(name) == key


def test_a_triple_is_taken_as_not_verbatim_unless_it_says_so() -> None:
    assert Triple("a", "is", "b") == ("a", "is", "b", False)
    assert PLACES.isdisjoint(WEAK)
