"""Every structure: appending in any portions gives the index that building from nothing gives."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.store.database import open_database
from stepwell.store.rowids import number_of, span
from stepwell.store.scope import Scope
from stepwell.store.write import put_trajectory
from stepwell.structures.base import Query, Within
from stepwell.structures.episodic import Episodic
from stepwell.structures.graph.index import Graph
from stepwell.structures.summary.index import Summary
from stepwell.structures.temporal.index import Temporal
from stepwell.structures.vector import Vector
from stepwell.text.search import query_tokens
from support.encoders import HashEncoder
from support.trajectories import NOW, said, step_lists, trajectory, turn

if TYPE_CHECKING:
    from collections.abc import Callable

    import apsw

    from stepwell.store.write import Written
    from stepwell.structures.base import Ranking, Structure
    from stepwell.trajectory.model import Step

RANKERS = ["episodic", "vector"]
"""Structures that rank passages by any word of a question."""

NAMES = [*RANKERS, "temporal", "graph", "summary"]


def structure(name: str, db: apsw.Connection) -> Structure:
    made: dict[str, Callable[[], Structure]] = {
        "episodic": lambda: Episodic(db),
        "vector": lambda: Vector(db, HashEncoder()),
        "temporal": lambda: Temporal(db),
        "graph": lambda: Graph(db),
        "summary": lambda: Summary(db),
    }
    return made[name]()


def store(db: apsw.Connection, steps: list[Step], name: str = "run") -> Written:
    return put_trajectory(db, trajectory(steps, name=name), scope=Scope(), now=NOW)


def ask(what: Structure, question: str, within: Within, limit: int = 50) -> Ranking:
    vector = HashEncoder().encode([question])[0]
    query = Query(text=question, terms=tuple(query_tokens(question)), vector=vector)
    return what.search(query, within=within, limit=limit)


def everything(db: apsw.Connection) -> Within:
    (n,) = db.execute("SELECT count(*) FROM passages").fetchone() or (0,)
    spans = tuple(span(number) for (number,) in db.execute("SELECT no FROM trajectories"))
    return Within(spans=spans, n_passages=n, is_all=True)


def same(one: Ranking, other: Ranking) -> bool:
    return (
        one.rowids.tolist() == other.rowids.tolist()
        and np.allclose(one.scores, other.scores)
        and np.allclose([one.mean, one.deviation], [other.mean, other.deviation])
        and one.coverage == other.coverage
        and one.notes == other.notes
    )


@pytest.mark.parametrize("name", NAMES)
@given(steps=step_lists(), cuts=st.lists(st.integers(0, 30), max_size=3), question=st.text())
@settings(max_examples=30, deadline=None)
def test_incremental_equals_rebuilt(
    name: str, steps: list[Step], cuts: list[int], question: str
) -> None:
    db = open_database(None)
    what = structure(name, db)
    with db:
        written = store(db, steps)
        edges = [0, *sorted(min(cut, len(written.passages)) for cut in cuts), len(written.passages)]
        for start, end in pairwise(edges):
            what.append(written.rowids[start:end], written.passages[start:end])
    asked = question or " ".join(step.message for step in steps)
    appended = ask(what, asked, everything(db))
    assert appended.traits == what.traits
    assert same(appended, ask(structure(name, db), asked, everything(db)))
    anew = open_database(None)
    with anew:
        again = store(anew, steps)
        structure(name, anew).append(again.rowids, again.passages)
    assert same(appended, ask(structure(name, anew), asked, everything(anew)))
    anew.close()
    db.close()


@pytest.mark.parametrize("name", RANKERS)
def test_search_stays_within_its_spans_and_limit(name: str) -> None:
    db = open_database(None)
    what = structure(name, db)
    with db:
        for number in range(40):
            steps = [said(i, f"the walrus {number} sings line {i}") for i in range(5)]
            written = store(db, steps, name=f"run{number}")
            what.append(written.rowids, written.passages)
    one = ask(what, "walrus", Within(spans=(span(7),), n_passages=5))
    assert {number_of(row) for row in one.rowids.tolist()} == {7}
    assert one.coverage == 1.0
    early = ask(what, "walrus", Within(spans=(span(7, end=2),), n_passages=2))
    assert len(early.rowids) == 2
    many = tuple(span(number) for number in range(1, 40))
    wide = ask(what, "walrus", Within(spans=many, n_passages=195), limit=500)
    assert {number_of(row) for row in wide.rowids.tolist()} == set(range(1, 40))
    limited = ask(what, "walrus sings", everything(db), limit=3)
    assert len(limited.rowids) == 3
    assert limited.scores.tolist() == sorted(limited.scores.tolist(), reverse=True)
    db.close()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("question", ["", "???", '"unbalanced (NEAR* ^ -', "\x00", "the of and"])
def test_any_question_is_answered(name: str, question: str) -> None:
    db = open_database(None)
    what = structure(name, db)
    with db:
        written = store(db, [turn(0, "ls -la", "total 0")])
        what.append(written.rowids, written.passages)
    assert len(ask(what, question, everything(db)).rowids) <= 2
    db.close()


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_store_answers_with_nothing(name: str) -> None:
    db = open_database(None)
    with db:
        what = structure(name, db)
        ranking = ask(what, "anything", Within(spans=(), n_passages=0, is_all=True))
    assert (len(ranking.rowids), ranking.coverage) == (0, 1.0)
    db.close()


def test_a_scan_over_many_vectors_finds_what_the_exact_scan_finds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    db = open_database(None)
    vector = Vector(db, HashEncoder())
    with db:
        for number in range(30):
            steps = [said(i, f"topic{(i * number) % 17} word{i % 5} run{number}") for i in range(8)]
            written = store(db, steps, name=f"run{number}")
            vector.append(written.rowids, written.passages)
    exact = ask(vector, "topic3 word1", everything(db), limit=10)
    monkeypatch.setattr("stepwell.structures.vector._EXACT_UP_TO", 10)
    scanned = ask(Vector(db, HashEncoder()), "topic3 word1", everything(db), limit=10)
    assert scanned.rowids.tolist() == exact.rowids.tolist()
    assert np.allclose(scanned.scores, exact.scores)
    db.close()


def test_vectors_of_another_encoder_are_kept_and_never_compared() -> None:
    db = open_database(None)
    old, new = Vector(db, HashEncoder()), Vector(db, HashEncoder(encoder_id="other", dimension=8))
    with db:
        written = store(db, [said(0, "walrus")])
        old.append(written.rowids, written.passages)
        before = ask(old, "walrus", everything(db))
        query = Query(text="walrus", terms=("walrus",), vector=new.encoder.encode(["walrus"])[0])
        assert new.search(query, within=everything(db), limit=5).coverage == 0.0
        new.append(written.rowids, written.passages)
    assert new.search(query, within=everything(db), limit=5).coverage == 1.0
    assert same(before, ask(old, "walrus", everything(db)))
    db.close()


def test_equal_texts_are_encoded_once() -> None:
    asked: list[str] = []

    class Counting(HashEncoder):
        def encode(self, texts):  # type: ignore[no-untyped-def]
            asked.extend(texts)
            return super().encode(texts)

    db = open_database(None)
    vector = Vector(db, Counting())
    with db:
        written = store(db, [said(i, "same words") for i in range(5)])
        vector.append(written.rowids[:3], written.passages[:3])
        vector.append(written.rowids[3:], written.passages[3:])
    assert asked == ["user: same words"]
    db.close()
