"""What was done."""

from __future__ import annotations

import pytest

from support.temporal_log import Told, told


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        (
            "What actions were performed between step 4 and step 6?",
            [
                ("actions from s4 to s6: 3", (4, 5, 6), "", True),
                ("go to boat 1", (4,), "go to boat 1", True),
                (
                    "put rope 1 on boat 1 => rope 1: inventory -> boat 1",
                    (5,),
                    "put rope 1 on boat 1",
                    True,
                ),
                ("take rope 2 from crate 1 => failed", (6,), "take rope 2 from crate 1", True),
            ],
        ),
        (
            "What actions were performed on boat 1?",
            [
                ("actions on boat 1: 3", (4, 5, 8), "", True),
                ("go to boat 1", (4,), "go to boat 1", True),
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
            "What actions were performed on rope 1 and boat 1 before step 8?",
            [
                ("actions on rope 1, boat 1 before s8: 3", (3, 4, 5), "", True),
                (
                    "take rope 1 from crate 1 => rope 1: crate 1 -> inventory",
                    (3,),
                    "take rope 1 from crate 1",
                    True,
                ),
                ("go to boat 1", (4,), "go to boat 1", True),
                (
                    "put rope 1 on boat 1 => rope 1: inventory -> boat 1",
                    (5,),
                    "put rope 1 on boat 1",
                    True,
                ),
            ],
        ),
        (
            "What actions were performed on boat 1 excluding moves at step 8?",
            [
                ("actions on boat 1 at s8 (without moves): 2", (5, 8), "", True),
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
            "What actions were performed at step 5?",
            [
                ("actions at s5: 1", (5,), "", True),
                (
                    "put rope 1 on boat 1 => rope 1: inventory -> boat 1",
                    (5,),
                    "put rope 1 on boat 1",
                    True,
                ),
            ],
        ),
        (
            "What actions were performed at steps 5 and 6 on rope 1?",
            [
                ("actions on rope 1 at s5, s6: 1", (5,), "", True),
                (
                    "put rope 1 on boat 1 => rope 1: inventory -> boat 1",
                    (5,),
                    "put rope 1 on boat 1",
                    True,
                ),
            ],
        ),
        (
            "What successful actions were performed after step 5?",
            [
                ("actions after s5: 6", (7, 8, 9, 10, 11, 12), "", True),
                ("look", (7,), "look", True),
                (
                    "take rope 1 from boat 1 => rope 1: boat 1 -> inventory",
                    (8,),
                    "take rope 1 from boat 1",
                    True,
                ),
                ("slice rope 1 => rope 1 condition: sliced", (9,), "slice rope 1", True),
                ("wait", (10,), "wait", True),
                ("close crate 1 => crate 1 state: open -> closed", (11,), "close crate 1", True),
                ("look", (12,), "look", True),
            ],
        ),
        (
            "What key actions were performed?",
            [
                ("actions: 4", (3, 5, 8, 9), "", True),
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
            "What actions were performed on score?",
            [
                ("seen: Score: 12 -> 3", (12,), "3", False),
                ("seen: Score: 7 -> 12", (10,), "12", False),
                ("seen: Score: 7", (5,), "7", False),
            ],
        ),
        (
            "What actions were performed on score before step 2?",
            [
                ("actions before s2: 2", (0, 1), "", True),
                ("look", (0,), "look", True),
                ("go to crate 1 => crate 1 state: closed", (1,), "go to crate 1", True),
            ],
        ),
        (
            "Describe step 5.",
            [
                ("go to boat 1", (4,), "go to boat 1", False),
                (
                    "put rope 1 on boat 1 => rope 1: inventory -> boat 1",
                    (5,),
                    "put rope 1 on boat 1",
                    False,
                ),
                ("take rope 2 from crate 1 => failed", (6,), "take rope 2 from crate 1", False),
            ],
        ),
        (
            "Describe it from step 4 to step 6.",
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
                ("take rope 2 from crate 1 => failed", (6,), "take rope 2 from crate 1", False),
                ("look", (7,), "look", False),
            ],
        ),
        (
            "Describe it after step 10.",
            [
                ("wait", (10,), "wait", False),
                ("close crate 1 => crate 1 state: open -> closed", (11,), "close crate 1", False),
                ("look", (12,), "look", False),
            ],
        ),
        (
            "What actions without moves?",
            [
                ("actions (without moves): 11", (0, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12), "", True),
                ("look", (0,), "look", True),
                ("open crate 1 => crate 1 state: closed -> open", (2,), "open crate 1", True),
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
                ("take rope 2 from crate 1 => failed", (6,), "take rope 2 from crate 1", True),
                ("look", (7,), "look", True),
                (
                    "take rope 1 from boat 1 => rope 1: boat 1 -> inventory",
                    (8,),
                    "take rope 1 from boat 1",
                    True,
                ),
                ("slice rope 1 => rope 1 condition: sliced", (9,), "slice rope 1", True),
                ("wait", (10,), "wait", True),
                ("close crate 1 => crate 1 state: open -> closed", (11,), "close crate 1", True),
                ("look", (12,), "look", True),
            ],
        ),
        (
            "What actions were performed on pier 1 at step 1?",
            [
                ("actions at s1: 1", (1,), "", False),
                ("go to crate 1 => crate 1 state: closed", (1,), "go to crate 1", False),
            ],
        ),
    ],
)
def test_actions_are_exact(question: str, lines: list[Told]) -> None:
    assert told(question) == lines
