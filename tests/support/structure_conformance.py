"""What every structure must do, as a suite that any structure can be run against.

A test module makes a fixture `subject` of module scope, and an empty subclass of
`StructureConformance`.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.store.database import open_database, transaction
from stepwell.store.rowids import number_of, span, step_of
from stepwell.store.scope import Scope
from stepwell.store.write import append_step, put_trajectory, update_step
from stepwell.structures.base import Query, Traits, Within
from stepwell.structures.episodic import Episodic
from stepwell.structures.vector import Vector
from stepwell.text.search import query_tokens
from stepwell.trajectory.atoms import atoms_of
from stepwell.trajectory.model import Result, Step
from support.encoders import HashEncoder
from support.trajectories import NOW, said, step_lists, trajectory, turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import apsw

    from stepwell.structures.base import Ranking, Structure
    from stepwell.trajectory.passages import Passage

__all__ = ["HARBOUR", "StructureConformance", "Subject", "ask", "everything", "put", "same"]

HARBOUR = [
    said(0, "Take the kelp 1 from the crate 2 to the barrel 9, and mind the walrus."),
    turn(1, "look at crate 2", "On the crate 2, you see a kelp 1, and a rope 4."),
    turn(2, "take kelp 1 from crate 2", "You take the kelp 1 from the crate 2."),
    turn(3, "open src/dock/pier.py", "ValueError: no such pier\nthe walrus barks"),
    turn(4, "put kelp 1 in barrel 9", "You put the kelp 1 in the barrel 9."),
    turn(5, "look at crate 2", "On the crate 2, you see a rope 4. The walrus sleeps."),
]
"""A run in which every structure has something to find."""

QUESTIONS = (
    "Where is kelp 1 after step 3?",
    "What did the walrus do?",
    "How often was crate 2 looked at?",
    "Which error was raised?",
    "",
    "???",
    '"unbalanced (NEAR* ^ -',
    "\x00",
    "the of and",
    "日本 سلام 🦭",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A structure to be held to the rules.

    Attributes:
        name: What it has to call itself.
        open: Opens it over a database.
        view: What it knows of a trajectory besides what a search returns; what it returns has to be
            equal where the views are.
    """

    name: str
    open: Callable[[apsw.Connection], Structure]
    view: Callable[[Structure, int], object] = lambda _structure, _number: None


def index(what: Structure, rowids: Sequence[int], passages: Sequence[Passage]) -> None:
    """Give passages to a structure that keeps an index; others derive their view of the steps."""
    if isinstance(what, Episodic | Vector):
        what.append(rowids, passages)


def put(db: apsw.Connection, what: Structure, steps: Sequence[Step], name: str = "run") -> int:
    """Store a trajectory, index its passages at once, and return its number."""
    with transaction(db):
        written = put_trajectory(db, trajectory(list(steps), name=name), scope=Scope(), now=NOW)
        index(what, written.rowids, written.passages)
    return written.number


def ask(what: Structure, question: str, within: Within, limit: int = 50) -> Ranking:
    """Search as a recall does."""
    vector = HashEncoder().encode([question])[0]
    query = Query(text=question, terms=tuple(query_tokens(question)), vector=vector, asked=question)
    return what.search(query, within=within, limit=limit)


def everything(db: apsw.Connection) -> Within:
    """Return the scope of all that is stored."""
    (n,) = db.execute("SELECT count(*) FROM passages").fetchone() or (0,)
    spans = tuple(span(no) for (no,) in db.execute("SELECT no FROM trajectories ORDER BY no"))
    return Within(spans=spans, n_passages=n, is_all=True)


def part(db: apsw.Connection, number: int, *, end: int | None = None) -> Within:
    """Return the scope of one trajectory up to a step."""
    first, last = span(number, end=end)
    ((n,),) = db.execute("SELECT count(*) FROM passages WHERE id BETWEEN ? AND ?", (first, last))
    return Within(spans=((first, last),), n_passages=n)


@contextmanager
def store() -> Iterator[apsw.Connection]:
    """Open a database in memory for a while."""
    db = open_database(None)
    try:
        yield db
    finally:
        db.close()


def found(subject: Subject, what: Structure, db: apsw.Connection) -> list[object]:
    """Return all that can be seen of a structure over one trajectory, to be compared."""
    (number,) = [no for (no,) in db.execute("SELECT no FROM trajectories")]
    seen: list[object] = [subject.view(what, number)]
    for question in QUESTIONS[:4]:
        ranking = ask(what, question, everything(db))
        seen.append([ranking.rowids.tolist(), ranking.notes, ranking.coverage, ranking.comment])
        seen.append(np.round([*ranking.scores, ranking.mean, ranking.deviation], 5).tolist())
    return seen


def anew(subject: Subject, steps: Sequence[Step]) -> list[object]:
    """Return what a structure over a new store of these steps shows."""
    with store() as db:
        what = subject.open(db)
        put(db, what, steps)
        return found(subject, what, db)


class StructureConformance:
    """The rules, one a test; a subclass in a module with a fixture `subject` runs them."""

    def test_it_says_what_it_is(self, subject: Subject) -> None:
        with store() as db:
            what = subject.open(db)
            assert what.name == subject.name
            assert isinstance(what.traits, Traits)
            assert what.tokens > 0
            put(db, what, HARBOUR)
            ranking = ask(what, QUESTIONS[0], everything(db))
        assert (ranking.structure, ranking.traits) == (what.name, what.traits)

    @given(steps=step_lists(), cuts=st.lists(st.integers(0, 30), max_size=3), question=st.text())
    @settings(max_examples=20, deadline=None)
    def test_passages_may_be_indexed_in_any_portions(
        self, subject: Subject, steps: list[Step], cuts: list[int], question: str
    ) -> None:
        asked = question or " ".join(step.message for step in steps)
        with store() as db:
            what = subject.open(db)
            with transaction(db):
                run = trajectory(steps)
                written = put_trajectory(db, run, scope=Scope(), now=NOW)
                n = len(written.passages)
                for start, end in pairwise([0, *sorted(min(cut, n) for cut in cuts), n]):
                    index(what, written.rowids[start:end], written.passages[start:end])
            same(ask(what, asked, everything(db)), ask(subject.open(db), asked, everything(db)))
            assert found(subject, what, db) == anew(subject, steps)

    @given(steps=step_lists(), data=st.data())
    @settings(max_examples=20, deadline=None)
    def test_a_run_that_grows_is_seen_as_if_it_had_been_there_at_once(
        self, subject: Subject, steps: list[Step], data: st.DataObject
    ) -> None:
        steps = [*HARBOUR[:3], *(replace(s, index=s.index + 3, uid=f"v{s.index}") for s in steps)]
        with store() as db:
            what = subject.open(db)
            number = put(db, what, steps[:2])
            for step in steps[2:]:
                with transaction(db):
                    written = append_step(db, number, step)
                    index(what, written.rowids, written.passages)
                if data.draw(st.booleans()):
                    assert found(subject, what, db) == anew(subject, steps[: step.index + 1])
                if data.draw(st.booleans()):
                    what.save()
                    what = subject.open(db)
            assert found(subject, what, db) == anew(subject, steps)

    def test_a_result_that_comes_late_is_seen(self, subject: Subject) -> None:
        waiting = replace(HARBOUR[4], results=())
        late = replace(waiting, results=(Result(call_uid="k4", text="The walrus took kelp 1."),))
        with store() as db:
            what = subject.open(db)
            number = put(db, what, [*HARBOUR[:4], waiting, HARBOUR[5]])
            before = found(subject, what, db)
            with transaction(db):
                written = update_step(db, number, late, known=waiting)
                index(what, written.rowids, written.passages)
            after = found(subject, what, db)
        assert after == anew(subject, [*HARBOUR[:4], late, HARBOUR[5]])
        assert what.traits.orders or after != before

    def test_it_may_be_read_in_a_transaction_and_saved_after_it(self, subject: Subject) -> None:
        with store() as db:
            what = subject.open(db)
            again = (replace(s, index=s.index + 6, uid=f"v{s.index}") for s in HARBOUR)
            put(db, what, [*HARBOUR, *again])
            with transaction(db):
                within = found(subject, what, db)
            what.save()
            assert found(subject, subject.open(db), db) == within

    @pytest.mark.parametrize("question", QUESTIONS)
    def test_the_same_question_finds_the_same(self, subject: Subject, question: str) -> None:
        with store() as db:
            what = subject.open(db)
            put(db, what, HARBOUR)
            where = everything(db)
            same(ask(what, question, where), ask(what, question, where))
            same(ask(what, question, where), ask(subject.open(db), question, where))
            query = Query(text=question, terms=tuple(query_tokens(question)))
            told = what.signals(query, within=where)
            assert told == subject.open(db).signals(query, within=where)
            assert all(name.startswith(f"{what.name}.") for name in told)
            assert all(np.isfinite(value) for value in told.values())

    @pytest.mark.parametrize("question", QUESTIONS)
    def test_the_best_come_first_and_ties_by_row_id(self, subject: Subject, question: str) -> None:
        with store() as db:
            what = subject.open(db)
            put(db, what, [*HARBOUR, *(replace(HARBOUR[1], index=n, uid=f"w{n}") for n in (6, 7))])
            whole = ask(what, question, everything(db))
            rows, scores = whole.rowids.tolist(), whole.scores.tolist()
            assert [str(whole.rowids.dtype), str(whole.scores.dtype)] == ["int64", "float64"]
            assert np.isfinite([*scores, whole.mean, whole.deviation]).all()
            assert whole.deviation > 0
            assert 0 <= whole.coverage <= 1
            assert list(zip(rows, scores, strict=True)) == sorted(
                zip(rows, scores, strict=True), key=lambda hit: (-hit[1], hit[0])
            )
            assert len(set(rows)) == len(rows)
            assert set(rows) <= {row for (row,) in db.execute("SELECT id FROM passages")}
            for limit in (1, 2, 3, len(rows) + 1):
                assert ask(what, question, everything(db), limit).rowids.tolist() == rows[:limit]

    def test_it_does_what_its_traits_say(self, subject: Subject) -> None:
        with store() as db:
            what = subject.open(db)
            for n in range(12):
                put(db, what, HARBOUR, name=f"run{n}")
            rankings = [ask(what, question, everything(db), 500) for question in QUESTIONS]
            finds = any(len(ranking.rowids) for ranking in rankings)
            states = any(ranking.notes for ranking in rankings)
            seen = {no for ranking in rankings for no in number_of(ranking.rowids).tolist()}
        assert finds == (what.traits.quotes and not what.traits.orders)
        assert not (what.traits.orders and states)
        assert finds or states or what.traits.orders
        if what.traits.is_wide:
            assert len(seen) == 12
        if what.traits.matches:
            assert not any(ranking.notes for ranking in rankings)

    def test_a_search_looks_no_further_than_it_may(self, subject: Subject) -> None:
        with store() as db:
            what = subject.open(db)
            numbers = [put(db, what, HARBOUR, name=f"run{n}") for n in range(5)]
            some = (span(numbers[1]), span(numbers[3], end=4))
            for question in QUESTIONS:
                ranking = ask(what, question, Within(spans=some, n_passages=20))
                rows = ranking.rowids.tolist()
                assert all(any(first <= row <= last for first, last in some) for row in rows)
                assert {note.number for note in ranking.notes} <= {numbers[1], numbers[3]}
            for number in numbers[1:4:2]:
                for question in QUESTIONS:
                    ranking = ask(what, question, part(db, number))
                    assert set(number_of(ranking.rowids).tolist()) <= {number}
                    assert {note.number for note in ranking.notes} <= {number}
                    early = ask(what, question, part(db, number, end=3))
                    assert all(step < 3 for step in step_of(early.rowids).tolist())
                    assert all(step < 3 for note in early.notes for step in note.steps)

    def test_lines_say_which_steps_they_come_from(self, subject: Subject) -> None:
        with store() as db:
            what = subject.open(db)
            number = put(db, what, HARBOUR)
            notes = [n for asked in QUESTIONS for n in ask(what, asked, everything(db)).notes]
        for note in notes:
            assert note.number == number
            assert note.text.strip()
            assert note.steps
            assert list(note.steps) == sorted(set(note.steps))
            assert 0 <= note.steps[0] <= note.steps[-1] < len(HARBOUR)
            texts = [atom.text for atom in atoms_of(HARBOUR[note.steps[0]])]
            assert not note.quote or any(note.quote in text for text in texts)
            assert note.quote in note.text

    @pytest.mark.parametrize("question", QUESTIONS)
    def test_an_empty_scope_and_an_empty_run_answer_with_nothing(
        self, subject: Subject, question: str
    ) -> None:
        nowhere = Within(spans=(), n_passages=0, is_all=True)
        with store() as db:
            what = subject.open(db)
            for where in (nowhere, replace(nowhere, is_all=False)):
                ranking = ask(what, question, where)
                assert (len(ranking.rowids), ranking.notes, ranking.coverage) == (0, (), 1.0)
                told = what.signals(Query(text=question, terms=()), within=where)
                assert all(np.isfinite(value) for value in told.values())
            put(db, what, [])
            assert len(ask(what, question, everything(db)).rowids) == 0


def same(one: Ranking, other: Ranking) -> None:
    """Hold two rankings to be equal in all they say."""
    assert one.rowids.tolist() == other.rowids.tolist()
    assert np.allclose(one.scores, other.scores)
    assert np.allclose([one.mean, one.deviation], [other.mean, other.deviation])
    assert (one.coverage, one.notes, one.comment) == (other.coverage, other.notes, other.comment)
