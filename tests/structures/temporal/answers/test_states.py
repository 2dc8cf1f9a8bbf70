"""What held, at first, and how long."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.answers.states import state_lines
from support.temporal_log import Told, log_of, told


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        (
            "Where is rope 1 at step 3?",
            [
                ("rope 1 at s3: inventory (since s3, take rope 1 from crate 1)", (3,), "", True),
            ],
        ),
        (
            "Where is rope 1?",
            [
                ("rope 1 at s12: inventory (since s8, take rope 1 from boat 1)", (8,), "", True),
            ],
        ),
        (
            "Where is rope 1 at steps 3 and 5?",
            [
                ("rope 1 at s3: inventory (since s3, take rope 1 from crate 1)", (3,), "", True),
                (
                    "rope 1 at s5: in/on boat 1 (since s5, put rope 1 on boat 1)",
                    (5,),
                    "boat 1",
                    True,
                ),
            ],
        ),
        (
            "Is crate 1 open or closed at step 1?",
            [
                ("crate 1 state at s1: closed (since s1, go to crate 1)", (1,), "closed", True),
                ("crate 1: what it holds is not known up to s1", (1,), "", False),
            ],
        ),
        (
            "What is the status of crate 1?",
            [
                ("crate 1 state at s12: closed (since s11, close crate 1)", (11,), "", True),
                ("crate 1 at s12 holds: rope 2", (2,), "", True),
            ],
        ),
        (
            "Where was rope 1 initially?",
            [
                ("rope 1 initially: crate 1 (s2)", (2,), "", True),
            ],
        ),
        (
            "What was the score initially?",
            [
                ("Score initially: 7 (s5)", (5,), "7", True),
            ],
        ),
        (
            "What did boat 1 hold at step 5?",
            [
                ("boat 1 at s5 holds: rope 1", (5,), "", True),
            ],
        ),
        (
            "What did boat 1 contain at step 4?",
            [
                ("boat 1 at s4 holds: nothing", (4,), "", True),
            ],
        ),
        (
            "What was the score at step 2?",
            [
                ("Score: nothing known up to s2; later: Score: 7", (5,), "", False),
            ],
        ),
        (
            "What was the score at step 11?",
            [
                ("Score at s11: 12 (since s10, seen)", (10,), "12", True),
            ],
        ),
        (
            "Where is the agent at step 4?",
            [
                (
                    "take rope 1 from crate 1 => rope 1: crate 1 -> inventory",
                    (3,),
                    "take rope 1 from crate 1",
                    False,
                ),
                ("go to boat 1", (4,), "go to boat 1", False),
                (
                    "put rope 1 on boat 1 => rope 1: inventory -> boat 1",
                    (5,),
                    "put rope 1 on boat 1",
                    False,
                ),
            ],
        ),
        (
            "Where is rope 1 at step 99?",
            [
                ("rope 1 at s12: inventory (since s8, take rope 1 from boat 1)", (8,), "", True),
            ],
        ),
        (
            "How long was rope 1 held?",
            [
                ("rope 1: crate 1 from s2 to s2 (1 steps)", (2,), "", True),
                ("rope 1: inventory from s3 to s4 (2 steps)", (3,), "", True),
                ("rope 1: boat 1 from s5 to s7 (3 steps)", (5,), "", True),
                ("rope 1: inventory from s8 to s12 (5 steps)", (8,), "", True),
                ("rope 1 condition: sliced from s9 to s12 (4 steps)", (9,), "", True),
            ],
        ),
        (
            "How long was rope 1 held until step 4?",
            [
                ("rope 1: crate 1 from s2 to s2 (1 steps)", (2,), "", True),
                ("rope 1: inventory from s3 to s4 (2 steps)", (3,), "", True),
            ],
        ),
        (
            "How long was rope 1 held after step 4?",
            [
                ("rope 1: boat 1 from s5 to s7 (3 steps)", (5,), "", True),
                ("rope 1: inventory from s8 to s12 (5 steps)", (8,), "", True),
                ("rope 1 condition: sliced from s9 to s12 (4 steps)", (9,), "", True),
            ],
        ),
        (
            "How long was crate 1 open between step 3 and step 5?",
            [
                ("crate 1 state: open from s2 to s5 (4 steps)", (2,), "", True),
            ],
        ),
        (
            "What is the status of rope 1?",
            [
                ("rope 1 at s12: inventory (since s8, take rope 1 from boat 1)", (8,), "", True),
                ("rope 1 condition at s12: sliced (since s9, slice rope 1)", (9,), "", True),
            ],
        ),
        (
            "Where is pier 1?",
            [],
        ),
    ],
)
def test_states_are_exact(question: str, lines: list[Told]) -> None:
    assert told(question) == lines


def test_what_is_not_known_yet_is_told_by_the_first_change_after_the_step() -> None:
    (line,) = state_lines(log_of(), "rope 1", 1, only_place=False)
    assert line.text.startswith("rope 1: nothing known up to s1; later: ")
    assert (line.steps, line.is_answer) == ((2,), False)
    (line,) = state_lines(log_of(), "score", 4, only_place=False)
    assert line.steps == (5,)
    # At the step itself it is known, and is told as what holds.
    (line,) = state_lines(log_of(), "score", 5, only_place=False)
    assert (line.steps, line.is_answer) == ((5,), True)


def test_what_lies_in_a_thing_is_no_answer_to_whether_it_is_open() -> None:
    lines = told("Is boat 1 open or closed?")
    assert lines
    assert not any(is_answer for *_, is_answer in lines)
    assert any(is_answer for *_, is_answer in told("What is the status of boat 1?"))


def test_what_an_action_brought_about_was_not_so_at_first() -> None:
    assert told("What was the initial state of rope 1?") == [
        ("rope 1 initially: crate 1 (s2)", (2,), "", True),
        ("rope 1: nothing known before s9; then rope 1 condition: sliced", (9,), "", False),
    ]
    seen = (("go to crate 1", "The crate 1 is closed."), ("open crate 1", "Done."))
    (first,) = told("What was the initial state of crate 1?", seen)
    assert first == ("crate 1 state initially: closed (s0)", (0,), "closed", True)
    (after,) = told("What was the initial state of crate 1?", seen[1:])
    assert after[3] is False


def test_what_is_asked_of_the_place_alone_is_told_of_the_place_alone() -> None:
    assert [line[0] for line in told("Where was rope 1 initially?")] == [
        "rope 1 initially: crate 1 (s2)"
    ]
