"""In a wide scope the words search looks at fewer passages and still finds the one that matters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stepwell.store.database import open_database
from stepwell.store.rowids import number_of, span, step_of
from stepwell.store.scope import Scope
from stepwell.store.write import put_trajectory
from stepwell.structures.base import Query, Within
from stepwell.structures.episodic import Episodic, candidate_expression
from stepwell.text.search import query_tokens
from support.trajectories import NOW, said, trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw

N_RUNS, N_STEPS = 40, 30


@pytest.fixture
def db(monkeypatch: pytest.MonkeyPatch) -> Iterator[apsw.Connection]:
    monkeypatch.setattr("stepwell.structures.episodic._LARGE", 0)
    monkeypatch.setattr("stepwell.structures.episodic._WIDE", 100)
    monkeypatch.setattr("stepwell.structures.episodic._POSTINGS", 20)
    connection = open_database(None)
    episodic = Episodic(connection)
    for run in range(N_RUNS):
        texts = [f"common word{(run * 7 + i) % 11} topic{(run + i) % 5}" for i in range(N_STEPS)]
        texts[run % N_STEPS] += f" marker{run}"
        steps = [said(i, text) for i, text in enumerate(texts)]
        written = put_trajectory(
            connection, trajectory(steps, name=f"run{run}"), scope=Scope(), now=NOW
        )
        episodic.append(written.rowids, written.passages)
    yield connection
    connection.close()


def ask(db: apsw.Connection, question: str, numbers: range, *, limit: int = 10) -> list[int]:
    n = len(numbers) * N_STEPS
    within = Within(
        spans=tuple(span(number) for number in numbers),
        n_passages=n,
        is_all=len(numbers) == N_RUNS,
        share=n / (N_RUNS * N_STEPS),
    )
    query = Query(text=question, terms=tuple(query_tokens(question)))
    rows: list[int] = Episodic(db).search(query, within=within, limit=limit).rowids.tolist()
    return rows


@pytest.mark.parametrize("numbers", [range(1, N_RUNS + 1), range(1, 20), range(8, 9)])
def test_a_rare_word_is_found_in_any_scope_that_holds_it(
    db: apsw.Connection, numbers: range
) -> None:
    rows = ask(db, "common marker7 topic", numbers)
    assert (number_of(rows[0]), step_of(rows[0])) == (8, 7)
    assert {number_of(row) for row in rows} <= set(numbers)


def test_common_words_count_together(db: apsw.Connection) -> None:
    rows = ask(db, "word3 topic4", range(1, N_RUNS + 1), limit=5)
    assert rows
    for row in rows:
        run, step = number_of(row) - 1, step_of(row)
        assert ((run * 7 + step) % 11, (run + step) % 5) == (3, 4)


def test_a_word_that_stands_everywhere_is_answered_too(db: apsw.Connection) -> None:
    assert len(ask(db, "common", range(1, N_RUNS + 1))) == 10
    assert ask(db, "nowhere", range(1, N_RUNS + 1)) == []


def test_candidates_hold_a_rare_word_or_a_rare_pair() -> None:
    counts = {"a": 3, "b": 400, "c": 5000, "d": 6000, "e": 90_000}
    expression = candidate_expression(counts, n_passages=100_000)
    assert expression == '"a" OR "b" OR ("c" AND "d")'
    assert candidate_expression({"e": 90_000}, n_passages=100_000) == '"e"'
    assert candidate_expression({}, n_passages=100_000) == ""


def test_a_word_asked_for_before_it_came_is_found_once_it_is_there(db: apsw.Connection) -> None:
    episodic = Episodic(db)
    everywhere = Within(
        spans=tuple(span(number) for number in range(1, N_RUNS + 2)), n_passages=N_RUNS * N_STEPS
    )
    query = Query(text="zebra", terms=("zebra",))
    assert len(episodic.search(query, within=everywhere, limit=5).rowids) == 0
    written = put_trajectory(db, trajectory([said(0, "a zebra")], name="z"), scope=Scope(), now=NOW)
    episodic.append(written.rowids, written.passages)
    rows = episodic.search(query, within=everywhere, limit=5).rowids.tolist()
    assert rows == list(written.rowids)
