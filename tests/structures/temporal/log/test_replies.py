"""What the results of like actions share."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.log.replies import reply_of


@pytest.mark.parametrize(
    ("text", "names", "reply"),
    [
        ("You take the Mug 1.\nIt is cold.", ["mug 1"], "you take the _."),
        ("blue mug 1, mug 1", ["mug 1", "blue mug 1"], "_, _"),
        ("  \n Score 12 of 40", [], "score # of #"),
        ('{"score": 5, "ok": true, "status": "done"}', [], "ok=True score= status=done"),
        ('{"score": 9, "ok": false, "error": "no"}', [], "error=no ok=False score="),
        ("x" * 200, [], "x" * 60),
        ("", [], ""),
    ],
)
def test_a_reply_is_how_a_result_begins(text: str, names: list[str], reply: str) -> None:
    assert reply_of(text, names) == reply
