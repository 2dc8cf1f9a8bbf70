"""Passages: the windows of atoms that are indexed."""

from __future__ import annotations

import base64
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.text.bulk import BULK_HEAD
from stepwell.trajectory.atoms import atoms_of
from stepwell.trajectory.model import Call, Result, Step
from stepwell.trajectory.passages import MAX_CHARS, Passage, cut, passages_of

lines = st.text(st.sampled_from("ab \n"), max_size=80)
OWN = "<<recalled>>"


def spoken(text: str) -> Step:
    recalled = tuple(match.span() for match in re.finditer(OWN, text))
    return Step(index=4, uid="u", kind="user", actor="ana", message=text, recalled=recalled)


def texts(step: Step, *, max_chars: int = MAX_CHARS) -> list[str]:
    return [passage.text for passage in passages_of(step, max_chars=max_chars)]


@given(lines, st.integers(5, 30))
def test_windows_joined_are_the_text(text: str, max_chars: int) -> None:
    windows = list(cut(text, max_chars=max_chars))
    assert "".join(window for _, _, window in windows) == text
    assert all(window for _, _, window in windows)


@given(lines, st.integers(5, 30))
def test_windows_say_where_they_start(text: str, max_chars: int) -> None:
    for line, column, window in cut(text, max_chars=max_chars):
        rest = "\n".join(text.split("\n")[line - 1 :])[column - 1 :]
        assert rest.startswith(window)


@given(lines, st.integers(5, 30))
def test_only_the_last_window_is_longer_and_by_a_fifth_at_most(text: str, max_chars: int) -> None:
    sizes = [len(window) for _, _, window in cut(text, max_chars=max_chars)]
    assert all(size <= max_chars for size in sizes[:-1])
    assert all(size <= max_chars + max_chars // 5 for size in sizes[-1:])


@given(lines, st.integers(10, 30))
def test_a_window_ends_inside_a_line_only_if_the_line_fills_it(text: str, max_chars: int) -> None:
    windows = [window for _, _, window in cut(text, max_chars=max_chars)]
    for window, _ in pairwise(windows):
        assert window.endswith("\n") or "\n" not in window


def test_text_is_cut_at_the_last_line_end_that_fits() -> None:
    assert list(cut("ab\ncd\nef\ngh", max_chars=6)) == [(1, 1, "ab\ncd\n"), (3, 1, "ef\ngh")]
    assert [w for _, _, w in cut("abcde\n" + "x" * 9, max_chars=6)] == ["abcde\n", "x" * 6, "xxx"]


def test_a_long_line_is_cut_at_a_blank_in_the_last_tenth_of_the_window() -> None:
    line = "x" * 9 + " " + "y" * 20
    assert list(cut(line, max_chars=10)) == [
        (1, 1, "x" * 9 + " "),
        (1, 11, "y" * 10),
        (1, 21, "y" * 10),
    ]
    early = "x" * 8 + " " + "y" * 20
    assert [w for _, _, w in cut(early, max_chars=10)] == ["x" * 8 + " y", "y" * 10, "y" * 9]


def test_the_last_window_may_be_a_fifth_longer() -> None:
    assert [w for _, _, w in cut("x" * 12, max_chars=10)] == ["x" * 12]
    assert [w for _, _, w in cut("x" * 13, max_chars=10)] == ["x" * 10, "xxx"]
    assert [w for _, _, w in cut("x" * 1200)] == ["x" * 1200]
    assert [len(w) for _, _, w in cut("x" * 1201)] == [1000, 201]


def test_the_column_counts_from_the_last_line_end() -> None:
    text = "ab\n" + "c" * 30
    assert [(line, column) for line, column, _ in cut(text, max_chars=10)] == [
        (1, 1),
        (2, 1),
        (2, 11),
        (2, 21),
    ]
    assert list(cut("")) == []


def test_a_passage_says_where_it_stands() -> None:
    call = Call(uid="c", name="sh", args={"_value": "ls"})
    step = Step(
        index=3,
        uid="u",
        kind="agent",
        actor="agent",
        calls=(call,),
        results=(Result(call_uid="c", text="a\n" * 9),),
    )
    assert passages_of(step, max_chars=10) == (
        Passage(step=3, part="c1", label="sh", text="ls", first_line=1),
        Passage(step=3, part="o1", label="sh", text="a\n" * 5, first_line=1),
        Passage(step=3, part="o1", label="sh", text="a\n" * 4, first_line=6),
    )


def test_a_step_without_text_has_no_passages() -> None:
    assert passages_of(spoken("")) == ()


def test_what_this_memory_returned_is_left_out() -> None:
    call = Call(uid="c", name="recall", args={"_value": "port?"})
    result = Result(call_uid="c", text="old evidence", recalled=((0, 12),))
    step = Step(index=0, uid="u", kind="agent", actor="agent", calls=(call,), results=(result,))
    assert texts(step) == ["port?"]
    assert "old evidence" in [atom.text for atom in atoms_of(step)]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (OWN, []),
        (f" \n{OWN}\n ", []),
        (f"before\n{OWN}\nafter", ["before\n", "\nafter"]),
        (f"{OWN}{OWN}end", ["end"]),
        (f"a{OWN}b{OWN}c", ["a", "b", "c"]),
        ('<evidence source="stepwell">kept</evidence>',
         ['<evidence source="stepwell">kept</evidence>']),
        (f'{{"text": "{OWN}"}}', ['{"text": "']),
    ],
)  # fmt: skip
def test_a_pasted_recall_is_cut_out_of_a_text(text: str, left: list[str]) -> None:
    assert texts(spoken(text)) == left


def test_what_follows_a_pasted_recall_keeps_its_lines_and_columns() -> None:
    step = spoken(f"one\ntwo {OWN} three\nfour")
    first, second = passages_of(step)
    assert (first.text, first.first_line, first.first_column) == ("one\ntwo ", 1, 1)
    assert (second.text, second.first_line) == (" three\nfour", 2)
    assert second.first_column == len(f"two {OWN}") + 1
    cut_up = passages_of(step, max_chars=8)
    assert [(p.first_line, p.text) for p in cut_up if "four" in p.text] == [(3, "four")]
    assert [p.first_column for p in cut_up if "four" in p.text] == [1]


def test_a_huge_text_gets_longer_passages_instead_of_more() -> None:
    step = spoken("x" * 300_000)
    assert len(passages_of(step, max_chars=4)) == 30_000
    assert {len(passage.text) for passage in passages_of(step, max_chars=4)} == {10}
    small = spoken("x" * 120_000)
    assert {len(passage.text) for passage in passages_of(small, max_chars=4)} == {4}
    assert len(passages_of(small, max_chars=4)) == 30_000


def test_only_so_many_passages_of_a_step_can_be_addressed() -> None:
    calls = tuple(Call(uid=f"c{n}", name="f", args={"_value": "x"}) for n in range(65_537))
    step = Step(index=0, uid="u", kind="agent", actor="agent", calls=calls)
    found = passages_of(step)
    assert len(found) == 65_536
    assert found[-1].part == "c65536"


BULK = base64.b64encode(bytes(range(256)) * 3).decode()


def test_bulk_is_not_indexed_and_what_stands_around_it_is_where_it_was() -> None:
    text = f'one\n{{"png": "{BULK}", "port": 8081}}\nlast'
    first, second = passages_of(spoken(text))
    assert first.text == f'one\n{{"png": "{BULK[:BULK_HEAD]}…'
    assert second.text == '", "port": 8081}\nlast'
    line = text.split("\n")[second.first_line - 1]
    assert second.first_line == 2
    assert line[second.first_column - 1 :] == '", "port": 8081}'
    assert not first.goes_on_in(second)


def test_behind_bulk_a_bracket_is_not_worth_a_passage() -> None:
    assert texts(spoken(f'{{"png": "{BULK}"}}')) == [f'{{"png": "{BULK[:BULK_HEAD]}…']


def test_windows_of_a_long_text_go_on_in_one_another() -> None:
    passages = passages_of(spoken("a line of words\n" * 90 + "x" * 3000))
    assert len(passages) > 2
    assert all(one.goes_on_in(other) for one, other in pairwise(passages))
    assert not passages[0].goes_on_in(passages[2])
