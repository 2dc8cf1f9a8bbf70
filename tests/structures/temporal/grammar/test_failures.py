"""Words by which a text says that something failed."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.grammar.failures import fails, says_failure
from stepwell.structures.temporal.grammar.words.failures import FAILURES


@pytest.mark.parametrize("phrase", FAILURES)
def test_every_failure_word_says_so(phrase: str) -> None:
    text = phrase.replace("*", "s")
    assert fails(f"It {text} so.")
    assert fails(text.upper())
    assert says_failure(f"Well, {text}.")
    if not phrase.endswith("*"):
        assert not fails(f"xx{text}xx")


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        ("Nothing happens.", True),
        ("You open the drawer 1.", False),
        ("A cannon, errorless and unfailing.", False),
        ("You open the box 1. It isn't empty.", False),
        ("You open it. It isn't empty.", False),
        ("You open. It isn't empty.", True),
        ("You look around. It isn't empty.", True),
        ("You frob the box. It isn't empty.", True),
        ("He opens the box 1. It isn't empty.", True),
        ("You can't open the box 1.", True),
        ("Fine. Available actions: deny the claim, fail", False),
        ("Sorry. Available actions: look", True),
        ("", False),
    ],
)
def test_an_observation_says_failure(text: str, *, failed: bool) -> None:
    assert says_failure(text) is failed


def test_only_the_beginning_of_an_observation_is_read() -> None:
    assert says_failure("x " * 146 + "error")
    assert not says_failure("x " * 148 + "error")
    short = "fine\nerror" + "x" * 990
    assert len(short) == 1_000
    assert says_failure(short.replace("errorx", "error "))
    assert not says_failure(short.replace("errorx", "error ") + "x")
    assert says_failure("an error\n" + "x" * 2_000)
