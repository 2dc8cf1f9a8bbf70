"""Filling in vectors: portions, limits, what is done already, failures, and the thread behind."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from stepwell.errors import ModelUnavailableError, StoreError
from stepwell.memory.indexing import Filler, count_unencoded, usable_filler
from stepwell.memory.memory import Memory
from stepwell.store.database import open_database, transaction
from stepwell.store.scope import Scope
from stepwell.store.write import put_trajectory
from stepwell.structures.episodic import Episodic
from stepwell.structures.vector import Vector
from support.encoders import HashEncoder
from support.trajectories import NOW, said, trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import apsw
    import numpy as np
    from numpy.typing import NDArray


@dataclass(slots=True)
class Counting:
    """Keeps what it encodes; fails at the texts that hold a word, if one is given."""

    encoder_id: str = "counting"
    dimension: int = 32
    fails_on: str = ""
    seen: list[str] = field(default_factory=list[str])

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.fails_on and any(self.fails_on in text for text in texts):
            raise ModelUnavailableError("The service is down.", hint="Try again.")
        self.seen += texts
        return HashEncoder().encode(texts)


@pytest.fixture
def db() -> Iterator[apsw.Connection]:
    connection = open_database(None)
    yield connection
    connection.close()


def put(db: apsw.Connection, n: int, *, name: str = "run", word: str = "crate") -> None:
    with transaction(db):
        steps = [said(at, f"{word} {at}") for at in range(n)]
        written = put_trajectory(db, trajectory(steps, name=name), scope=Scope(), now=NOW)
        Episodic(db).append(written.rowids, written.passages)


def filler(db: apsw.Connection, encoder: Counting) -> Filler:
    return Filler(db=db, vector=Vector(db, encoder=encoder), scope=Scope(), lock=threading.RLock())


def missing(db: apsw.Connection, one: Filler) -> int:
    return count_unencoded(db, (one.vector.encoder.encoder_id, one.vector.number), Scope())


def test_an_empty_store_needs_nothing(db: apsw.Connection) -> None:
    one = filler(db, Counting())
    assert (one.fill(), missing(db, one)) == (0, 0)


def test_portions_are_of_thirty_two_and_progress_says_each(db: apsw.Connection) -> None:
    put(db, 70)
    one, portions = filler(db, Counting()), list[int]()
    assert missing(db, one) == 70
    assert one.fill(progress=portions.append) == 70
    assert portions == [32, 32, 6]
    assert missing(db, one) == 0


def test_filling_again_encodes_nothing(db: apsw.Connection) -> None:
    put(db, 5)
    encoder, portions = Counting(), list[int]()
    one = filler(db, encoder)
    one.fill()
    assert one.fill(progress=portions.append) == 0
    assert portions == []
    assert len(encoder.seen) == 5


@pytest.mark.parametrize(("limit", "portions"), [(0, []), (1, [1]), (32, [32]), (33, [32, 1])])
def test_a_limit_is_kept_exactly(db: apsw.Connection, limit: int, portions: list[int]) -> None:
    put(db, 40)
    one, seen = filler(db, Counting()), list[int]()
    assert one.fill(limit=limit, progress=seen.append) == limit
    assert seen == portions
    assert missing(db, one) == 40 - limit


def test_a_limit_beyond_what_there_is_fills_all(db: apsw.Connection) -> None:
    put(db, 4)
    assert filler(db, Counting()).fill(limit=9) == 4


def test_a_text_that_is_known_is_not_encoded_again(db: apsw.Connection) -> None:
    encoder = Counting()
    put(db, 3)
    one = filler(db, encoder)
    one.fill()
    put(db, 3, name="again")
    assert one.fill() == 3
    assert len(encoder.seen) == 3
    assert missing(db, one) == 0


def test_each_encoder_has_vectors_of_its_own(db: apsw.Connection) -> None:
    put(db, 3)
    first, second = filler(db, Counting()), filler(db, Counting(encoder_id="second"))
    first.fill()
    assert (missing(db, first), missing(db, second)) == (0, 3)
    assert second.fill() == 3


def test_without_an_encoder_nothing_counts_as_missing(db: apsw.Connection) -> None:
    put(db, 3)
    assert count_unencoded(db, None, Scope()) == 0


def test_a_failure_keeps_the_portions_before_it(db: apsw.Connection) -> None:
    put(db, 32)
    put(db, 3, name="bad", word="poison")
    one = filler(db, Counting(fails_on="poison"))
    with pytest.raises(ModelUnavailableError, match=r"The service is down. Try again."):
        one.fill()
    assert missing(db, one) == 3
    assert one.failure is None  # it was the caller's, who knows
    assert filler(db, Counting()).fill() == 3


def test_a_filler_that_is_stopped_fills_no_more(db: apsw.Connection) -> None:
    put(db, 3)
    one = filler(db, Counting())
    one.stop()
    assert (one.fill(), missing(db, one)) == (0, 3)


def test_stopping_between_portions_leaves_the_rest_for_the_next_time(db: apsw.Connection) -> None:
    put(db, 40)
    one = filler(db, Counting())
    assert one.fill(progress=lambda _: one.stop()) == 32
    assert missing(db, one) == 8


def test_the_thread_behind_fills_what_it_is_woken_for(db: apsw.Connection) -> None:
    put(db, 3)
    encoded = threading.Event()
    encoder = Counting()
    one = filler(db, encoder)
    db.trace_v2(0x02, lambda _: encoded.set() if len(encoder.seen) == 3 else None)
    one.wake()
    one.wake()  # one thread, however often
    assert encoded.wait(60)
    names = [thread.name for thread in threading.enumerate()]
    assert names.count("stepwell-vectors") == 1
    one.stop()
    assert missing(db, one) == 0
    assert "stepwell-vectors" not in [thread.name for thread in threading.enumerate()]


def test_the_thread_behind_keeps_its_failure_and_ends(db: apsw.Connection) -> None:
    put(db, 3, word="poison")
    one = filler(db, Counting(fails_on="poison"))
    one.wake()
    assert one._thread is not None
    one._thread.join(60)
    assert str(one.failure) == "The service is down. Try again."
    assert missing(db, one) == 3
    one.stop()


def test_a_filler_that_is_there_is_returned(db: apsw.Connection) -> None:
    one = filler(db, Counting())
    assert usable_filler(one, why_not="") is one


def test_none_is_an_error_that_says_why_not() -> None:
    with pytest.raises(ModelUnavailableError) as caught:
        usable_filler(None, why_not="this memory was opened with encoder=None.")
    assert str(caught.value) == (
        "There is no encoder to index with. this memory was opened with encoder=None."
    )


def test_a_memory_says_what_was_not_indexed_and_goes_on_where_it_ended(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Memory(path, encoder=None) as memory:
        for number in range(5):
            memory.add(f"crate {number}")
        assert memory.unindexed() == 0  # nothing could have a vector
    for left in (3, 1, 0):
        with Memory(path, encoder=Counting()) as memory:
            memory.index(limit=2)
            assert memory.unindexed() == left


def test_a_memory_that_is_closed_indexes_nothing() -> None:
    memory = Memory(encoder=Counting())
    memory.close()
    with pytest.raises(StoreError, match="closed"):
        memory.index()
    with pytest.raises(StoreError, match="closed"):
        memory.unindexed()
