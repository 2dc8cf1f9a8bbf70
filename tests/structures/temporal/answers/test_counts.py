"""How often something was done."""

from __future__ import annotations

import pytest

from support.temporal_log import Told, told


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        (
            "How many times did the agent look?",
            [
                ("look: 3 times (s0, s7, s12)", (0, 7, 12), "", True),
                ("look", (0,), "look", True),
                ("look", (7,), "look", True),
                ("look", (12,), "look", True),
            ],
        ),
        (
            "How often was 'look' performed before step 9?",
            [
                ("'look' before s9: 2 times (s0, s7)", (0, 7), "", True),
            ],
        ),
        (
            "How many times was rope 2 taken?",
            [
                ("take rope 2: 1 time (s6); of these failed: (s6)", (6,), "", True),
                ("take rope 2 from crate 1 => failed", (6,), "take rope 2 from crate 1", True),
            ],
        ),
        (
            "How many times was rope 2 successfully taken?",
            [
                ("take rope 2: never", (12,), "", True),
            ],
        ),
        (
            "How many times was rope 1 grabbed or dropped?",
            [
                ("take rope 1: 2 times (s3, s8)", (3, 8), "", True),
                ("put rope 1: 1 time (s5)", (5,), "", True),
                (
                    "take rope 1 from crate 1 => rope 1: crate 1 -> inventory",
                    (3,),
                    "take rope 1 from crate 1",
                    True,
                ),
                (
                    "put rope 1 on boat 1 => rope 1: inventory -> boat 1",
                    (5,),
                    "put rope 1 on boat 1",
                    True,
                ),
                (
                    "take rope 1 from boat 1 => rope 1: boat 1 -> inventory",
                    (8,),
                    "take rope 1 from boat 1",
                    True,
                ),
            ],
        ),
        (
            "How many times was rope 1 sliced and opened?",
            [
                ("slice rope 1: 1 time (s9)", (9,), "", True),
                ("open rope 1: never", (12,), "", True),
                ("slice rope 1 => rope 1 condition: sliced", (9,), "slice rope 1", True),
            ],
        ),
        (
            "How often did rope 1 change?",
            [
                ("changes of rope 1: 4 (s3, s5, s8, s9)", (3, 5, 8, 9), "", True),
                ("actions on rope 1: 4 times (s3, s5, s8, s9)", (3, 5, 8, 9), "", True),
                (
                    "take rope 1 from crate 1 => rope 1: crate 1 -> inventory",
                    (3,),
                    "take rope 1 from crate 1",
                    True,
                ),
                (
                    "put rope 1 on boat 1 => rope 1: inventory -> boat 1",
                    (5,),
                    "put rope 1 on boat 1",
                    True,
                ),
                (
                    "take rope 1 from boat 1 => rope 1: boat 1 -> inventory",
                    (8,),
                    "take rope 1 from boat 1",
                    True,
                ),
                ("slice rope 1 => rope 1 condition: sliced", (9,), "slice rope 1", True),
            ],
        ),
        (
            "How many actions were performed on rope 1 until step 5?",
            [
                ("changes of rope 1 until s5: 2 (s3, s5)", (3, 5), "", True),
                ("actions on rope 1 until s5: 2 times (s3, s5)", (3, 5), "", True),
                (
                    "take rope 1 from crate 1 => rope 1: crate 1 -> inventory",
                    (3,),
                    "take rope 1 from crate 1",
                    True,
                ),
                (
                    "put rope 1 on boat 1 => rope 1: inventory -> boat 1",
                    (5,),
                    "put rope 1 on boat 1",
                    True,
                ),
            ],
        ),
        (
            "How many times was the crate 1 shut?",
            [
                ("close crate 1: 1 time (s11)", (11,), "", True),
                ("close crate 1 => crate 1 state: open -> closed", (11,), "close crate 1", True),
            ],
        ),
        (
            "How many times was rope 1 taken at step 8?",
            [
                ("take rope 1 at s8: 2 times (s3, s8)", (3, 8), "", True),
                (
                    "take rope 1 from crate 1 => rope 1: crate 1 -> inventory",
                    (3,),
                    "take rope 1 from crate 1",
                    True,
                ),
                (
                    "take rope 1 from boat 1 => rope 1: boat 1 -> inventory",
                    (8,),
                    "take rope 1 from boat 1",
                    True,
                ),
            ],
        ),
        (
            "How many actions on score at step 11?",
            [
                ("changes of Score at s11: 1 (s10)", (10,), "", True),
                ("actions on Score at s11: never", (11,), "", True),
            ],
        ),
        (
            "How many times was 'go' done?",
            [
                ("go: 2 times (s1, s4)", (1, 4), "", True),
                ("go to crate 1 => crate 1 state: closed", (1,), "go to crate 1", True),
                ("go to boat 1", (4,), "go to boat 1", True),
            ],
        ),
    ],
)
def test_counts_are_exact(question: str, lines: list[Told]) -> None:
    assert told(question) == lines
