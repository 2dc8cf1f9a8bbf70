"""A step whose tokens suffice is shown whole; else its parts share them, short ones first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell import Memory
from stepwell.recall.show.excerpt import Excerpt, deep, outline
from support.views import block, view

if TYPE_CHECKING:
    from stepwell.recall.show.texts import Block

texts = st.text(alphabet="ab c", min_size=1, max_size=400).filter(str.strip)


@given(
    st.lists(st.tuples(texts, st.floats(-3, 9)), min_size=1, max_size=4),
    st.lists(st.tuples(texts, st.floats(-3, 9)), max_size=3),
    st.integers(1, 2_000),
)
def test_parts_share_all_there_is(
    said: list[tuple[str, float]], came: list[tuple[str, float]], most: int
) -> None:
    blocks = [block(f"c{n}", text, scores=(score,)) for n, (text, score) in enumerate(said, 1)]
    blocks += [block(f"o{n}", text, scores=(score,)) for n, (text, score) in enumerate(came, 1)]
    step = view(*blocks)
    shown = sum(e.end - e.start for e in deep(step, weights={}, most=most))
    assert shown <= most + 80 * len(blocks)
    whole = deep(step, weights={}, most=sum(len(one.text) for one in blocks))
    assert [e.text.strip() for e in whole] == [one.text.strip() for one in blocks]


@pytest.mark.parametrize("n", [20, 60, 90, 150, 400])
def test_a_named_step_is_whole_where_there_is_room(n: int) -> None:
    call = {
        "id": "1",
        "type": "function",
        "function": {
            "name": "Edit",
            "arguments": f'{{"old_string": "{"abc " * n}", "new_string": "TARGET value"}}',
        },
    }
    with Memory(encoder=None) as memory:
        memory.add({"role": "assistant", "content": "Alpha beta gamma.", "tool_calls": [call]})
        memory.add({"role": "tool", "tool_call_id": "1", "content": "Updated."})
        evidence = memory.recall("At step 0, what was edited?", 4_000)
        assert "TARGET value" in evidence.text


def cited(text: Block, start: int, end: int) -> str:
    return Excerpt(block=text, start=start, end=end).address(3)


def test_an_excerpt_is_a_part_of_its_block() -> None:
    assert Excerpt(block=block("o1", "abcdef"), start=2, end=4).text == "cd"


@pytest.mark.parametrize("text", ["one line", "one line\n", "\none line"])
def test_an_atom_is_cited_as_a_whole_if_all_of_it_is_shown(text: str) -> None:
    at = text.index("one")
    assert cited(block("o1", text), at, at + 8) == "s3.o1"


def test_characters_of_the_first_line_are_cited_without_its_number() -> None:
    assert cited(block("o1", "one line"), 4, 8) == "s3.o1:C5-8"
    assert cited(block("o1", "one line\ntwo\nsix"), 4, 12) == "s3.o1:C5-12"
    later = block("o1", "abcd\nef", first_column=2001, is_whole=False)
    assert cited(later, 1, 3) == "s3.o1:C2002-2003"
    assert cited(later, 0, 4) == "s3.o1:C2001-2004"


def test_whole_lines_of_an_atom_are_cited_by_their_numbers() -> None:
    lines = block("o1", "ab\ncd\nef\ngh")
    assert cited(lines, 0, 2) == "s3.o1:L1"
    assert cited(lines, 3, 5) == "s3.o1:L2"
    assert cited(lines, 3, 8) == "s3.o1:L2-L3"
    assert cited(lines, 0, 11) == "s3.o1"
    assert cited(block("o1", "ab\n  cd  \nef"), 5, 7) == "s3.o1:L2"


def test_parts_of_lines_are_cited_by_their_characters() -> None:
    lines = block("o1", "ab\ncd\nef\ngh")
    assert cited(lines, 4, 5) == "s3.o1:L2C2-2"
    assert cited(lines, 4, 10) == "s3.o1:L2C2-L4C1"
    assert cited(lines, 3, 7) == "s3.o1:L2C1-L3C1"


def test_blank_edges_left_out_make_no_part_of_a_whole() -> None:
    lines = block("m", "\n \nab\ncd\n\n")
    assert cited(lines, 3, 8) == "s3.m"
    assert cited(lines, 3, 5) == "s3.m:L3"
    assert cited(lines, 6, 8) == "s3.m:L4"


def test_lines_of_a_block_are_counted_from_its_first() -> None:
    later = block("o1", "ab\ncd\nef", first_line=10, is_whole=False)
    assert cited(later, 0, 8) == "s3.o1:L10-L12"
    assert cited(later, 3, 5) == "s3.o1:L11"
    assert cited(later, 1, 4) == "s3.o1:L10C2-L11C1"
    inside = block("o1", "abcd\nefgh", first_line=4, first_column=2001, is_whole=False)
    assert cited(inside, 1, 3) == "s3.o1:L4C2002-2003"
    assert cited(inside, 0, 4) == "s3.o1:L4C2001-2004"
    assert cited(inside, 5, 9) == "s3.o1:L5"
    assert cited(inside, 5, 7) == "s3.o1:L5C1-2"


def test_a_line_that_goes_on_behind_its_block_is_no_whole_line() -> None:
    goes_on = replace(block("o1", "ab\ncd", is_whole=False), after="e")
    assert cited(goes_on, 3, 5) == "s3.o1:L2C1-2"
    assert cited(replace(goes_on, after="\n"), 3, 5) == "s3.o1:L2"
    assert cited(replace(goes_on, after=" "), 3, 5) == "s3.o1:L2C1-2"


def test_an_excerpt_tells_at_which_end_it_is_cut() -> None:
    text = block("o1", "\none\ntwo\n ")

    def cuts(one: Block, start: int, end: int) -> tuple[bool, bool]:
        excerpt = Excerpt(block=one, start=start, end=end)
        return excerpt.begins_cut, excerpt.ends_cut

    assert cuts(text, 1, 8) == (False, False)
    assert cuts(text, 1, 4) == (False, True)
    assert cuts(text, 5, 8) == (True, False)
    assert cuts(text, 2, 7) == (True, True)
    assert cuts(block("o1", "ab", first_line=2), 0, 2) == (True, False)
    assert cuts(block("o1", "ab", is_whole=False), 0, 2) == (False, True)


def cut(*blocks: Block, most: int, **weights: float) -> list[tuple[str, int]]:
    return [
        (e.block.part, e.end - e.start) for e in deep(view(*blocks), weights=weights, most=most)
    ]


def test_what_was_called_has_a_third_and_what_came_back_the_rest() -> None:
    called, came = block("c1", "0" * 900), block("o1", "0" * 900)
    assert cut(called, came, most=301) == [("c1", 100), ("o1", 201)]
    assert cut(called, came, most=1200) == [("c1", 400), ("o1", 800)]


def test_what_one_part_does_not_need_the_other_gets() -> None:
    long, short = "0" * 900, " " + "0" * 60 + " "
    assert cut(block("c1", long), block("o1", short), most=300) == [("c1", 240), ("o1", 61)]
    assert cut(block("c1", "0" * 60), block("o1", long), most=300) == [("c1", 60), ("o1", 240)]
    assert cut(block("c1", long), most=300) == [("c1", 300)]
    assert cut(block("o1", long), most=300) == [("o1", 300)]


def test_excerpts_keep_the_order_of_the_step() -> None:
    blocks = [block(part, "0" * 900, scores=(n,)) for n, part in enumerate(["m", "t", "c1", "c2"])]
    shown = cut(*blocks, block("o1", "0" * 90), block("o2", "0" * 90), most=1200)
    assert [part for part, _ in shown] == ["m", "t", "c1", "c2", "o1", "o2"]


def test_long_parts_share_equally_what_short_ones_leave() -> None:
    blocks = [block("c1", "0" * 500), block("c2", "0" * 60), block("c3", "0" * 300)]
    assert cut(*blocks, most=360) == [("c1", 150), ("c2", 60), ("c3", 150)]
    assert cut(*blocks, most=861) == [("c1", 500), ("c2", 60), ("c3", 300)]


def test_the_best_part_has_enough_to_say_something() -> None:
    good, bad = block("c1", "0" * 500, scores=(2.0,)), block("c2", "0" * 500, scores=(1.0,))
    assert cut(good, bad, most=191) == [("c1", 96), ("c2", 95)]
    assert cut(bad, good, most=160) == [("c2", 64), ("c1", 96)]
    assert cut(bad, good, most=144) == [("c2", 48), ("c1", 96)]
    assert cut(bad, good, most=143) == [("c1", 143)]
    assert cut(bad, good, most=40) == [("c1", 40)]


def test_a_part_shorter_than_a_phrase_is_shown_with_the_best() -> None:
    best, short = block("c1", "0" * 500, scores=(2.0,)), block("c2", " 12345 ")
    assert cut(best, short, most=103) == [("c1", 96), ("c2", 6)]
    assert cut(best, block("c2", "0" * 500), block("c3", "0" * 500), most=150) == [
        ("c1", 96),
        ("c2", 54),
    ]


def test_of_equal_parts_the_earlier_stays() -> None:
    assert cut(block("c1", "0" * 500), block("c2", "0" * 500), most=90) == [("c1", 90)]


def test_a_result_of_which_next_to_nothing_fits_goes_if_its_call_is_shown() -> None:
    called, came = block("c1", "0" * 20), block("o1", "0" * 500)
    assert cut(called, came, most=68) == [("c1", 20), ("o1", 48)]
    assert cut(called, came, most=67) == [("c1", 20)]
    assert cut(came, most=20) == [("o1", 20)]
    assert cut(block("c1", " "), came, most=20) == [("o1", 20)]


def test_a_part_without_a_word_is_not_shown() -> None:
    assert cut(block("c1", "\n \n"), block("o1", ""), most=100) == []


def test_blank_ends_are_left_out_and_the_indent_stays() -> None:
    (excerpt,) = deep(view(block("c1", "\n\n  ab \n ")), weights={}, most=100)
    assert (excerpt.start, excerpt.end, excerpt.text) == (2, 6, "  ab")


def test_an_excerpt_holds_what_was_asked() -> None:
    text = "\n".join(["noise"] * 40 + ["the port is 5433"] + ["noise"] * 40)
    (excerpt,) = deep(view(block("o1", text)), weights={"port": 1.0}, most=16)
    assert excerpt.text == "the port is 5433"


def test_a_long_part_is_cut_at_its_best_passage() -> None:
    text = ["1" * 100, "2" * 100, "3" * 100]
    best = block("o1", *text, scores=(0.0, 5.0, 1.0))
    (excerpt,) = deep(view(best), weights={}, most=60)
    assert excerpt.text == "2" * 60
    assert excerpt.start == 100
    (excerpt,) = deep(view(block("o1", *text, scores=(1.0, 5.0, 5.0))), weights={}, most=60)
    assert excerpt.start == 100


def test_room_beyond_the_best_passage_goes_a_third_before_it() -> None:
    text = ["-" * 100, "=" * 100, "+" * 100, "~" * 100]
    best = block("o1", *text, scores=(0.0, 5.0, 1.0, 0.0))
    (excerpt,) = deep(view(best), weights={}, most=160)
    assert (excerpt.start, excerpt.end) == (80, 240)
    (excerpt,) = deep(view(best), weights={"~": 1.0}, most=160)
    assert (excerpt.start, excerpt.end) == (80, 240)
    last = block("o1", *text, scores=(0.0, 0.0, 1.0, 5.0))
    (excerpt,) = deep(view(last), weights={}, most=160)
    assert (excerpt.start, excerpt.end) == (280, 400)
    first = block("o1", *text, scores=(5.0, 0.0, 1.0, 0.0))
    (excerpt,) = deep(view(first), weights={}, most=160)
    assert (excerpt.start, excerpt.end) == (0, 160)


def test_what_costs_no_more_than_its_cut_is_not_cut() -> None:
    assert cut(block("c1", "0 " * 50), most=67) == [("c1", 67)]
    assert cut(block("c1", "0 " * 50), most=68) == [("c1", 99)]


def test_how_a_failure_ended_comes_before_its_middle() -> None:
    text = "\n".join(["test_port ... ok"] * 40 + ["FAILED (failures=18)"])
    failed = replace(block("o1", text), verdict=(len(text) - 20, len(text)))

    def shown(most: int) -> list[str]:
        return [e.text for e in deep(view(failed), weights={"port": 1.0}, most=most)]

    assert shown(20) == ["FAILED (failures=18)"]
    assert shown(67) == ["FAILED (failures=18)"]
    assert shown(68) == ["test_port ... ok\ntest_port ... ok", "FAILED (failures=18)"]
    assert [e.text for e in outline(view(failed), weights={})][-1] == "FAILED (failures=18)"


def test_a_verdict_beside_what_is_shown_is_shown_with_it() -> None:
    text = "\n".join(["x" * 90, "E  assert 5433 == 5434", "1 failed"])
    failed = replace(block("o1", text), verdict=(len(text) - 8, len(text)))
    (excerpt,) = deep(view(failed), weights={"5433": 1.0}, most=60)
    assert excerpt.text == "E  assert 5433 == 5434\n1 failed"


def test_a_verdict_that_is_longer_than_the_room_is_cut_between_words() -> None:
    text = "x\n" * 40 + "KeyError: the port of zebra is not set at all"
    failed = replace(block("o1", text), verdict=(80, len(text)))
    (excerpt,) = deep(view(failed), weights={}, most=20)
    assert excerpt.text == "KeyError: the port"


def test_a_failure_that_is_read_in_part_has_room_for_its_end_first() -> None:
    middle = block("o1", "0" * 900, scores=(5.0,), is_whole=False)
    end = replace(block("o1", "E\n1 failed", first_line=90), verdict=(2, 10))
    assert [e.text for e in deep(view(middle, end), weights={}, most=40)] == ["E\n1 failed"]


def test_a_block_that_begins_or_ends_in_a_word_leaves_its_rest_out() -> None:
    inside = replace(block("o1", "ber one two thr", first_column=9), before="m", after="e")
    (excerpt,) = deep(view(inside), weights={}, most=100)
    assert excerpt.text == "one two"
    assert excerpt.address(3) == "s3.o1:C13-19"


def outlined(*blocks: Block) -> list[tuple[str, int]]:
    return [(e.block.part, e.end - e.start) for e in outline(view(*blocks), weights={})]


def test_an_outline_says_what_was_called_and_little_of_the_rest() -> None:
    long = "0" * 500
    assert outlined(block("c1", long), block("o1", long)) == [("c1", 96)]
    assert outlined(block("m", long), block("o1", long)) == [("m", 120)]
    assert outlined(block("m", long), block("c1", long)) == [("m", 120), ("c1", 96)]
    assert outlined(block("t", long), block("c1", long)) == [("t", 80), ("c1", 96)]
    assert outlined(block("o1", long), block("o2", long)) == [("o1", 80)]


def test_an_outline_shows_a_line_of_a_result_whose_call_says_too_little() -> None:
    result = block("o1", "0" * 500)
    assert outlined(block("c1", "0" * 23), result) == [("c1", 23), ("o1", 80)]
    assert outlined(block("c1", "0" * 24), result) == [("c1", 24)]
    assert outlined(block("c1", "0" * 12), block("c2", "0" * 12), result) == [
        ("c1", 12),
        ("c2", 12),
    ]
    assert outlined(block("c1", " "), result) == [("o1", 80)]
    assert outlined(block("m", "0" * 30), block("t", "0" * 90)) == [("m", 30)]
