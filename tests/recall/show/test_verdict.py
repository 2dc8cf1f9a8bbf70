"""The line that says how a failure ended is found among what tools write behind it."""

from __future__ import annotations

import pytest

from stepwell.recall.show.verdict import verdict_in


def found(text: str, *, is_failed: bool = False) -> str | None:
    place = verdict_in(text, is_failed=is_failed)
    return None if place is None else text[slice(*place)]


@pytest.mark.parametrize(
    "line",
    [
        "KeyError: 'port'",
        "django.core.exceptions.ImproperlyConfigured.Error: x",
        "E   AssertionError",
        "FAILED (failures=18)",
        "FAILED tests/test_a.py::test_b - assert 1 == 2",
        "=== 2 failed, 30 passed in 0.4s ===",
        "Ran 3 tests, failures=1",
        "exit code: 2",
        "Process exited with code 127",
        "[exit status 1]",
        "make: *** [all] Error 2",
        "error[E0308]: mismatched types",
        "fatal: not a git repository",
        "npm ERR! code ELIFECYCLE",
        "panic: runtime error",
    ],
)
def test_a_verdict_is_known_by_how_tools_say_it(line: str) -> None:
    assert found(f"before\n{line}\n\nprompt$ \n") == line


@pytest.mark.parametrize(
    "line",
    [
        "0 failed, 3 passed",
        "exit code: 0",
        "raise KeyError(name)",
        "no errors at all",
        "tests for FAILED states pass",
        "except ValueError:  # fine",
    ],
)
def test_what_speaks_of_failures_is_no_verdict(line: str) -> None:
    assert found(line) is None


def test_of_several_verdicts_the_last_is_taken() -> None:
    assert found("ValueError: a\nKeyError: b\nbye") == "KeyError: b"


def test_the_last_line_of_what_is_known_to_have_failed_is_its_verdict() -> None:
    assert found("a\nno such file\n \n", is_failed=True) == "no such file"
    assert found("KeyError: b\nbye", is_failed=True) == "KeyError: b"
    assert found("a\nb") is None
    assert found(" \n", is_failed=True) is None
    assert found("", is_failed=True) is None


@pytest.mark.parametrize(("n", "line"), [(11, "FAILED"), (12, None)])
def test_the_last_dozen_lines_are_read(n: int, line: str | None) -> None:
    assert found("FAILED\n" + "bye\n" * n) == line
