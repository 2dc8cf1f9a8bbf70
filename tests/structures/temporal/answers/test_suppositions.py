"""What actions would change that nobody has performed."""

from __future__ import annotations

import pytest

from support.temporal_log import Told, told


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        (
            (
                "If the agent executes actions ['take rope 2 from crate 1', 'put rope 2 on "
                "boat 1', 'go to pier 1', 'slice rope 2'] at step 5, what changes?"
            ),
            [
                (
                    (
                        "take rope 2 from crate 1 => rope 2: crate 1 -> inventory; inventory: rope "
                        "2 added"
                    ),
                    (5,),
                    "",
                    False,
                ),
                (
                    (
                        "put rope 2 on boat 1 => rope 2: inventory -> boat 1; inventory: rope 2 "
                        "removed"
                    ),
                    (5,),
                    "",
                    False,
                ),
                ("slice rope 2 => rope 2: boat 1 -> sliced", (5,), "", False),
            ],
        ),
        (
            "If it were to perform ['put key 1 on desk 1', 'frob', 'take key 1'], what then?",
            [
                ("put key 1 on desk 1 => key 1: ? -> desk 1", (12,), "", False),
                (
                    "take key 1 => key 1: desk 1 -> inventory; inventory: key 1 added",
                    (12,),
                    "",
                    False,
                ),
            ],
        ),
    ],
)
def test_suppositions_follow_from_the_state_that_held(question: str, lines: list[Told]) -> None:
    assert told(question) == lines
