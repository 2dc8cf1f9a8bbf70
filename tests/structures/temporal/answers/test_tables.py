"""How often each action, how often to each thing."""

from __future__ import annotations

import pytest

from support.temporal_log import Told, told


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        (
            "How frequently was each action performed?",
            [
                (
                    (
                        "actions: 13 in all, 11 different; 'look' x3 (s0, s7, …), 'go to crate 1' "
                        "x1 (s1), 'open crate 1' x1 (s2), 'take rope 1 from crate 1' x1 (s3), 'go "
                        "to boat 1' x1 (s4), 'put rope 1 on boat 1' x1 (s5), 'take rope 2 from "
                        "crate 1' x1 (s6), 'take rope 1 from boat 1' x1 (s8), "
                        "'slice rope 1' x1 (s9)"
                    ),
                    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12),
                    "",
                    True,
                ),
                ("'wait' x1 (s10), 'close crate 1' x1 (s11)", (10, 11), "", True),
                (
                    (
                        "by kind: look x3, take x3, go to x2, open x1, put x1, slice x1, wait x1, "
                        "close x1"
                    ),
                    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
                    "",
                    True,
                ),
                ("failed: 1 (s6)", (6,), "", True),
            ],
        ),
        (
            "How frequently was each action performed before step 4?",
            [
                (
                    (
                        "actions before s4: 4 in all, 4 different; 'look' x1 (s0), 'go to crate 1' "
                        "x1 (s1), 'open crate 1' x1 (s2), 'take rope 1 from crate 1' x1 (s3)"
                    ),
                    (0, 1, 2, 3),
                    "",
                    True,
                ),
                ("by kind: look x1, go to x1, open x1, take x1", (0, 1, 2, 3), "", True),
            ],
        ),
        (
            "How frequently without moves at step 5?",
            [
                (
                    (
                        "actions at s5 (without moves): 4 in all, 4 different; 'look' x1 (s0), "
                        "'open crate 1' x1 (s2), 'take rope 1 from crate 1' x1 (s3), 'put rope 1 "
                        "on boat 1' x1 (s5)"
                    ),
                    (0, 2, 3, 5),
                    "",
                    True,
                ),
                ("by kind: look x1, open x1, take x1, put x1", (0, 2, 3, 5), "", True),
            ],
        ),
        (
            "Which objects were interacted with?",
            [
                (
                    "rope 1: 4 interactions: take x2 (s3, s8), put x1 (s5), slice x1 (s9)",
                    (3, 5, 8, 9),
                    "",
                    True,
                ),
                (
                    "crate 1: 3 interactions: go to x1 (s1), open x1 (s2), close x1 (s11)",
                    (1, 2, 11),
                    "",
                    True,
                ),
                ("boat 1: 1 interaction: go to x1 (s4)", (4,), "", True),
            ],
        ),
        (
            "Which objects were interacted with until step 5?",
            [
                ("crate 1: 2 interactions: go to x1 (s1), open x1 (s2)", (1, 2), "", True),
                ("rope 1: 2 interactions: take x1 (s3), put x1 (s5)", (3, 5), "", True),
                ("boat 1: 1 interaction: go to x1 (s4)", (4,), "", True),
            ],
        ),
        (
            "How frequently after step 99?",
            [],
        ),
    ],
)
def test_tables_are_exact(question: str, lines: list[Told]) -> None:
    assert told(question) == lines
