"""The summary structure: what it says of a run, by whom, and what it may see."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from stepwell.errors import InvalidInputError, ModelUnavailableError
from stepwell.store.database import open_database, transaction
from stepwell.store.rowids import rowid, span
from stepwell.store.scope import Scope
from stepwell.store.write import append_step, put_trajectory, update_step
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


class Scribe:
    """A model that says of what it wrote, and how often it was asked; it may be out."""

    def __init__(self, *, says: str = "summary {n}", is_out: bool = False) -> None:
        self.asked: list[str] = []
        self.says = says
        self.is_out = is_out

    def __call__(self, text: str) -> str:
        if self.is_out:
            raise ModelUnavailableError("The scribe is out.")
        self.asked.append(text)
        return self.says.format(n=len(self.asked))


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


def test_a_model_summarises_closed_chunks_once(db: apsw.Connection) -> None:
    number, scribe = put(db, SAIL), Scribe()
    Summary(db, summarise=scribe, model="scribe").build(number)
    assert len(scribe.asked) == len(SAIL) - 1
    assert scribe.asked[0].startswith("[s0.c1 bash]\ncommand: study the anchor")
    again = Summary(db, summarise=scribe, model="scribe")
    again.build(number)
    assert len(scribe.asked) == len(SAIL) - 1
    ranking = ask(again, "compass", within(number))
    assert "summary 3" in told(ranking)
    assert "by scribe" in ranking.comment


def test_what_another_model_wrote_is_not_told(db: apsw.Connection) -> None:
    number = put(db, SAIL)
    Summary(db, summarise=Scribe(), model="scribe").build(number)
    ranking = ask(Summary(db, summarise=Scribe(), model="clerk"), "compass", within(number))
    assert "summary" not in told(ranking)
    assert ranking.comment == "extractive: clerk has summarised none of the chunks told"
    assert ask(Summary(db), "compass", within(number)).comment == "extractive"


def test_a_model_that_is_out_fails_a_build_and_no_search(db: apsw.Connection) -> None:
    number = put(db, SAIL)
    summary = Summary(db, summarise=Scribe(is_out=True), model="scribe")
    with pytest.raises(ModelUnavailableError, match="out"):
        summary.build(number)
    ranking = ask(summary, "compass", within(number))
    assert "study the compass" in told(ranking)
    assert ranking.comment.startswith("extractive: scribe")


def test_an_empty_summary_is_an_error(db: apsw.Connection) -> None:
    summary = Summary(db, summarise=Scribe(says=" "), model="scribe")
    with pytest.raises(ModelUnavailableError, match="empty summary of steps 0 to 0"):
        summary.build(put(db, SAIL))


def test_a_model_read_more_of_a_chunk_than_may_be_seen(db: apsw.Connection) -> None:
    number = put(db, SAIL)
    summary = Summary(db, summarise=Scribe(says="spoiler"), model="scribe")
    summary.build(number)
    hidden = frozenset({rowid(number, 2) >> 16})
    assert "spoiler" in told(ask(summary, "compass", within(number)))
    seen = ask(summary, "study", within(number, end=3, hidden=hidden))
    assert "spoiler" not in "\n".join(note.text for note in seen.notes if note.steps == (2,))


def test_a_changed_chunk_is_summarised_again(db: apsw.Connection) -> None:
    waiting = replace(SAIL[6], results=())
    number, scribe = put(db, [*SAIL[:6], waiting, SAIL[7]]), Scribe()
    summary = Summary(db, summarise=scribe, model="scribe")
    summary.build(number)
    assert "study the gull" in scribe.asked[-1]
    with transaction(db):
        update_step(db, number, SAIL[6], known=waiting)
    assert "summary" not in told(ask(summary, "gull", within(number, end=7)))
    n = len(scribe.asked)
    summary.build(number)
    assert len(scribe.asked) == n + 2


def test_what_could_not_be_stored_is_stored_later(db: apsw.Connection) -> None:
    number, scribe = put(db, SAIL), Scribe()
    summary = Summary(db, summarise=scribe, model="scribe")
    with db:
        summary.build(number)
    assert "summary" not in told(
        ask(Summary(db, summarise=scribe, model="scribe"), "compass", within(number))
    )
    summary.save()
    assert "summary 3" in told(
        ask(Summary(db, summarise=scribe, model="scribe"), "compass", within(number))
    )


def test_a_model_needs_its_name(db: apsw.Connection) -> None:
    with pytest.raises(InvalidInputError, match="its name"):
        Summary(db, summarise=Scribe())
    with pytest.raises(InvalidInputError, match="its name"):
        Summary(db, model="scribe")


def test_the_overview_is_the_same_for_every_question(db: apsw.Connection) -> None:
    number, summary = put(db, SAIL), Summary(db)
    one, other = (ask(summary, topic, within(number)).notes for topic in ("gull", "anchor"))
    n = min(n for n, note in enumerate(one) if note.text.startswith("steps "))
    assert n > 2
    assert one[:n] == other[:n]
