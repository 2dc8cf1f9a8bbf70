"""In a wide scope the words search looks at fewer passages and still finds the one that matters."""

from __future__ import annotations

import math
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


def small(*texts: str) -> tuple[apsw.Connection, Episodic]:
    connection = open_database(None)
    episodic = Episodic(connection)
    steps = [said(n, text) for n, text in enumerate(texts)]
    written = put_trajectory(connection, trajectory(steps), scope=Scope(), now=NOW)
    episodic.append(written.rowids, written.passages)
    return connection, episodic


def ranked(episodic: Episodic, question: str, *, n: int, is_all: bool) -> list[tuple[int, float]]:
    query = Query(text=question, terms=tuple(query_tokens(question)))
    within = Within(spans=(span(1),), n_passages=n, is_all=is_all)
    found = episodic.search(query, within=within, limit=10)
    return [
        (step_of(row), score)
        for row, score in zip(found.rowids.tolist(), found.scores.tolist(), strict=True)
    ]


@pytest.mark.parametrize("is_all", [True, False])
def test_a_small_store_is_scored_by_bm25(*, is_all: bool) -> None:
    texts = ["kelp kelp gull", "kelp", "gull gull gull walrus anchor rope sail", "anchor"]
    connection, episodic = small(*texts)
    bags = [["user", *text.split()] for text in texts]
    average = sum(map(len, bags)) / len(bags)
    expected = {}
    for step, bag in enumerate(bags):
        score = 0.0
        for term in ("kelp", "walrus"):
            held = sum(term in other for other in bags)
            idf = math.log((len(bags) - held + 0.5) / (held + 0.5))
            f = bag.count(term)
            weight = f * 2.2 / (f + 1.2 * (0.25 + 0.75 * len(bag) / average))
            score += max(idf, 1e-6) * weight
        if score > 0:
            expected[step] = score
    found = ranked(episodic, "kelp or walrus", n=4, is_all=is_all)
    assert dict(found) == pytest.approx(expected, rel=1e-3, abs=1e-5)
    assert [step for step, _ in found] == sorted(expected, key=lambda s: -expected[s])
    connection.close()


def test_a_larger_store_is_scored_by_the_words_that_a_passage_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connection, episodic = small("kelp kelp gull", "kelp", "gull walrus", "anchor")
    monkeypatch.setattr("stepwell.structures.episodic._LARGE", 0)
    found = dict(ranked(episodic, "kelp walrus", n=4, is_all=True))
    two, one = math.log(1 + 2.5 / 2.5), math.log(1 + 3.5 / 1.5)
    assert found == pytest.approx({0: two, 1: two, 2: one})
    connection.close()


def test_five_hundred_passages_of_rare_words_are_looked_at_and_no_more() -> None:
    rare = {"a": 200, "b": 300, "c": 5_000}
    assert candidate_expression(rare, n_passages=10**6) == '"a" OR "b"'
    assert candidate_expression({**rare, "b": 301}, n_passages=3_000) == '"a"'
    paired = {"b": 501, "c": 998, "d": 999, "e": 1_000, "f": 1_000}
    assert candidate_expression(paired, n_passages=1_000) == '("b" AND "c")'
