"""Notes stay in their structure's share of the room, the most useful first."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.policy.base import Context, Selection
from stepwell.recall.evidence import Noted
from stepwell.recall.find.find import Found
from stepwell.recall.show.compose import note_line, note_row
from stepwell.recall.show.notes import NotePrice, choose_notes
from stepwell.store.rowids import MAX_PLACES, rowid
from stepwell.structures.base import Note, Ranking, Within
from stepwell.text.tokens import counter
from support.entries import entry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from stepwell.recall.show.notes import Chosen

ENTRIES = {1: entry(1, "run"), 2: entry(2, "other")}
COUNTER = counter("estimate")
PRICE = NotePrice(form="text", counter=COUNTER)


def note(text: str, step: int = 0, *, number: int = 1, place: int = 0) -> Note:
    return Note(number=number, text=text, steps=(step,), place=place)


def answer(text: str, step: int = 0, *, quote: str = "") -> Note:
    return replace(note(text, step), is_answer=True, quote=quote)


def chosen(
    said: Mapping[str, Sequence[Note]],
    room: int,
    *,
    most: Mapping[str, int],
    price: NotePrice = PRICE,
) -> Chosen:
    found = replace(_found(said), most=most)
    return choose_notes(found, room=room, price=price, entries=ENTRIES)


def _found(said: Mapping[str, Sequence[Note]]) -> Found:
    rankings = tuple(
        Ranking(
            structure=name,
            rowids=np.empty(0, dtype=np.int64),
            scores=np.empty(0),
            notes=tuple(notes),
        )
        for name, notes in said.items()
    )
    return Found(
        entries=tuple(ENTRIES.values()),
        within=Within(spans=(), n_passages=0),
        selection=Selection(structures=tuple(said)),
        context=Context(),
        rankings=rankings,
        most={},
        chosen={},
    )


def texts(choice: Chosen) -> list[str]:
    return [one.text for one in choice.notes]


def test_a_note_costs_its_line() -> None:
    one = Noted(structure="log", trajectory="my run", steps=(3,), text="x is 1")
    assert PRICE(one, is_first=True) == COUNTER.count(f"{note_line(one)}\n")
    named = replace(PRICE, words={})
    assert named(one, is_first=False) == PRICE(one, is_first=False)
    assert named(one, is_first=True) == COUNTER.count(f"[trajectory my run]\n{note_line(one)}\n")
    row = json.dumps(note_row(one), ensure_ascii=False) + ", "
    assert replace(named, form="json")(one, is_first=True) == COUNTER.count(row)


def test_nothing_said_is_nothing_chosen() -> None:
    choice = chosen({}, 100, most={})
    assert (choice.notes, choice.tokens, choice.covered) == ((), 0, frozenset())
    assert chosen({"log": [note("x")]}, 100, most={}).notes == ()


def test_a_chosen_note_says_whose_it_is_and_of_which_run() -> None:
    said = {"log": [replace(answer("x is 1", 4, quote="x"), number=2)]}
    (one,) = chosen(said, 100, most={"log": 10}).notes
    assert one == Noted(
        structure="log", trajectory="other", steps=(4,), text="x is 1", quote="x", is_answer=True
    )


@pytest.mark.parametrize(("room", "n"), [(21, 3), (20, 2), (14, 2), (13, 1), (7, 1), (6, 0)])
def test_the_most_useful_notes_are_taken_while_they_fit(room: int, n: int) -> None:
    # Each line is `[s0 log] xxxxxxxxxxxxxxxx` and its end: 26 characters, 7 tokens.
    said = {"log": [note(letter * 16) for letter in "abc"]}
    choice = chosen(said, room, most={"log": 10})
    assert texts(choice) == ["a" * 16, "b" * 16, "c" * 16][:n]
    assert choice.tokens == 7 * n


def test_a_shorter_note_further_down_does_not_take_the_place_of_a_longer_one() -> None:
    said = {"log": [note("a" * 16), note("b" * 99), note("c")]}
    assert texts(chosen(said, 20, most={"log": 10})) == ["a" * 16]


def test_each_structure_has_its_share_of_the_room() -> None:
    said = {"log": [note("a" * 16), note("b" * 16)], "map": [note("c" * 16), note("d" * 16)]}
    half = chosen(said, 28, most={"log": 10, "map": 10})
    assert texts(half) == ["a" * 16, "b" * 16, "c" * 16, "d" * 16]
    less = chosen(said, 28, most={"log": 10, "map": 30})
    assert texts(less) == ["a" * 16, "c" * 16, "d" * 16]
    assert less.tokens == 21
    others = chosen(said, 28, most={"log": 10, "map": 10, "words": 20})
    assert texts(others) == ["a" * 16, "c" * 16]


def test_an_answer_may_take_half_of_the_room() -> None:
    said = {"log": [answer("a" * 16), note("b" * 16)], "map": [note("c" * 16)]}
    most = {"log": 1, "map": 1, "words": 998}
    assert texts(chosen(said, 28, most=most)) == ["a" * 16, "b" * 16]
    assert texts(chosen(said, 27, most=most)) == ["a" * 16]
    late = {"log": [note("a" * 16), answer("b" * 16)]}
    assert texts(chosen(late, 28, most=most)) == ["a" * 16, "b" * 16]
    assert texts(chosen({"log": [answer("a" * 16)]}, 7, most={"log": 10})) == ["a" * 16]


def test_together_they_take_no_more_than_the_room() -> None:
    said = {name: [answer("a" * 16)] for name in ("log", "map", "web")}
    choice = chosen(said, 14, most=dict.fromkeys(said, 1))
    assert [one.structure for one in choice.notes] == ["log", "map"]
    assert choice.tokens == 14


def test_notes_are_shown_by_run_and_place() -> None:
    said = {
        "log": [
            note("a", place=2),
            note("b", number=2, place=0),
            note("c", place=1),
            note("d", number=2, place=0),
        ],
        "map": [note("e", place=0)],
    }
    choice = chosen(said, 200, most={"log": 10, "map": 10})
    assert texts(choice) == ["c", "a", "b", "d", "e"]


def test_what_main_runs_say_stands_before_what_subagents_say() -> None:
    side = replace(entry(1, "run/side"), parent_id="other")
    said = {"log": [note("of the subagent"), note("of the run", number=2)]}
    found = replace(_found(said), most={"log": 10})
    entries = {1: side, 2: ENTRIES[2]}
    choice = choose_notes(found, room=200, price=PRICE, entries=entries)
    assert texts(choice) == ["of the run", "of the subagent"]
    tight = choose_notes(found, room=10, price=PRICE, entries=entries)
    assert texts(tight) == ["of the run"]


def test_the_name_of_a_run_is_paid_for_its_first_note() -> None:
    said = {"log": [note("a"), note("b", number=2), note("c")]}
    price = replace(PRICE, words={})
    expected = sum(
        price(Noted(structure="log", trajectory=run, steps=(0,), text="a"), is_first=first)
        for run, first in (("run", True), ("other", True), ("run", False))
    )
    assert chosen(said, 200, most={"log": 10}, price=price).tokens == expected


def test_a_note_about_a_run_out_of_scope_is_passed_over() -> None:
    said = {"log": [note("a", number=3), note("b")]}
    assert texts(chosen(said, 100, most={"log": 10})) == ["b"]


def test_the_first_step_of_a_line_that_quotes_it_is_covered() -> None:
    quoted = replace(answer("x is 1", quote="x"), steps=(4, 7))
    said = {"log": [quoted, answer("y", 5), replace(note("z", 6), quote="z")]}
    choice = chosen(said, 200, most={"log": 10})
    assert choice.covered == {rowid(1, 4) // MAX_PLACES, rowid(1, 6) // MAX_PLACES}
    assert chosen(said, 4, most={"log": 10}).covered == frozenset()
