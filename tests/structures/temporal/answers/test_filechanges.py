"""Answers about files: which were changed, how, and that one was not."""

from __future__ import annotations

import pytest

from support.file_log import RUN, step, told


def test_files_are_listed_with_what_was_done_to_each() -> None:
    ((text, steps, is_answer),) = told("List all files edited.")
    done = "/src/app.py written (s0), edited (s2, s6), /tmp/old.log deleted (s5)"
    assert text == f"files changed by tools and commands: 2: {done}"
    assert (steps, is_answer) == ((0, 2, 5, 6), True)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "Which files were deleted?",
            "deleted by tools and commands: 1: /tmp/old.log deleted (s5)",
        ),
        ("Which files were created?", "created by tools and commands: 1: /src/app.py written (s0)"),
        (
            "Which files were deleted before step 5?",
            "deleted by tools and commands before s5: none",
        ),
    ],
)
def test_a_verb_picks_what_was_done(question: str, text: str) -> None:
    assert [line[0] for line in told(question)] == [f"files {text}"]


def test_what_changed_in_a_file_is_told_with_old_and_new_text() -> None:
    texts = [text for text, _, _ in told("What changed in app.py?")]
    assert texts[0] == "changes of /src/app.py: 3"
    assert texts[2:] == [
        'Write /src/app.py => /src/app.py: written: 2 lines, "def add(): pass"',
        'Edit /src/app.py => /src/app.py: edited: "old = 1" -> "new = 2"',
        'MultiEdit /src/app.py => /src/app.py: edited: 2 edits, the first "1" -> "one"',
    ]


@pytest.mark.parametrize(
    ("question", "file", "told_of_it", "at"),
    [
        ("What changed in setup.py?", "setup.py", "; no call names it", 7),
        ("How often was setup.cfg edited?", "setup.cfg", "; no call names it", 7),
        ("What changed in README.md?", "/README.md", "; named at (s1)", 1),
        (
            "What changed in conf.toml?",
            "/conf.toml",
            "; named at (s4), which failed at (s4)",
            4,
        ),
    ],
)
def test_a_file_that_was_not_changed_is_said_to_be_so(
    question: str, file: str, told_of_it: str, at: int
) -> None:
    text = f"{file}: not changed by any call or command of this log{told_of_it}"
    assert told(question) == [(text, (at,), True)]


def test_edits_of_a_file_are_counted_and_dated() -> None:
    assert told("How many times was app.py edited?")[0] == (
        "/src/app.py written/edited: 3 times (s0, s2, s6)",
        (0, 2, 6),
        True,
    )
    assert told("When was app.py written?")[0] == ("in all 1 times: (s0)", (0,), True)
    assert told("When was app.py last edited?")[0][0] == "last: s6; in all 3 times: (s0, s2, s6)"


def test_programs_are_counted_whatever_else_a_command_says() -> None:
    assert told("How many times was pytest run?") == [
        ("pytest: 2 times (s3, s7); of these failed: (s3)", (3, 7), True),
        ("Bash pytest -q => failed", (3,), True),
        ("Bash python -m pytest -q", (7,), True),
    ]
    assert told("How often was git commit run?")[0][0] == "git commit: 1 time (s5)"
    assert told("How often was mypy run?") == [
        ("no call or command runs mypy by that name: none of 8", (7,), True)
    ]
    assert told("Which pytest commands were run?")[0][0] == "pytest actions: 2"
    assert not any(is_answer for _, _, is_answer in told("How often was pytest run by Ann?"))
    search = (*RUN, step(8, "Bash", {"command": "find . -name x | head"}))
    assert told("How many times was find run?", search)[0][0] == "find: 1 time (s8)"
    assert told("How often did it find a way to run pytest?", search)[0][0].startswith("pytest: 2")


def test_a_number_is_not_answered_by_a_state() -> None:
    lines = told("How many edits were made to app.py after step 3?")
    assert not any(is_answer for _, _, is_answer in lines)


@pytest.mark.parametrize("name", ["src/app.py", "./src/app.py", "/src", "src/*.py"])
def test_nothing_is_denied_of_another_name_for_what_was_changed(name: str) -> None:
    run = (*RUN, step(8, "Bash", {"command": f"cat {name}"}))
    lines = [line[0] for line in told(f"What changed in {name}?", run)]
    assert not any("not changed" in line for line in lines)


@pytest.mark.parametrize("name", ["pp.py", "src/app.pyi", "other/app.py"])
def test_a_name_that_only_looks_alike_is_still_denied(name: str) -> None:
    run = (*RUN, step(8, "Read", {"file_path": name}))
    (line, *_) = [line[0] for line in told(f"What changed in {name}?", run)]
    assert line.startswith(f"{name}: not changed")


@pytest.mark.parametrize(
    "question", ["What was the last command that was run?", "Which file was edited first?"]
)
def test_a_list_of_all_is_no_answer_to_what_was_first_or_last(question: str) -> None:
    lines = told(question)
    assert lines
    assert not any(is_answer for _, _, is_answer in lines)
