"""A question that keeps a word nothing has used is about something that nobody has looked at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.structures.temporal.grammar.usage import unused_words
from stepwell.structures.temporal.grammar.words.asking import ASKING

words = st.lists(st.sampled_from(["kelp", "walrus", "pier", "where", "was", "the"]), max_size=8)


@pytest.mark.parametrize(
    ("text", "used", "left"),
    [
        ("", set(), ()),
        ("How many times did the agent act?", set(), ("act",)),
        ("Where was the Walrus?", set(), ("walrus",)),
        ("Where was the Walrus?", {"walrus"}, ()),
        ("Did Ann or Ben see Ann?", {"ben"}, ("ann", "see")),
    ],
)
def test_what_is_left_is_told_once_in_order_and_folded(
    text: str, used: set[str], left: tuple[str, ...]
) -> None:
    assert unused_words(text, used) == left


@given(asked=words, used=st.sets(st.sampled_from(["kelp", "walrus", "pier"])))
def test_what_was_used_or_only_asks_is_never_left_and_all_else_is(
    asked: list[str], used: set[str]
) -> None:
    left = unused_words(" ".join(asked), used)
    assert set(left) == {word for word in asked if word not in ASKING and word not in used}
    assert len(left) == len(set(left))
