"""Expressions made of tables of phrases."""

from __future__ import annotations

import re

import pytest

from stepwell.structures.temporal.grammar.patterns import any_of, phrases


@pytest.mark.parametrize(
    ("table", "text", "found"),
    [
        (("how often",), "How  often?", "How  often"),
        (("how often",), "how oftener", None),
        (("chang*",), "exchanged changes", "chang"),
        (("change",), "changes", None),
        (("change", "changes"), "changes", "changes"),
        (("a.b",), "axb", None),
        (("a.b",), "a.b", "a.b"),
        (("on",), "upon", None),
        (("on",), "on!", "on"),
        (("at *",), "at 5", "at "),
    ],
)
def test_phrases_are_found_as_whole_words(
    table: tuple[str, ...], text: str, found: str | None
) -> None:
    match = re.search(phrases(table), text, re.IGNORECASE)
    assert (match[0] if match else None) == found


def test_a_blank_stands_for_what_it_is_told_to() -> None:
    assert re.search(phrases(("no such",), blank=" "), "no such file")
    assert not re.search(phrases(("no such",), blank=" "), "no  such file")
    assert re.search(phrases(("no such",)), "no \n such file")


def test_the_first_text_that_fits_is_matched() -> None:
    assert re.match(any_of(("on top of", "on")), "on top of it")[0] == "on top of"  # type: ignore[index]
    assert re.match(any_of(("on", "on top of")), "on top of it")[0] == "on"  # type: ignore[index]
    assert re.fullmatch(any_of(("in/on", "c++")), "c++")
    assert not re.fullmatch(any_of(("next to",)), "next  to")
