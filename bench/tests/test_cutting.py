from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell_bench.cutting import Cutting, cutting, found_parts

SOURCE = "pip install stepwell==0.12\nran 18 tests, 2 failed\n  done"


def cut(
    quoted: str, source: str = SOURCE, *, before: bool = False, behind: bool = False
) -> Cutting:
    parts = found_parts(quoted, source)
    assert parts is not None
    return cutting(quoted, parts, source, marked=(before, behind))


@pytest.mark.parametrize("quoted", [SOURCE, "ran 18 tests, 2 failed", "done", "  done"])
def test_whole_lines_are_not_cut(quoted: str) -> None:
    assert cut(quoted) == Cutting(excerpts=1)


def test_the_line_end_beside_a_quotation_is_no_cut() -> None:
    assert cut("ran 18 tests, 2 failed\n") == Cutting(excerpts=1)
    assert cut("\n  done") == Cutting(excerpts=1)


@pytest.mark.parametrize(
    ("quoted", "cuts", "in_word"),
    [
        ("pip install", 1, False),
        ("install stepwell==0.12", 1, False),
        ("install", 2, False),
        ("pip inst", 1, True),
        ("tall stepwell==0.12", 1, True),
        ("stepwell==0", 2, True),  # a number goes on behind its point
        ("stepwell=", 2, False),
        ("18 tests, 2 failed\n  done", 1, False),
    ],
)
def test_an_edge_within_a_line_is_a_cut(quoted: str, cuts: int, *, in_word: bool) -> None:
    assert cut(quoted) == Cutting(excerpts=1, in_word=in_word, cuts=cuts, unmarked=cuts)


def test_scripts_without_blanks_have_no_words_to_cut() -> None:
    assert cut("端口", "服务端口是5433").in_word == 0
    assert cut("ในตู้", "กุญแจอยู่ในตู้เย็น").in_word == 0
    assert cut("порт", "порталы").in_word == 1


def test_a_mark_counts_within_the_quotation_and_beside_it() -> None:
    assert cut("…install…").unmarked == 0
    assert cut("… install").unmarked == 1
    assert cut("install", before=True).unmarked == 1
    assert cut("install", before=True, behind=True).unmarked == 0


def test_what_parts_two_pieces_marks_both_edges() -> None:
    assert cut("pip … stepwell==0.12") == Cutting(excerpts=1, cuts=2)
    assert cut("ran 18 … fai") == Cutting(excerpts=1, in_word=1, cuts=3, unmarked=1)
    assert cut("pip install stepwell==0.12\n…\n  done") == Cutting(excerpts=1)


def test_parts_stand_in_order_or_nowhere() -> None:
    assert found_parts("done … ran", SOURCE) is None
    assert found_parts("ran 19", SOURCE) is None
    assert found_parts(" … ", "abc") is None
    assert found_parts("a…b", "a…b") == [(0, 3)]


def test_of_several_places_the_one_with_the_fewest_cuts_is_taken() -> None:
    assert found_parts("ok", "not ok now\nok\n") == [(11, 13)]


@given(st.text("ab 1.\n…", max_size=20), st.integers(0, 20), st.integers(0, 20))
def test_any_part_of_a_text_is_found_and_has_at_most_two_cuts(
    source: str, start: int, end: int
) -> None:
    quoted = source[start:end]
    if quoted.strip():
        found = cut(quoted, source)
        assert found.excerpts == 1
        assert 0 <= found.unmarked <= found.cuts <= 2
        assert found.in_word <= found.cuts
    if source.strip():
        assert cut(source, source).cuts == 0


def test_counts_add_up() -> None:
    one = Cutting(excerpts=1, in_word=2, cuts=3, unmarked=4)
    assert one + one == Cutting(excerpts=2, in_word=4, cuts=6, unmarked=8)
