"""Values of the grammar, and texts in one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.structures.temporal.grammar.states import State, cut, located


@pytest.mark.parametrize(
    ("text", "most", "line"),
    [
        ("one  two\nthree", 13, "one two three"),
        ("one  two\nthree", 12, "one two thr…"),
        ("one  two\nthree", 9, "one two…"),
        ("", 4, ""),
        ("    " * 4 + "x", 4, ""),
        ("    " * 3 + "   x", 4, "x"),
    ],
)
def test_a_text_is_cut_to_one_line(text: str, most: int, line: str) -> None:
    assert cut(text, most) == line


@given(st.text(max_size=50), st.integers(2, 20))
def test_a_cut_text_is_short(text: str, most: int) -> None:
    assert len(cut(text, most)) <= most
    assert "\n" not in cut(text, most)


def test_a_thing_is_located() -> None:
    expected = State(slot="mug", aspect="location", value="box", before="desk", quote="q")
    assert located("mug", "box", before="desk", quote="q") == expected
    assert located("mug", "box") == State(slot="mug", aspect="location", value="box")
    assert (expected.act, expected.is_event) == (-1, False)
