"""When something was done or came to hold."""

from __future__ import annotations

import pytest

from support.temporal_log import Told, told


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        (
            "When was rope 1 first taken?",
            [
                ("first: s3; in all 2 times: (s3, s8)", (3, 8), "", True),
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
            "When was rope 1 last taken?",
            [
                ("last: s8; in all 2 times: (s3, s8)", (3, 8), "", True),
                (
                    "take rope 1 from boat 1 => rope 1: boat 1 -> inventory",
                    (8,),
                    "take rope 1 from boat 1",
                    True,
                ),
                (
                    "take rope 1 from crate 1 => rope 1: crate 1 -> inventory",
                    (3,),
                    "take rope 1 from crate 1",
                    True,
                ),
            ],
        ),
        (
            "When was rope 1 taken?",
            [
                ("in all 2 times: (s3, s8)", (3, 8), "", True),
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
            "When was rope 2 taken?",
            [
                ("in all 1 times: (s6)", (6,), "", True),
                ("take rope 2 from crate 1 => failed", (6,), "take rope 2 from crate 1", True),
            ],
        ),
        (
            "When was 'look' last performed?",
            [
                ("last: s12; in all 3 times: (s0, s7, s12)", (0, 7, 12), "", True),
                ("look", (12,), "look", True),
                ("look", (0,), "look", True),
                ("look", (7,), "look", True),
            ],
        ),
        (
            "At which step did the score reach 10?",
            [
                ("in all 1 times: (s10)", (10,), "", True),
                ("seen: Score: 7 -> 12", (10,), "12", True),
            ],
        ),
        (
            "At which step did the score become 7?",
            [
                ("in all 1 times: (s5)", (5,), "", True),
                ("seen: Score: 7", (5,), "7", True),
            ],
        ),
        (
            "At which step did the score fall below 5?",
            [
                ("in all 1 times: (s12)", (12,), "", False),
                ("seen: Score: 12 -> 3", (12,), "3", False),
            ],
        ),
        (
            "At which step did the score become high?",
            [
                ("in all 2 times: (s10, s12)", (10, 12), "", True),
                ("seen: Score: 7 -> 12", (10,), "12", True),
                ("seen: Score: 12 -> 3", (12,), "3", True),
            ],
        ),
        (
            "When did rope 1 change?",
            [
                ("changes of rope 1: 4", (3, 5, 8, 9), "", True),
                ("rope 1 at s12: inventory (since s8, take rope 1 from boat 1)", (8,), "", True),
                ("rope 1 condition at s12: sliced (since s9, slice rope 1)", (9,), "", True),
                ("seen: rope 1: crate 1", (2,), "", True),
                (
                    (
                        "take rope 1 from crate 1 => rope 1: crate 1 -> inventory; inventory: rope "
                        "1 added"
                    ),
                    (3,),
                    "take rope 1 from crate 1",
                    True,
                ),
                (
                    (
                        "put rope 1 on boat 1 => rope 1: inventory -> boat 1; inventory: rope 1 "
                        "removed"
                    ),
                    (5,),
                    "put rope 1 on boat 1",
                    True,
                ),
                (
                    (
                        "take rope 1 from boat 1 => rope 1: boat 1 -> inventory; inventory: rope 1 "
                        "added"
                    ),
                    (8,),
                    "take rope 1 from boat 1",
                    True,
                ),
                ("slice rope 1 => rope 1 condition: sliced", (9,), "slice rope 1", True),
            ],
        ),
        (
            "When did rope 1 last change before step 7?",
            [
                ("changes of rope 1 before s7: 2", (3, 5), "", True),
                (
                    "rope 1 at s6: in/on boat 1 (since s5, put rope 1 on boat 1)",
                    (5,),
                    "boat 1",
                    True,
                ),
                ("seen: rope 1: crate 1", (2,), "", True),
                (
                    (
                        "take rope 1 from crate 1 => rope 1: crate 1 -> inventory; inventory: rope "
                        "1 added"
                    ),
                    (3,),
                    "take rope 1 from crate 1",
                    True,
                ),
                (
                    (
                        "put rope 1 on boat 1 => rope 1: inventory -> boat 1; inventory: rope 1 "
                        "removed"
                    ),
                    (5,),
                    "put rope 1 on boat 1",
                    True,
                ),
            ],
        ),
        (
            "When was crate 1 opened?",
            [
                ("in all 1 times: (s2)", (2,), "", True),
                ("open crate 1 => crate 1 state: closed -> open", (2,), "open crate 1", True),
            ],
        ),
        (
            "When was pier 1 changed?",
            [],
        ),
        (
            "When was rope 1 on boat 1 put?",
            [
                ("in all 1 times: (s5)", (5,), "", True),
                (
                    "put rope 1 on boat 1 => rope 1: inventory -> boat 1",
                    (5,),
                    "put rope 1 on boat 1",
                    True,
                ),
            ],
        ),
        (
            "When was rope 2 dropped?",
            [
                ("seen: rope 2: crate 1", (2,), "", False),  # that it was is no answer
            ],
        ),
    ],
)
def test_occasions_are_exact(question: str, lines: list[Told]) -> None:
    assert told(question) == lines
