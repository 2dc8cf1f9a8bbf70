"""Words by which a text says that something failed."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.grammar.failures import (
    error_line,
    fails,
    reports_failure,
    says_failure,
)
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


@pytest.mark.parametrize(
    ("output", "failed"),
    [
        ("Traceback (most recent call last):\n  File x\nKeyError: 'a'", True),
        ("ls: cannot access 'x': No such file or directory", True),
        ("bash: frob: command not found", True),
        ("fatal: not a git repository", True),
        ("<tool_use_error>File has not been read yet.</tool_use_error>", True),
        ("EXECUTION RESULT of [sql]:\nSQL Error: 000904 (42000): invalid", True),
        ("Error: no such file", True),
        ("Exit code 1\n1 failed", True),
        ("9f3c2ab mend the error handling", False),
        ("[main 9f3c2ab] Error: say it in words", False),
        ("    97 '--version', '--traceback', '--settings'", False),
        ('raise ValueError("a is not allowed")', False),
        ("3 passed\nTraceback (most recent call last):", False),
        ("The request failed? No: it was denied, said the page.", False),
        ("", False),
    ],
)
def test_a_program_reports_its_failure_first(output: str, *, failed: bool) -> None:
    assert reports_failure(output) is failed


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("Traceback (most recent call last):\n  x\nKeyError: 'a'", "KeyError: 'a'"),
        (
            "Exit code 1\ntest_a - AssertionError: expected 5\ndone",
            "test_a - AssertionError: expected 5",
        ),
        ("ok\nFAILED (failures=18)", "FAILED (failures=18)"),
        ("Traceback (most recent call last):\n", "Traceback (most recent call last):"),
        ("x\n" * 9_000 + "ValueError: late", "ValueError: late"),
        ("all is well", ""),
    ],
)
def test_the_line_of_an_error_is_the_last_that_states_one(output: str, line: str) -> None:
    assert error_line(output) == line
