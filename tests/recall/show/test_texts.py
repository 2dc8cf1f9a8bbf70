"""Of a candidate its beginning and the places around its hits are read, joined where adjacent."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell import Memory
from stepwell.recall.rank.score import PassageScores
from stepwell.recall.show.texts import known_by, load_texts
from stepwell.store.database import open_database, transaction
from stepwell.store.facts import step_facts
from stepwell.store.rowids import MAX_PLACES, rowid
from stepwell.store.scope import Scope
from stepwell.store.write import put_trajectory
from support.trajectories import NOW, said, trajectory, turn
from support.views import block, view

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw

    from stepwell.recall.show.texts import StepText

LINE = "x" * 999 + "\n"
"""A passage of its own: with its number in front, each passage of a text tells which it is."""


def numbered(n: int) -> str:
    return "".join(f"{place:03}{LINE[3:]}" for place in range(n))


@pytest.fixture
def db() -> Iterator[apsw.Connection]:
    connection = open_database(None)
    steps = [turn(0, "ls", numbered(40)), said(1, "hello"), said(2, numbered(5))]
    with transaction(connection):
        put_trajectory(connection, trajectory(steps), scope=Scope(), now=NOW)
    yield connection
    connection.close()


def loaded(
    db: apsw.Connection,
    hits: dict[tuple[int, int], float],
    *,
    steps: tuple[int, ...] = (0,),
    budget: int = 1_000,
) -> list[StepText]:
    """Return the texts of steps in which passages at (step, place) are hits."""
    rows = sorted(rowid(1, step, place) for step, place in hits)
    scores = PassageScores(
        rows=np.array(rows, dtype=np.int64),
        values=np.array([value for _, value in sorted(hits.items())]),
        least=-1.0,
    )
    keys = [rowid(1, step) // MAX_PLACES for step in steps]
    facts = step_facts(db, keys)
    found = load_texts(db, {key: facts[key] for key in keys}, scores=scores, budget=budget)
    return [found[key] for key in keys if key in found]


def places(text: StepText, part: str = "o1") -> list[list[int]]:
    """Return the numbers of the passages in each block of an atom."""
    return [
        [int(one.text[start : start + 3]) for start in one.edges[:-1]]
        for one in text.blocks
        if one.part == part
    ]


def test_a_step_tells_its_place_and_what_is_known_of_it(db: apsw.Connection) -> None:
    (text,) = loaded(db, {}, steps=(1,))
    assert (text.number, text.step, text.facts.kind) == (1, 1, "user")
    assert [(one.part, one.text, one.is_whole) for one in text.blocks] == [("m", "hello", True)]
    (only,) = text.blocks
    assert (only.first_line, only.first_column, only.edges) == (1, 1, (0, 5))
    assert (only.scores, only.best, only.label) == ((-1.0,), -1.0, "user")


def test_without_a_hit_the_beginning_of_a_step_is_read(db: apsw.Connection) -> None:
    (text,) = loaded(db, {})
    call, result = text.blocks
    assert (call.part, call.text, call.is_whole) == ("c1", "command: ls", True)
    assert places(text) == [[0, 1]]
    assert not result.is_whole
    assert result.edges == (0, 1000, 2000)


def test_passages_around_a_hit_are_read_and_the_next_best_place_if_it_stands_out(
    db: apsw.Connection,
) -> None:
    (text,) = loaded(db, {(0, 21): 5.0})
    assert places(text) == [[19, 20, 21]]
    (best,) = [one for one in text.blocks if one.part == "o1"]
    assert (best.scores, best.best) == ((-1.0, 5.0, -1.0), 5.0)
    assert (best.first_line, best.is_whole) == (20, False)
    (text,) = loaded(db, {(0, 11): 1.0, (0, 31): 5.0})
    assert places(text) == [[9, 10, 11], [29, 30, 31]]
    (text,) = loaded(db, {(0, 11): 0.99, (0, 31): 5.0})
    assert places(text) == [[29, 30, 31]]


def test_two_places_of_an_atom_are_shown_at_most_in_its_order(db: apsw.Connection) -> None:
    (text,) = loaded(db, {(0, 11): 3.0, (0, 21): 4.0, (0, 31): 5.0})
    assert places(text) == [[19, 20, 21], [29, 30, 31]]
    (text,) = loaded(db, {(0, 11): 5.0, (0, 21): 1.0, (0, 31): 1.5})
    assert places(text) == [[9, 10, 11], [29, 30, 31]]


def test_three_hits_of_a_step_are_read(db: apsw.Connection) -> None:
    hits = {(0, 9): 2.0, (0, 15): 3.0, (0, 21): 4.0, (0, 27): 5.0}
    (text,) = loaded(db, hits, budget=3_000)
    # Around each of the best three lie three passages, which makes one stretch of them.
    assert places(text)[-1][-1] == 29
    assert places(text)[-1][0] == 11


def test_a_larger_budget_reads_further_around_a_hit(db: apsw.Connection) -> None:
    (text,) = loaded(db, {(0, 21): 5.0}, budget=4_000)
    assert places(text) == [[16, 17, 18, 19, 20, 21, 22, 23, 24]]
    (text,) = loaded(db, {(0, 21): 5.0}, budget=1_499)
    assert places(text) == [[19, 20, 21]]
    (text,) = loaded(db, {(0, 21): 5.0}, budget=1_000_000)
    assert places(text) == [list(range(40))]
    assert text.blocks[-1].is_whole


def test_the_ranks_behind_are_read_less_far(db: apsw.Connection) -> None:
    first, second = loaded(db, {(0, 21): 5.0}, steps=(1, 0), budget=4_000)
    assert first.step == 1
    assert places(second) == [[18, 19, 20, 21, 22]]


def test_what_is_read_stays_in_its_step(db: apsw.Connection) -> None:
    (text,) = loaded(db, {(2, 0): 5.0}, steps=(2,), budget=9_000)
    assert [(one.part, len(one.text)) for one in text.blocks] == [("m", 5_000)]


def test_far_down_the_ranks_only_an_outline_and_the_best_hit_are_read() -> None:
    connection = open_database(None)
    steps = [turn(n, "ls", numbered(12)) for n in range(10)]
    with transaction(connection):
        put_trajectory(connection, trajectory(steps), scope=Scope(), now=NOW)
    hits = {(step, 6): 5.0 for step in range(10)} | {(step, 10): 4.0 for step in range(10)}
    texts = loaded(connection, hits, steps=tuple(range(10)), budget=60)
    assert places(texts[7]) == [[4, 5, 6], [8, 9, 10, 11]]  # the last is read for a verdict
    assert places(texts[8]) == [[5]]
    wider = loaded(connection, hits, steps=tuple(range(10)), budget=540)
    assert places(wider[8]) == [[4, 5, 6], [8, 9, 10, 11]]
    assert places(wider[9])[-1] == [5]
    connection.close()


def test_a_result_that_had_not_come_is_not_known() -> None:
    answered = view(block("c1", "ls"), block("o1", "a"), block("o2", "b"), answered=NOW)
    later = NOW + timedelta(seconds=1)
    assert known_by(answered, None) is answered
    assert known_by(answered, later) is answered
    assert [one.part for one in known_by(answered, NOW).blocks] == ["c1"]
    assert [one.part for one in known_by(answered, NOW - timedelta(seconds=1)).blocks] == ["c1"]
    untimed = view(block("c1", "ls"), block("o1", "a"))
    assert known_by(untimed, NOW) is untimed


def test_a_block_knows_what_stands_beside_it(db: apsw.Connection) -> None:
    (text,) = loaded(db, {(0, 21): 5.0})
    call, result = text.blocks
    assert (call.before, call.after) == ("", "")
    assert (result.before, result.after) == ("\n", "0")
    (last,) = [one for one in loaded(db, {(0, 40): 5.0})[0].blocks if one.part == "o1"]
    assert (last.before, last.after) == ("\n", "")


def stored(result: str, *, recalled: tuple[tuple[int, int], ...] = (), **hits: float) -> StepText:
    """Return the text of a step with a long result, of which the passage at a place is a hit."""
    connection = open_database(None)
    with transaction(connection):
        step = turn(0, "ls", result)
        step = replace(step, results=(replace(step.results[0], recalled=recalled),))
        put_trajectory(connection, trajectory([step]), scope=Scope(), now=NOW)
    (text,) = loaded(connection, {(0, int(place[1:])): value for place, value in hits.items()})
    connection.close()
    return text


def test_how_a_long_failure_ended_is_read_though_its_middle_is_the_hit() -> None:
    text = stored(numbered(30) + "x\n\nFAILED (failures=18)\n$ ", p9=5.0)
    middle, end = [one for one in text.blocks if one.part == "o1"]
    assert middle.verdict is None
    assert (end.text, end.verdict, end.first_line) == ("FAILED (failures=18)\n$ ", (0, 20), 33)
    assert (end.before, end.after, end.edges) == ("\n", "", (0, 23))


def test_the_end_of_what_did_not_fail_is_not_shown_for_itself() -> None:
    text = stored(numbered(30) + "x\n\nall is well\n", p9=5.0)
    assert [one.verdict for one in text.blocks] == [None, None]


def test_passages_with_a_gap_between_them_are_not_joined() -> None:
    # What this memory once returned is left out of the middle of what was pasted.
    pasted = "what was recalled,\non three\nlines"
    text = stored(f"one {pasted} two", recalled=((4, 4 + len(pasted)),), p1=5.0, p2=2.0)
    _, first, second = text.blocks
    assert (first.text, first.before, first.after) == ("one ", "", " ")
    assert (second.text, second.before, second.first_line) == (" two", " ", 3)


def test_the_beginning_of_bulk_is_cited_without_the_mark_that_stands_for_the_rest() -> None:
    bulk = "Qk0Zx9" * 50
    with Memory(encoder=None) as memory:
        memory.add({"action": "look", "observation": f"walrus\n{bulk}"})
        for budget in (60, 200, 800):
            for item in memory.recall("walrus", budget).items:
                assert item.text in memory.get(item.id).text
                assert item.ends_cut == (item.part == "o1")
