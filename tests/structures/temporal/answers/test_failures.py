"""Answers about what failed, and what worked again."""

from __future__ import annotations

import pytest

from support.file_log import RUN, step, told


def test_failures_are_steps_that_failed_and_no_words_of_failure() -> None:
    assert told("How many commands failed?") == [
        ("failed: 2 of 8 actions: Bash x1 (s3), Edit x1 (s4)", (3, 4), True),
        ("Bash pytest -q => failed: KeyError: 'x'", (3,), True),
        ("Edit /conf.toml => failed", (4,), True),
    ]
    assert told("What was the last error?")[:2] == [
        ("last: s4; failed: 2 of 8 actions: Bash x1 (s3), Edit x1 (s4)", (3, 4), True),
        ("Edit /conf.toml => failed", (4,), True),
    ]
    assert told("What was the first error?")[0][0].startswith("first: s3; ")
    assert told("Which commands failed after step 4?") == [
        ("failed after s4: none of 3 actions", (7,), True)
    ]
    talk = (step(0, "Bash", {"command": "git log"}, "9f3c2ab say the last error in words"),)
    assert told("What was the last error?", talk) == [("failed: none of 1 actions", (0,), True)]


def test_failures_of_one_program_or_thing_are_counted_alone() -> None:
    assert told("How many times did pytest fail?")[0] == (
        "pytest failed: 1 time (s3)", (3,), True,
    )  # fmt: skip
    assert told("How often did editing conf.toml fail?")[0][:2] == (
        "edit /conf.toml failed: 1 time (s4)", (4,),
    )  # fmt: skip


def test_what_fixed_a_failure_is_the_first_success_of_the_same_with_both() -> None:
    assert told("Which command fixed it?") == [
        ("failed: s3 Bash pytest -q; first success after it: s7 Bash python -m pytest -q",
         (3, 7), True),
        ("changed in between: s5 /tmp/old.log deleted; s6 /src/app.py edited", (5, 6), True),
    ]  # fmt: skip
    assert told("Which command fixed the pytest failure?")[0][1] == (3, 7)
    assert told("Which command fixed the conf.toml failure?") == [
        ("failed: s4 Edit /conf.toml; nothing like it has succeeded since", (4,), True)
    ]
    assert not any(
        is_answer for _, _, is_answer in told("Which command fixed the payroll failure?")
    )
    assert told("Which command fixed it?", RUN[:3]) == []
    other = (*RUN, step(8, "Write", {"file_path": "/conf.toml", "content": "y"}))
    assert told("Which command fixed the conf.toml failure?", other)[0][1] == (4, 8)


def test_only_a_command_that_runs_all_that_failed_has_fixed_it() -> None:
    run = (
        step(0, "Bash", {"command": "cd /src && npm run build"}, "Exit code 1", error=True),
        step(1, "Bash", {"command": "cd /src && ls"}),
        step(2, "Bash", {"command": "npm install"}),
        step(3, "Bash", {"command": "echo go && npm run build"}, "Exit code 1", error=True),
        step(4, "Bash", {"command": "npm run build"}),
    )
    (lead, *_) = told("Which command fixed the build failure?", run)
    assert lead[0].startswith("failed: s3 ")
    assert "first success after it: s4 " in lead[0]


def test_of_another_thing_no_success_counts() -> None:
    run = (
        step(0, "Edit", {"file_path": "/a.py", "old_string": "x", "new_string": "y"}, error=True),
        step(1, "Edit", {"file_path": "/b.py", "old_string": "x", "new_string": "y"}),
        step(2, "Read", {"file_path": "/a.py"}),
    )
    assert told("Which edit fixed it?", run) == [
        ("failed: s0 Edit /a.py; nothing like it has succeeded since", (0,), True)
    ]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which commands failed before step 4?", "failed before s4: 1 of 4 actions: Bash x1 (s3)"),
        ("Which commands failed at step 4?", "failed at s4: 1 of 1 actions: Edit x1 (s4)"),
        ("Which commands failed between steps 5 and 7?", "failed from s5 to s7: none of 3 actions"),
    ],
)
def test_failures_are_of_the_steps_asked_about(question: str, text: str) -> None:
    assert told(question)[0][0] == text


@pytest.mark.parametrize(
    "question",
    [
        "Which command fixed the pytest failure at step 3?",
        "Which command fixed the failure at step 3?",
        "Which command fixed the pytest failure before step 5?",
    ],
)
def test_the_steps_asked_about_are_those_of_the_failure_and_not_of_its_fix(question: str) -> None:
    assert told(question)[0] == told("Which command fixed the pytest failure?")[0]


def test_a_failure_at_another_step_is_not_meant() -> None:
    lines = told("Which command fixed the pytest failure at step 4?")
    assert not any(is_answer for _, _, is_answer in lines)


def test_every_failure_of_a_kind_is_named_with_its_step() -> None:
    run = tuple(step(n, "Bash", {"command": "make"}, "Exit code 2", error=True) for n in range(15))
    (lead, *rows) = told("Which commands failed?", run)
    shown = ", ".join(f"s{n}" for n in range(12))
    assert lead == (f"failed: 15 of 15 actions: Bash x15 ({shown}, …)", tuple(range(15)), True)
    assert len(rows) == 15
