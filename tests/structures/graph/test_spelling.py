"""Misspelt names: the likeness is that of the longest common subsequence, and no name is missed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.structures.graph.spelling import Spellings, likeness

WORDS = st.text("abcde é漢\ud800", max_size=12)


def n_common(first: str, second: str) -> int:
    """Return the length of the longest common subsequence, cell by cell."""
    row = [0] * (len(second) + 1)
    for char in first:
        above = row
        row = [0]
        for at, other in enumerate(second):
            row.append(above[at] + 1 if char == other else max(above[at + 1], row[at]))
    return row[-1]


@given(WORDS, WORDS)
def test_likeness_is_the_share_of_common_characters(first: str, second: str) -> None:
    expected = 2 * n_common(first, second) / (len(first) + len(second)) if first + second else 1.0
    assert likeness(first, second) == pytest.approx(expected)
    assert likeness(first, second) == likeness(second, first)


@given(WORDS, st.lists(WORDS, max_size=8), st.floats(0.1, 1.0))
def test_the_closest_name_is_the_first_of_the_most_alike(
    word: str, names: list[str], least: float
) -> None:
    alike = [likeness(word, name) for name in names]
    best = max(alike, default=0.0)
    expected = (alike.index(best), best) if best >= least else None
    assert Spellings(names).closest(word, least=least) == expected


def test_a_name_just_alike_enough_is_found() -> None:
    names = Spellings(["abcdefghij"])
    assert names.closest("abcdefghijxy", least=0.9) == (0, 1 - 2 / 22)
    assert names.closest("abcdefghijxyz", least=0.9) is None


def test_one_instance_answers_for_many_words() -> None:
    names = Spellings(["harbour", "harbor", "lighthouse"])
    assert names.closest("harbor", least=0.85) == (1, 1.0)
    assert names.closest("lighthuose", least=0.85) == (2, 0.9)
    assert names.closest("beacon", least=0.85) is None


def test_characters_that_share_a_bucket_are_told_apart() -> None:
    same_bits = chr(ord("a") + 32) * 6  # counted where "a" is
    assert Spellings([same_bits]).closest("aaaaaa", least=0.1) is None
