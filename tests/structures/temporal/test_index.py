"""The temporal structure over stored runs: what it finds, tells of a question, and may see."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from stepwell.store.database import open_database, transaction
from stepwell.store.rowids import number_of, span, step_of
from stepwell.store.scope import Scope
from stepwell.store.write import append_step, put_trajectory
from stepwell.structures.base import Query, Within
from stepwell.structures.temporal.index import Temporal
from stepwell.trajectory.model import Step
from support.file_log import RUN, step
from support.steps import step_of as step_of_action
from support.trajectories import NOW, said, trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from stepwell.store.database import Database
    from stepwell.structures.base import Ranking

ACTIONS = (
    ("look", "On the crate 2, you see a kelp 1."),
    ("take kelp 1 from crate 2", "Taken."),
    ("put kelp 1 in barrel 9", "You put the kelp 1 in the barrel 9."),
    ("wait", "Time passes."),
)
WORLD = [
    said(0, "Mind the kelp 1."),
    *(
        replace(step_of_action(action, observed), index=n, uid=f"u{n}")
        for n, (action, observed) in enumerate(ACTIONS, start=1)
    ),
]


@pytest.fixture
def db() -> Iterator[Database]:
    connection = open_database(None)
    yield connection
    connection.close()


def put(db: Database, steps: Sequence[Step], name: str = "run") -> int:
    with transaction(db):
        run = trajectory(list(steps), name=name)
        return put_trajectory(db, run, scope=Scope(), now=NOW).number


def within(*numbers: int, end: int | None = None) -> Within:
    return Within(spans=tuple(span(number, end=end) for number in numbers), n_passages=99)


def ask(db: Database, question: str, where: Within, *, limit: int = 50) -> Ranking:
    query = Query(text=question, terms=())
    return Temporal(db).search(query, within=where, limit=limit)


def test_that_a_run_has_none_is_said_only_where_no_run_has_any(db: Database) -> None:
    for number, steps in enumerate((RUN, [step(0, "Bash", {"command": "ls"})])):
        run = trajectory(list(steps), name=f"run{number}")
        put_trajectory(db, run, scope=Scope(), now=NOW)
    within = Within(spans=(span(1), span(2)), n_passages=99, is_all=True)
    notes = [
        Temporal(db).search(Query(text=question, terms=()), within=within, limit=9).notes
        for question in ("List all files edited.", "How many times was mypy run?")
    ]
    assert {note.number for note in notes[0]} == {1}
    assert {note.number for note in notes[1]} == {1, 2}


def test_an_answer_scores_more_than_what_is_near_it_and_earlier_lines_more(db: Database) -> None:
    number = put(db, WORLD)
    sure = ask(db, "Where is kelp 1 after step 3?", within(number))
    assert sure.notes[0].is_answer
    assert (
        sure.comment == f"{sum(note.is_answer for note in sure.notes)} lines computed from the log"
    )
    assert 1 < sure.scores[0] <= 2
    near = ask(db, "Why was kelp 1 moved?", within(number))
    assert near.notes
    assert not any(note.is_answer for note in near.notes)
    assert near.comment == ""
    assert 0.5 < near.scores[0] <= 1
    assert list(near.scores) == sorted(near.scores, reverse=True)


def test_lines_are_shown_the_whole_first_and_rows_in_their_order(db: Database) -> None:
    ranking = ask(db, "What actions were performed before step 4?", within(put(db, WORLD)))
    shown = sorted(ranking.notes, key=lambda note: note.place)
    assert [note.place for note in shown] == list(range(len(shown)))
    assert len(shown[0].steps) > 1
    firsts = [note.steps[0] for note in shown[1:]]
    assert firsts == sorted(firsts)


@pytest.mark.parametrize(
    ("question", "slots", "asks", "steps"),
    [
        ("Where is kelp 1 after step 3?", 1, 1, 1),
        ("Where are kelp 1 and barrel 9?", 2, 1, 0),
        ("Why was kelp 1 moved?", 1, 0, 0),
        ("Which actions were performed at steps 1, 2 and 3?", 0, 1, 3),
        ("What changed between step 1 and step 3?", 0, 1, 2),
        ("Tell me of the weather.", 0, 0, 0),
    ],
)
def test_signals_say_what_a_question_names(
    db: Database, question: str, slots: int, asks: int, steps: int
) -> None:
    signals = Temporal(db).signals(Query(text=question, terms=()), within=within(put(db, WORLD)))
    assert signals == {
        "temporal.slots": slots,
        "temporal.asks": pytest.approx(asks),
        "temporal.steps": steps,
    }


def test_step_numbers_are_read_where_the_text_to_match_has_none(db: Database) -> None:
    query = Query(text="Where was kelp 1?", asked="Where was kelp 1 at step 1?", terms=())
    notes = Temporal(db).search(query, within=within(put(db, WORLD)), limit=9).notes
    assert any("crate 2" in note.text and note.is_answer for note in notes)
    assert not any("barrel 9" in note.text and note.is_answer for note in notes)


def test_no_step_is_cited_that_has_no_text(db: Database) -> None:
    silent = Step(index=5, uid="u5", kind="agent", actor="agent")
    number = put(db, [*WORLD, silent])
    ranking = ask(db, "Where was kelp 1 at step 5?", within(number))
    assert ranking.notes
    assert 5 not in step_of(ranking.rowids).tolist()


def test_a_question_is_put_to_eight_runs_at_most_and_each_note_says_of_which_it_is(
    db: Database,
) -> None:
    numbers = [put(db, WORLD, name=f"run{n}") for n in range(10)]
    ranking = ask(db, "Where is kelp 1?", within(*numbers))
    assert {note.number for note in ranking.notes} == set(numbers[:8])
    assert set(number_of(ranking.rowids).tolist()) == set(numbers[:8])


def test_nothing_is_known_of_what_came_after_the_moment_asked_about(db: Database) -> None:
    number = put(db, WORLD)
    early = ask(db, "Where is kelp 1?", within(number, end=2))
    assert any("crate 2" in note.text for note in early.notes)
    assert not any("barrel" in note.text or "inventory" in note.text for note in early.notes)


def test_a_step_that_is_added_is_known_at_the_next_question(db: Database) -> None:
    number = put(db, WORLD[:3])
    temporal, query = Temporal(db), Query(text="Where is kelp 1?", terms=())
    before = temporal.search(query, within=within(number), limit=9).notes
    assert "inventory" in before[0].text
    with transaction(db):
        append_step(db, number, WORLD[3])
    after = temporal.search(query, within=within(number), limit=9).notes
    assert "barrel 9" in after[0].text
