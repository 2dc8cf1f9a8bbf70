"""A text is cut between words, numbers and characters of every script, never inside one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.text.gaps import first_gap, is_gap, last_gap, word_around


def gaps(text: str) -> list[int]:
    return [place for place in range(1, len(text)) if is_gap(text, place)]


@pytest.mark.parametrize(
    "text",
    [
        *["word", "snake_case", "r2d2", "3.14", "12:30", "1,000", "don't", "l\u2019eau"],
        *["e\u0301te\u0301", "किताब", "نمی\u200cشود", "👨\u200d👩\u200d👧", "👍🏽", "🇩🇪", "라이"],
    ],
)
def test_what_is_one_is_not_cut(text: str) -> None:
    assert gaps(text) == []


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("a b", [1, 2]),
        ("a/b", [1, 2]),
        ("setup.py", [5, 6]),
        ("v1.x", [2, 3]),
        ("a.", [1]),
        ("'a'", [1, 2]),
        ("端口是5433", [1, 2, 3]),
        ("ひらカナ", [1, 2, 3]),
        ("👍👍", [1]),
    ],
)
def test_between_words_and_characters_there_are_gaps(text: str, places: list[int]) -> None:
    assert gaps(text) == places


def test_thai_is_cut_between_characters_but_not_from_its_marks() -> None:
    assert gaps("กี่ก") == [3]


def test_the_ends_of_a_text_are_gaps() -> None:
    assert is_gap("ab", 0)
    assert is_gap("ab", 2)
    assert is_gap("", 0)


def test_the_first_gap_is_one_behind_a_blank_if_that_is_near() -> None:
    assert first_gap("ab/cd ef gh", 1, 9) == 6
    assert first_gap("ab/" + "c" * 14 + " ef", 2, 20) == 18
    assert first_gap("ab/" + "c" * 15 + " ef", 2, 20) == 2
    assert first_gap("ab/cd ef", 1, 5) == 2
    assert first_gap("abcdef", 1, 5) == 5


def test_the_last_gap_is_one_before_a_blank_if_that_is_near() -> None:
    assert last_gap("ab cd ef/gh", 1, 10) == 5
    assert last_gap("ab " + "c" * 14 + "/dd", 1, 18) == 2
    assert last_gap("ab " + "c" * 15 + "/dd", 1, 19) == 19
    assert last_gap("ab cd/ef", 3, 7) == 6
    assert last_gap("abcdef gh", 1, 4) == 6
    assert last_gap("e\u0301" * 60, 1, 7) == 6


def test_a_part_of_a_word_is_followed_to_its_ends_but_a_blob_is_not() -> None:
    assert word_around("see inflections here", 6, 8) == (4, 15)
    assert word_around("word", 1, 2) == (0, 4)
    assert word_around("a b", 2, 3) == (2, 3)
    assert word_around("x" * 38 + "port" + "x" * 38, 38, 42) == (0, 80)
    assert word_around("x" * 38 + "port" + "x" * 39, 38, 42) == (38, 42)
    assert word_around("x" * 99 + "port" + "x" * 99, 99, 103) == (99, 103)


@given(st.text(max_size=40), st.integers(0, 40), st.integers(0, 40))
def test_a_gap_lies_where_it_was_looked_for(text: str, one: int, other: int) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    assert start <= first_gap(text, start, end) <= end
    found = last_gap(text, start, end)
    assert start <= found <= end or is_gap(text, found)
