"""How something came about."""

from __future__ import annotations

import pytest

from support.temporal_log import Told, told


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        (
            "What is the history of rope 1?",
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
            "What is the history of rope 1 until step 4?",
            [
                ("changes of rope 1 until s4: 1", (3,), "", True),
                ("rope 1 at s4: inventory (since s3, take rope 1 from crate 1)", (3,), "", True),
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
            ],
        ),
        (
            "What is the location history of rope 1?",
            [
                ("changes of rope 1: 3", (3, 5, 8), "", True),
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
            ],
        ),
        (
            "What is the history of rope 1 at step 5?",
            [
                ("changes of rope 1 up to s5: 2", (3, 5), "", True),
                (
                    "rope 1 at s5: in/on boat 1 (since s5, put rope 1 on boat 1)",
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
            "How did crate 1 change?",
            [
                ("changes of crate 1: 4", (1, 2, 3, 11), "", True),
                ("crate 1 state at s12: closed (since s11, close crate 1)", (11,), "", True),
                ("crate 1 at s12 holds: rope 2", (2,), "", True),
                ("go to crate 1 => crate 1 state: closed", (1,), "go to crate 1", True),
                ("open crate 1 => crate 1 state: closed -> open", (2,), "open crate 1", True),
                (
                    "take rope 1 from crate 1 => crate 1: rope 1 removed (crate 1 -> inventory)",
                    (3,),
                    "take rope 1 from crate 1",
                    True,
                ),
                ("close crate 1 => crate 1 state: open -> closed", (11,), "close crate 1", True),
            ],
        ),
        (
            "How did pier 1 change?",
            [],
        ),
        (
            "How did the score change after step 5?",
            [
                ("changes of Score after s5: 2", (10, 12), "", True),
                ("Score at s12: 3 (since s12, seen)", (12,), "3", True),
                ("seen: Score: 7 -> 12", (10,), "12", True),
                ("seen: Score: 12 -> 3", (12,), "3", True),
            ],
        ),
        (
            "What changes occurred to the inventory?",
            [
                ("changes of the inventory: 3", (3, 5, 8), "", True),
                ("inventory at s12: rope 1", (3, 5, 8), "", True),
                (
                    "take rope 1 from crate 1 => inventory: rope 1 added (crate 1 -> inventory)",
                    (3,),
                    "take rope 1 from crate 1",
                    True,
                ),
                (
                    "put rope 1 on boat 1 => inventory: rope 1 removed (inventory -> boat 1)",
                    (5,),
                    "put rope 1 on boat 1",
                    True,
                ),
                (
                    "take rope 1 from boat 1 => inventory: rope 1 added (boat 1 -> inventory)",
                    (8,),
                    "take rope 1 from boat 1",
                    True,
                ),
            ],
        ),
        (
            "What was carried at step 7?",
            [
                ("changes of the inventory up to s7: 2", (3, 5), "", True),
                ("inventory at s7: empty", (3, 5), "", True),
                (
                    "take rope 1 from crate 1 => inventory: rope 1 added (crate 1 -> inventory)",
                    (3,),
                    "take rope 1 from crate 1",
                    True,
                ),
                (
                    "put rope 1 on boat 1 => inventory: rope 1 removed (inventory -> boat 1)",
                    (5,),
                    "put rope 1 on boat 1",
                    True,
                ),
            ],
        ),
        (
            "What was in the inventory after step 7?",
            [
                ("changes of the inventory after s7: 1", (3, 5, 8), "", True),
                ("inventory at s12: rope 1", (3, 5, 8), "", True),
                (
                    "take rope 1 from boat 1 => inventory: rope 1 added (boat 1 -> inventory)",
                    (8,),
                    "take rope 1 from boat 1",
                    True,
                ),
            ],
        ),
        (
            "What was carried before step 3?",
            [
                ("changes of the inventory before s3: no change", (2,), "", True),
                ("inventory at s2: empty", (2,), "", True),
            ],
        ),
        (
            "What changed from step 2 to step 5?",
            [
                ("changes from s2 to s5: 3", (2, 3, 5), "", True),
                ("open crate 1 => crate 1 state: closed -> open", (2,), "open crate 1", True),
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
            "What changed from step 6 to step 7?",
            [
                ("changes from s6 to s7: no change", (7,), "", True),
            ],
        ),
        (
            "What changed at steps 5 and 3?",
            [
                ("changes from s3 to s5: 2", (3, 5), "", True),
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
            "Which actions changed rope 1?",
            [
                ("changes from s0 to s12: 4", (3, 5, 8, 9), "", True),
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
            "Did its actions lead to any kind of change from step 6 to step 7?",
            [
                (
                    "put rope 1 on boat 1 => rope 1: inventory -> boat 1",
                    (5,),
                    "put rope 1 on boat 1",
                    False,
                ),
                ("take rope 2 from crate 1 => failed", (6,), "take rope 2 from crate 1", False),
                ("look", (7,), "look", False),
                (
                    "take rope 1 from boat 1 => rope 1: boat 1 -> inventory",
                    (8,),
                    "take rope 1 from boat 1",
                    False,
                ),
            ],
        ),
        (
            "Tell me about rope 1.",
            [
                ("slice rope 1 => rope 1 condition: sliced", (9,), "slice rope 1", False),
                (
                    (
                        "take rope 1 from boat 1 => rope 1: boat 1 -> inventory; inventory: rope 1 "
                        "added"
                    ),
                    (8,),
                    "take rope 1 from boat 1",
                    False,
                ),
                (
                    (
                        "put rope 1 on boat 1 => rope 1: inventory -> boat 1; inventory: rope 1 "
                        "removed"
                    ),
                    (5,),
                    "put rope 1 on boat 1",
                    False,
                ),
                (
                    (
                        "take rope 1 from crate 1 => rope 1: crate 1 -> inventory; inventory: rope "
                        "1 added"
                    ),
                    (3,),
                    "take rope 1 from crate 1",
                    False,
                ),
                ("seen: rope 1: crate 1", (2,), "", False),
            ],
        ),
        (
            "Tell me about rope 1 and the score until step 8.",
            [
                (
                    (
                        "take rope 1 from boat 1 => rope 1: boat 1 -> inventory; inventory: rope 1 "
                        "added"
                    ),
                    (8,),
                    "take rope 1 from boat 1",
                    False,
                ),
                (
                    (
                        "put rope 1 on boat 1 => rope 1: inventory -> boat 1; inventory: rope 1 "
                        "removed"
                    ),
                    (5,),
                    "put rope 1 on boat 1",
                    False,
                ),
                ("seen: Score: 7", (5,), "7", False),
                (
                    (
                        "take rope 1 from crate 1 => rope 1: crate 1 -> inventory; inventory: rope "
                        "1 added"
                    ),
                    (3,),
                    "take rope 1 from crate 1",
                    False,
                ),
                ("seen: rope 1: crate 1", (2,), "", False),
            ],
        ),
        (
            "How did rope 2 change until step 4?",
            [
                ("changes of rope 2 until s4: no change", (4,), "", True),
                ("rope 2 at s4: in/on crate 1 (since s2, seen)", (2,), "", True),
                ("seen: rope 2: crate 1", (2,), "", True),
            ],
        ),
    ],
)
def test_histories_are_exact(question: str, lines: list[Told]) -> None:
    assert told(question) == lines


def test_what_only_came_to_be_seen_elsewhere_is_told_of_both_places() -> None:
    run = (
        ("look", "On the shelf 2, you see a mug 1."),
        ("look", "On the desk 3, you see a mug 1. On the shelf 2, you see nothing."),
    )
    for place, what in (("shelf 2", "removed"), ("desk 3", "added")):
        texts = [line[0] for line in told(f"What is the history of {place}?", run)]
        assert texts[-1] == f"seen: {place}: mug 1 {what} (shelf 2 -> desk 3)"


def test_a_thing_that_nothing_is_known_of_has_no_history() -> None:
    assert told("What is the history of walrus 9?") == []
