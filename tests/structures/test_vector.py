"""The vector structure: what it encodes, keeps and compares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stepwell.store.database import open_database
from stepwell.store.scope import Scope
from stepwell.store.write import put_trajectory
from stepwell.structures.base import Query
from stepwell.structures.vector import Vector
from support.encoders import HashEncoder
from support.structure_conformance import ask, everything, same
from support.trajectories import NOW, said, trajectory

if TYPE_CHECKING:
    import apsw
    import pytest

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
