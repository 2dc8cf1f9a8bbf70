"""Sentences of an observation, and lists of what could be done."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.grammar.sentences import (
    first_sentence,
    sentences_of,
    without_offers,
)
from stepwell.structures.temporal.grammar.words.sentences import OFFERED, OFFERS


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("a.b c", ["a.b c"]),
        ("One\n\nTwo", ["One", "Two"]),
        ("\u4e00\u3002 \u4e8c", ["\u4e00\u3002", "\u4e8c"]),
        ("", []),
        ("x" * 400, ["x" * 400]),
        ("x" * 401, []),
    ],
)
def test_sentences_end_at_a_stop_or_a_line(text: str, sentences: list[str]) -> None:
    assert sentences_of(text) == sentences


def test_a_long_observation_is_read_at_both_ends() -> None:
    ends = sentences_of("b" * 300 + "\n" + "m" * 3_000 + "\n" + "c" * 300)
    assert ends == ["b" * 300, "m" * 199, "c" * 300]
    start = sentences_of("b" * 300 + "\n" + "m" * 2_600 + "\n" + "d" * 300 + "e" * 1_000)
    assert start == ["b" * 300, "d" * 98]
    assert sentences_of("a" * 300 + "\n" + "m" * 2_898 + "\n" + "d" * 300) == ["a" * 300, "d" * 300]


def test_at_most_sixty_sentences_are_returned() -> None:
    assert len(sentences_of("A.\n" * 59)) == 59
    assert len(sentences_of("A.\n" * 61)) == 60
    assert len(sentences_of("A. B. C. " * 30)) == 60


@pytest.mark.parametrize("offered", OFFERED)
@pytest.mark.parametrize("offers", OFFERS)
def test_every_offer_is_left_out(offered: str, offers: str) -> None:
    assert without_offers(f"Dark.\n{offered.title()} {offers}: look, wait") == ["Dark."]
    assert without_offers(f"{offered} next {offers} are:\n  look\n  wait\n\nDark.") == ["", "Dark."]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Available actions now look", ["Available actions now look"]),
        ("Unavailable actions: x", ["Unavailable actions: x"]),
        ("Available actions (here): a\nDark.", ["Dark."]),
        (f"Available actions {'x' * 29}: a", []),
        (f"Available actions {'x' * 30}: a", [f"Available actions {'x' * 30}: a"]),
        (f"{'x ' * 50}Available actions: a", []),
        (f"{'x ' * 52}Available actions: a", [f"{'x ' * 52}Available actions: a"]),
        ("a\n\nb", ["a", "", "b"]),
    ],
)
def test_an_offer_begins_with_its_words(text: str, lines: list[str]) -> None:
    assert without_offers(text) == lines


def test_the_first_sentence_is_the_first() -> None:
    assert first_sentence("  One two. Three.") == "One two."
    assert first_sentence("One") == "One"
    assert first_sentence("") == ""
