"""Filling in vectors: in portions, each told of, no further than asked, and never twice."""

from __future__ import annotations

import threading

import pytest

from stepwell.errors import ModelUnavailableError
from stepwell.memory import indexing
from stepwell.memory.indexing import Filler, count_unencoded, usable_filler
from stepwell.store.database import open_database
from stepwell.store.scope import Scope
from stepwell.structures.vector import Vector
from support.encoders import HashEncoder
from support.stores import stored
from support.trajectories import said, trajectory


@pytest.fixture
def filler(monkeypatch: pytest.MonkeyPatch) -> Filler:
    monkeypatch.setattr(indexing, "_PORTION", 3)
    db = open_database(None)
    stored(db, trajectory([said(i, f"word {i}") for i in range(8)]))
    return Filler(db=db, vector=Vector(db, HashEncoder()), scope=Scope(), lock=threading.RLock())


def missing(filler: Filler) -> int:
    return count_unencoded(filler.db, ("test-hash", filler.vector.number), Scope())


def test_all_is_filled_in_portions_and_each_is_told_of(filler: Filler) -> None:
    told: list[int] = []
    assert missing(filler) == 8
    assert filler.fill(progress=told.append) == 8
    assert (told, missing(filler)) == ([3, 3, 2], 0)
    assert filler.fill(progress=told.append) == 0
    assert told == [3, 3, 2]


def test_a_limit_is_kept_and_the_next_call_goes_on(filler: Filler) -> None:
    told: list[int] = []
    assert filler.fill(limit=4, progress=told.append) == 4
    assert (told, missing(filler)) == ([3, 1], 4)
    assert filler.fill(limit=0) == 0
    assert filler.fill(limit=9) == 4
    assert missing(filler) == 0


def test_a_stopped_filler_fills_nothing(filler: Filler) -> None:
    filler.stop()
    assert filler.fill() == 0
    assert missing(filler) == 8


def test_without_an_encoder_nothing_is_missing_and_filling_says_why() -> None:
    db = open_database(None)
    assert count_unencoded(db, None, Scope()) == 0
    with pytest.raises(ModelUnavailableError, match="no encoder to index with") as caught:
        usable_filler(None, why_not="install a model")
    assert caught.value.hint == "install a model"
    db.close()


def test_a_filler_there_is_is_usable(filler: Filler) -> None:
    assert usable_filler(filler, why_not="") is filler
