"""The summary structure: what it says of a run, by whom, and what it may see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stepwell.store.database import open_database, transaction
from stepwell.store.rowids import rowid, span
from stepwell.store.scope import Scope
from stepwell.store.write import append_step, put_trajectory
from stepwell.structures.base import Query, Within
from stepwell.structures.summary.index import Summary
from stepwell.text.search import query_tokens
from stepwell.trajectory.atoms import atoms_of
from support.trajectories import NOW, said, trajectory, turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw

    from stepwell.structures.base import Ranking
    from stepwell.trajectory.model import Step

TOPICS = ["anchor", "barnacle", "compass", "dinghy", "estuary", "ferry", "gull", "harbour"]
SAIL = [
    turn(n, f"study the {topic}", f"The {topic} is noted.\n" + f"{topic} " * 900)
    for n, topic in enumerate(TOPICS)
]
"""Each step is nearly a chunk."""


@pytest.fixture
def db() -> Iterator[apsw.Connection]:
    connection = open_database(None)
    yield connection
    connection.close()


def put(db: apsw.Connection, steps: list[Step], name: str = "run") -> int:
    with transaction(db):
        written = put_trajectory(db, trajectory(steps, name=name), scope=Scope(), now=NOW)
    return written.number


def within(*numbers: int, end: int | None = None, hidden: frozenset[int] = frozenset()) -> Within:
    spans = tuple(span(number, end=end) for number in numbers)
    return Within(spans=spans, n_passages=10, unanswered=hidden)


def ask(summary: Summary, question: str, where: Within) -> Ranking:
    query = Query(text=question, terms=tuple(query_tokens(question)))
    return summary.search(query, within=where, limit=50)


def told(ranking: Ranking) -> str:
    return "\n".join(note.text for note in ranking.notes)


def test_the_overview_comes_first_then_the_two_nearest_chunks(db: apsw.Connection) -> None:
    ranking = ask(Summary(db), "What about the compass and the ferry?", within(put(db, SAIL)))
    texts = [note.text for note in ranking.notes]
    assert texts[0].startswith("8 steps; tools: bash ×8")  # noqa: RUF001
    heads = [text for text in texts if text.startswith("steps ")]
    assert sorted(heads) == ["steps 2 to 2; tools: bash ×1", "steps 5 to 5; tools: bash ×1"]  # noqa: RUF001
    assert (len(ranking.rowids), ranking.comment) == (0, "extractive")
    assert [note.place for note in ranking.notes] == list(range(len(texts)))


def test_a_step_that_is_named_is_near(db: apsw.Connection) -> None:
    query = Query(text="What happened?", terms=(), asked="What happened at step 3?")
    ranking = Summary(db).search(query, within=within(put(db, SAIL)), limit=5)
    assert "steps 3 to 3" in told(ranking)


def test_every_line_is_short_and_its_quotation_verbatim(db: apsw.Connection) -> None:
    steps = [*SAIL, said(8, "Please " + "hurry " * 200)]
    for note in ask(Summary(db), "gull", within(put(db, steps))).notes:
        assert len(note.text) <= 300
        assert 1 <= len(note.steps) <= 32
        atoms = atoms_of(steps[note.steps[0]])
        assert not note.quote or any(note.quote in atom.text for atom in atoms)
        assert note.quote in note.text


def test_errors_are_told_with_their_steps(db: apsw.Connection) -> None:
    steps = [turn(0, "sail", "fine"), turn(1, "sail", "ValueError: no wind")]
    text = told(ask(Summary(db), "errors", within(put(db, steps))))
    assert "steps with errors: 1" in text
    assert "errors: ValueError: no wind (1)" in text


def test_later_steps_and_hidden_results_are_out_of_sight(db: apsw.Connection) -> None:
    number, summary = put(db, SAIL), Summary(db)
    assert "harbour" not in told(ask(summary, "harbour", within(number, end=7)))
    hidden = frozenset({rowid(number, 7) >> 16})
    text = told(ask(summary, "harbour", within(number, end=8, hidden=hidden)))
    assert "study the harbour" in text
    assert "The harbour is noted." not in text


def test_a_further_step_is_read_by_the_next_search(db: apsw.Connection) -> None:
    number, summary = put(db, SAIL[:3]), Summary(db)
    assert "dinghy" not in told(ask(summary, "dinghy", within(number)))
    with db:
        append_step(db, number, SAIL[3])
    assert "study the dinghy" in told(ask(summary, "dinghy", within(number)))


def test_an_empty_scope_and_an_empty_run_say_nothing(db: apsw.Connection) -> None:
    summary = Summary(db)
    assert ask(summary, "anything", within()).notes == ()
    assert ask(summary, "anything", within(put(db, []))).notes == ()


def test_many_trajectories_share_the_space(db: apsw.Connection) -> None:
    numbers = [put(db, SAIL, name=f"run{n}") for n in range(20)]
    ranking = ask(Summary(db), "gull", within(*numbers))
    assert sum(len(note.text) for note in ranking.notes) < 4 * Summary(db).tokens
    assert "16 of 20" in ranking.comment
    assert ranking.coverage == 16 / 20


def test_the_overview_is_the_same_for_every_question(db: apsw.Connection) -> None:
    number, summary = put(db, SAIL), Summary(db)
    one, other = (ask(summary, topic, within(number)).notes for topic in ("gull", "anchor"))
    n = min(n for n, note in enumerate(one) if note.text.startswith("steps "))
    assert n > 2
    assert one[:n] == other[:n]
