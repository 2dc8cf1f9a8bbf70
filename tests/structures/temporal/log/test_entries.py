"""Entries of a log."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.log.entries import Change


@pytest.mark.parametrize(
    ("before", "done", "is_seen"),
    [("", -1, True), ("x", -1, False), ("", 0, False), ("x", 3, False)],
)
def test_a_change_that_nothing_made_was_only_seen(before: str, done: int, *, is_seen: bool) -> None:
    change = Change(step=1, slot="mug", aspect="", before=before, value="v", done=done)
    assert change.is_seen is is_seen
