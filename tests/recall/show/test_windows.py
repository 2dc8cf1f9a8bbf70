"""A window is the part of a text that holds most of what was asked, and it keeps its limit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.recall.show.windows import best_window
from stepwell.text.gaps import is_gap


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


def window(text: str, most: int, **weights: float) -> str:
    start, end = best_window(text, weights=weights, most=most)
    return text[start:end]


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n  "])
def test_a_text_without_a_word_has_an_empty_window(text: str) -> None:
    assert best_window(text, weights={"a": 1.0}, most=10) == (0, 0)


def test_blank_lines_around_the_text_are_left_out() -> None:
    assert best_window("\n\n  \nab\n \ncd\n\n", weights={}, most=3) == (5, 7)
    assert best_window("\n\n  \nab\n \ncd\n\n", weights={}, most=7) == (5, 12)


def test_without_a_term_the_window_is_the_beginning() -> None:
    assert window("one\ntwo\nsix", 7, port=1.0) == "one\ntwo"


@pytest.mark.parametrize(
    ("most", "shown"),
    [
        (3, "bbb"),
        (6, "bbb"),
        (7, "bbb\nccc"),
        (10, "bbb\nccc"),
        (11, "bbb\nccc\nddd"),
        (14, "bbb\nccc\nddd"),
        (15, "aaa\nbbb\nccc\nddd"),
    ],
)
def test_room_is_filled_with_the_lines_after_then_those_before(most: int, shown: str) -> None:
    assert window("aaa\nbbb\nccc\nddd", most, bbb=1.0) == shown


def test_the_last_line_is_filled_up_with_those_before_it() -> None:
    text = "aaa\nbbb\nccc\nddd"
    assert window(text, 6, ddd=1.0) == "ddd"
    assert window(text, 7, ddd=1.0) == "ccc\nddd"
    assert window(text, 11, ddd=1.0) == "bbb\nccc\nddd"


def test_of_equal_runs_the_first_is_shown() -> None:
    assert window("ant\n000\nbee\n000\nant", 3, ant=1.0, bee=1.0) == "ant"
    assert window("000\nbee\n000\nant", 3, ant=1.0, bee=1.0) == "bee"


def test_a_little_more_weight_is_more() -> None:
    assert window("ant\n000\nbee", 3, ant=0.2, bee=0.3) == "bee"
    assert window("ant\n000\nbee 1", 5, ant=0.3, bee=0.2) == "ant"


def test_a_run_may_be_exactly_as_long_as_the_room() -> None:
    text = "ant\n000\nbee\n000\ncow"
    weights = {"ant": 1.5, "bee": 1.0, "cow": 1.0}
    assert window(text, 10, **weights) == "ant\n000"
    assert window(text, 11, **weights) == "ant\n000\nbee"
    assert window(text, 11, ant=1.0, bee=1.0, cow=1.2) == "bee\n000\ncow"


def test_a_term_counts_once_in_a_window() -> None:
    text = "ant\nant\nant\n" + "0" * 20 + "\nbee cow"
    assert window(text, 11, ant=1.0, bee=0.6, cow=0.6) == "bee cow"


def test_terms_of_one_line_add_up() -> None:
    assert window("ant\n" + "0" * 20 + "\nbee cow", 7, ant=1.1, bee=0.6, cow=0.6) == "bee cow"


def test_a_term_is_found_where_a_word_starts_in_any_case() -> None:
    assert window("report\n000000\nPORTS 9", 7, port=1.0) == "PORTS 9"
    assert window("report\n000000\n7port_", 6, port=1.0) == "7port_"
    assert window("000000\nv2", 2, **{"2": 1.0}) == "v2"


def test_capitals_that_grow_when_lowered_shift_nothing() -> None:
    text = "\u0130" * 10 + "\nneedle\nother1\nother2\nother3"
    assert window(text, 6, needle=1.0) == "needle"
    assert window(text.replace("needle", "NEEDLE"), 6, needle=1.0) == "NEEDLE"


@pytest.mark.parametrize(("n", "shown"), [(11, "ant bee"), (12, "ant")])
def test_a_word_found_everywhere_counts_where_it_stands_first(n: int, shown: str) -> None:
    text = "ant\n" + "xant\n" * 20 + "ant\n" * (n - 1) + "ant bee"
    weights = {"ant": 1.0, "bee": 1.0}
    start, end = best_window(text, weights=weights, most=len(shown))
    assert text[start:end].startswith(shown)


@pytest.mark.parametrize("before", ["", "short\n"])
@pytest.mark.parametrize("after", ["", "\nshort"])
def test_a_long_line_is_cut_a_third_before_its_term(before: str, after: str) -> None:
    text = f"{before}{'-' * 100}needle{'-' * 100}{after}"
    start, end = best_window(text, weights={"needle": 1.0}, most=36)
    assert (start - len(before), end - len(before)) == (90, 126)


@pytest.mark.parametrize(("n", "start"), [(9, 0), (10, 0), (11, 1), (180, 170), (194, 170)])
def test_a_cut_stays_inside_its_line(n: int, start: int) -> None:
    text = f"--\n{'-' * n}needle{'-' * (200 - n)}\n--"
    assert best_window(text, weights={"needle": 1.0}, most=36) == (start + 3, start + 39)


def test_a_long_line_without_a_term_is_cut_at_its_beginning() -> None:
    assert best_window(f"\n{'-' * 90}", weights={"needle": 1.0}, most=20) == (1, 21)


def test_a_cut_holds_the_terms_that_weigh_most_together() -> None:
    text = "-" * 50 + "ant" + "-" * 50 + "bee--cow" + "-" * 50
    weights = {"cow": 1.0, "bee": 1.0, "ant": 1.9}
    assert window(text, 8, **weights) == "bee--cow"
    assert window(text, 7, **weights).count("ant") == 1
    assert window(text, 14, **weights) == "--bee--cow----"
    assert window(text.replace("cow", "bee"), 8, **weights).count("ant") == 1


def test_of_equal_cuts_the_first_is_shown() -> None:
    text = "-" * 50 + "ant" + "-" * 50 + "bee" + "-" * 50
    assert window(text, 3, ant=1.0, bee=1.0) == "ant"
    assert window(text, 3, ant=0.2, bee=0.3) == "bee"


def test_the_terms_of_other_lines_do_not_move_a_cut() -> None:
    text = "bee cow\n" + "-" * 50 + "ant" + "-" * 50 + "\nbee cow"
    start, end = best_window(text, weights={"ant": 5.0, "bee": 1.0, "cow": 1.0}, most=9)
    assert text[start:end] == "--ant----"


@pytest.mark.parametrize(("n", "moved"), [(1, 2), (15, 16), (16, 0)])
def test_a_cut_begins_behind_the_first_gap_near_its_start(n: int, moved: int) -> None:
    text = "-" * 80 + "-" * n + " " + "-" * (19 - n) + "needle" + "-" * 100
    start, end = best_window(text, weights={"needle": 1.0}, most=66)
    assert (start, end) == (80 + moved, 146 + moved)


def test_a_gap_at_the_very_start_of_a_cut_is_left_out() -> None:
    text = "-" * 80 + ", " + "-" * 18 + "needle" + "-" * 100
    assert best_window(text, weights={"needle": 1.0}, most=66) == (82, 148)


@pytest.mark.parametrize(("n", "end"), [(1, 65), (15, 51), (16, 50), (17, 66)])
def test_a_cut_ends_before_the_last_gap_near_its_end(n: int, end: int) -> None:
    text = "-" * (66 - n) + " " + "-" * 200
    assert best_window(text, weights={}, most=66) == (0, end)


def test_a_cut_ends_before_the_last_of_several_gaps() -> None:
    text = "-" * 52 + "; " + "-" * 5 + " " + "-" * 200
    assert best_window(text, weights={}, most=66) == (0, 59)


def test_the_edges_of_a_line_are_no_cuts() -> None:
    text = "a b " + "-" * 60 + " c d"
    assert best_window(text, weights={"a": 1.0}, most=30) == (0, 30)
    start, end = best_window(text, weights={"d": 1.0}, most=30)
    assert (start, end) == (38, 68)


def test_a_short_cut_is_not_emptied() -> None:
    assert window("-" * 20 + "ant bee" + "-" * 20, 3, ant=1.0) == "ant"
    assert window("-" * 20 + "ant" + "-" * 20, 4, ant=1.0) == "ant-"


def test_a_term_is_not_cut_away_by_the_gap_it_was_cut_around() -> None:
    text = "x " * 60 + "at /srv/app/zebra.toml " + "y " * 60
    for most in range(6, 40):
        assert "zebra" in window(text, most, zebra=1.0)


def test_words_beside_a_cut_are_whole() -> None:
    text = "alphabet " * 20 + "needle7731 " + "betacarotene " * 20
    assert window(text, 40, needle=1.0) == "alphabet needle7731 betacarotene"
    assert window(text, 12, needle=1.0) == "needle7731"


def test_a_word_that_is_longer_than_the_room_is_shown_whole() -> None:
    text = "run " * 9 + "tests.test_ordering_allows_builtin_lookups " + "now " * 9
    assert window(text, 12, lookups=1.0) == "test_ordering_allows_builtin_lookups"
    assert window("test_ordering_allows_builtin_lookups now", 12) == (
        "test_ordering_allows_builtin_lookups"
    )


def test_a_blob_is_torn_between_characters() -> None:
    assert window("e\u0301" * 90, 7) == "e\u0301" * 3
    assert "port" in window("x" * 90 + "7port" + "9" * 90, 12, port=1.0)


words = st.lists(st.sampled_from(["ant", "bee's", "3.14", "12:30", "café", "é̂", "端口", "a_b"]))


@given(words, st.sampled_from(["bee", "3.14", "port"]), st.integers(6, 60))
def test_no_word_is_torn(said: list[str], term: str, most: int) -> None:
    text = " ".join(said)
    start, end = best_window(text, weights={term: 1.0}, most=most)
    assert is_gap(text, start)
    assert is_gap(text, end)
    assert end - start <= most
