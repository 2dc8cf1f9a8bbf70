"""The vector structure: what it encodes, keeps and compares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stepwell.store.database import open_database
from stepwell.store.read import entries
from stepwell.store.rowids import step_of
from stepwell.store.scope import Scope
from stepwell.store.write import put_trajectory
from stepwell.structures.base import Query
from stepwell.structures.vector import Vector, top, vector_text
from stepwell.trajectory.passages import Passage
from support.encoders import HashEncoder
from support.structure_conformance import ask, everything, same
from support.trajectories import NOW, said, trajectory

if TYPE_CHECKING:
    import apsw
    import pytest

    from stepwell.store.read import Entry
    from stepwell.store.write import Written
    from stepwell.trajectory.model import Step


def store(db: apsw.Connection, steps: list[Step], name: str = "run") -> Written:
    return put_trajectory(db, trajectory(steps, name=name), scope=Scope(), now=NOW)


def test_a_scan_over_many_vectors_finds_what_the_exact_scan_finds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    db = open_database(None)
    vector = Vector(db, HashEncoder())
    with db:
        for number in range(30):
            steps = [said(i, f"topic{(i * number) % 17} word{i % 5} run{number}") for i in range(8)]
            written = store(db, steps, f"run{number}")
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
    same(before, ask(old, "walrus", everything(db)))
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


def entry_of(db: apsw.Connection) -> Entry:
    (entry,) = entries(db, Scope())
    return entry


def test_a_step_s_vector_is_the_mean_of_its_passages_at_length_one() -> None:
    db = open_database(None)
    vector = Vector(db, HashEncoder())
    steps = [said(0, "kelp"), said(1, ""), said(2, "gulls and kelp " * 300)]
    with db:
        written = store(db, steps)
        vector.append(written.rowids, written.passages)
    found = vector.step_vectors(entry_of(db))
    assert found is not None
    assert found.shape == (3, 32)
    texts = [vector_text(passage) for passage in written.passages]
    rows = HashEncoder().encode(texts)
    last = rows[[step_of(row) == 2 for row in written.rowids]]
    assert len(last) > 1
    mean = last.mean(axis=0)
    assert np.allclose(found[2], mean / np.linalg.norm(mean), atol=2e-3)
    assert np.allclose(found[0], rows[0], atol=2e-3)
    assert not found[1].any()
    assert vector.step_vectors(entry_of(db)) is found
    db.close()


def test_steps_have_no_vectors_until_every_passage_is_encoded() -> None:
    db = open_database(None)
    vector = Vector(db, HashEncoder())
    with db:
        written = store(db, [said(0, "kelp"), said(1, "gulls")])
        vector.append(written.rowids[:1], written.passages[:1])
    assert vector.step_vectors(entry_of(db)) is None
    with db:
        vector.append(written.rowids[1:], written.passages[1:])
    assert vector.step_vectors(entry_of(db)) is not None
    db.close()


def test_a_run_without_steps_has_no_vectors() -> None:
    db = open_database(None)
    with db:
        store(db, [])
    assert Vector(db, HashEncoder()).step_vectors(entry_of(db)) is None
    db.close()


def test_a_question_without_a_vector_finds_nothing_and_says_how_much_is_encoded() -> None:
    db = open_database(None)
    vector = Vector(db, HashEncoder())
    with db:
        written = store(db, [said(0, "kelp"), said(1, "gulls")])
        vector.append(written.rowids[:1], written.passages[:1])
    query = Query(text="kelp", terms=("kelp",))
    ranking = vector.search(query, within=everything(db), limit=5)
    assert (len(ranking.rowids), ranking.coverage, ranking.deviation) == (0, 0.0, 1.0)
    found = ask(vector, "kelp", everything(db))
    assert (len(found.rowids), found.coverage, found.is_sparse) == (1, 0.5, False)
    db.close()


def test_moments_are_over_all_that_was_compared() -> None:
    db = open_database(None)
    vector = Vector(db, HashEncoder())
    with db:
        written = store(db, [said(n, f"kelp {n}") for n in range(9)])
        vector.append(written.rowids, written.passages)
    whole, one = (ask(vector, "kelp 3", everything(db), limit) for limit in (9, 1))
    assert np.isclose(whole.mean, whole.scores.mean())
    assert np.isclose(whole.deviation, whole.scores.std())
    assert (one.mean, one.deviation) == (whole.mean, whole.deviation)
    assert one.rowids.tolist() == whole.rowids.tolist()[:1]
    db.close()


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=300), st.integers(1, 40))
def test_the_best_scores_are_among_those_picked(values: list[int], n: int) -> None:
    scores = np.array(values, dtype=np.float32)
    picked = top(scores, n)
    assert len(set(picked.tolist())) == len(picked)
    best = np.sort(scores)[::-1][:n]
    assert np.array_equal(np.sort(scores[picked])[::-1][:n], best)
    at_least = np.flatnonzero(scores >= best[-1])
    assert len(picked) <= max(2 * n, len(at_least))


def test_passages_are_encoded_with_their_tool_or_actor() -> None:
    passage = Passage(
        step=0, part="message", label="user", first_line=1, first_column=1, text="kelp"
    )
    assert vector_text(passage) == "user: kelp"
