"""A window is the part of a text that holds most of what was asked, and it keeps its limit."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stepwell.recall.show.windows import best_window


def test_a_window_is_the_run_of_lines_that_holds_most_terms() -> None:
    text = "\n".join([*["noise line"] * 30, "port is 5433", "host is db", *["more noise"] * 30])
    start, end = best_window(text, weights={"port": 2.0, "host": 1.0}, most=24)
    assert text[start:end] == "port is 5433\nhost is db"


def test_a_long_line_is_cut_around_its_terms() -> None:
    text = "x " * 500 + "needle 7731 " + "y " * 500
    start, end = best_window(text, weights={"needle": 1.0}, most=60)
    assert "needle 7731" in text[start:end]
    assert end - start <= 60


@given(
    st.text(alphabet="ab \nÀİß端\u200b", max_size=300),
    st.dictionaries(st.sampled_from(["a", "ab", "端", "ss"]), st.floats(0.1, 5), max_size=3),
    st.integers(1, 80),
)
def test_a_window_stays_inside_its_text_and_room(
    text: str, weights: dict[str, float], most: int
) -> None:
    start, end = best_window(text, weights=weights, most=most)
    assert 0 <= start <= end <= len(text)
    assert end - start <= most or text[start:end].count("\n") == 0
