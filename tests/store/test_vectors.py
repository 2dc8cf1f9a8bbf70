"""Vectors of passages: found again by text, counted by trajectory, gone with their passages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.errors import StoreError
from stepwell.store.blanks import forget_steps
from stepwell.store.database import transaction
from stepwell.store.rowids import span
from stepwell.store.scope import Scope
from stepwell.store.vectors import (
    drop_vectors,
    encoder_number,
    known_vectors,
    load_vectors,
    recount,
    save_vectors,
    stored_form,
    text_hash,
    unencoded_passages,
    vector_states,
)
from support.stores import stored
from support.trajectories import said, trajectory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.store.database import Database
    from stepwell.store.write import Written


def run(db: Database, name: str = "run", n: int = 4) -> Written:
    return stored(db, trajectory([said(i, f"{name} {i}") for i in range(n)], name=name))


def encode(db: Database, encoder: int, rows: Sequence[int]) -> int:
    made = [
        (row, text_hash(f"text {row}"), np.array([place, -place], dtype="<f2").tobytes())
        for place, row in enumerate(rows, start=1)
    ]
    with transaction(db):
        return save_vectors(db, encoder, made)


@pytest.fixture
def encoder(db: Database) -> int:
    return encoder_number(db, "toy", dimension=2)


def test_a_text_has_one_hash_of_sixteen_bytes_even_when_it_is_no_unicode() -> None:
    assert len(text_hash("")) == 16
    assert text_hash("a") == text_hash("a") != text_hash("A")
    assert text_hash("\ud800") == text_hash("?")


def test_an_encoder_keeps_its_number_and_its_dimension(db: Database, encoder: int) -> None:
    assert encoder_number(db, "toy", dimension=2) == encoder
    assert encoder_number(db, "other", dimension=3) != encoder
    with pytest.raises(StoreError, match=r"'toy' in this store have 2 dim.*gives 3\.") as caught:
        encoder_number(db, "toy", dimension=3)
    assert "another encoder_id" in str(caught.value.hint)


def test_vectors_come_back_in_row_order_as_float32(db: Database, encoder: int) -> None:
    written = run(db)
    assert encode(db, encoder, written.rowids[::-1]) == 4
    ids, vectors = load_vectors(db, encoder, written.number, dimension=2)
    assert ids.tolist() == list(written.rowids)
    assert ids.dtype == np.int64
    assert vectors.dtype == np.float32
    assert vectors.tolist() == [[4.0, -4.0], [3.0, -3.0], [2.0, -2.0], [1.0, -1.0]]


def test_without_vectors_there_are_none(db: Database, encoder: int) -> None:
    ids, vectors = load_vectors(db, encoder, run(db).number, dimension=2)
    assert (ids.shape, vectors.shape) == ((0,), (0, 2))
    assert vector_states(db, encoder) == []


def test_the_stored_form_is_half_precision_row_by_row() -> None:
    vectors = np.array([[1.0, 0.5], [1 / 3, -2.0]], dtype=np.float32)
    assert stored_form(vectors) == [row.astype("<f2").tobytes() for row in vectors]
    assert [len(row) for row in stored_form(vectors)] == [4, 4]


def test_the_vector_of_an_equal_text_is_found_per_encoder(db: Database, encoder: int) -> None:
    row = run(db).rowids[1]
    encode(db, encoder, [row])
    wanted = [text_hash(f"text {row}"), text_hash("never seen")]
    assert known_vectors(db, encoder, Scope(), wanted) == {
        wanted[0]: np.array([1, -1], dtype="<f2").tobytes()
    }
    other = encoder_number(db, "other", dimension=2)
    assert known_vectors(db, other, Scope(), wanted) == {}
    assert known_vectors(db, encoder, Scope(), []) == {}


def test_a_passage_that_is_gone_gets_no_vector(db: Database, encoder: int) -> None:
    written = run(db)
    with transaction(db):
        forget_steps(db, written.number, {2, 3})
    assert encode(db, encoder, written.rowids) == 2
    ids, _ = load_vectors(db, encoder, written.number, dimension=2)
    assert ids.tolist() == list(written.rowids[:2])


def test_a_state_counts_vectors_and_changes_with_them(db: Database, encoder: int) -> None:
    written = run(db)
    encode(db, encoder, written.rowids[:3])
    (before,) = vector_states(db, encoder)
    assert (before.number, before.n_vectors) == (written.number, 3)
    encode(db, encoder, written.rowids[:1])  # the same again
    (after,) = vector_states(db, encoder)
    assert (after.n_vectors, after.version) == (3, before.version + 1)
    with transaction(db):
        forget_steps(db, written.number, {1, 2, 3})
    (cut,) = vector_states(db, encoder)
    assert (cut.n_vectors, cut.version) == (1, after.version + 1)


def test_recounting_one_encoder_leaves_the_others(db: Database, encoder: int) -> None:
    written = run(db)
    other = encoder_number(db, "other", dimension=2)
    encode(db, encoder, written.rowids)
    encode(db, other, written.rowids)
    (before,) = vector_states(db, other)
    recount(db, written.number, encoder=encoder)
    assert vector_states(db, other) == [before]
    recount(db, written.number)
    (after,) = vector_states(db, other)
    assert after.version == before.version + 1


def test_what_has_no_vector_is_found_in_order_and_in_parts(db: Database, encoder: int) -> None:
    one, two = run(db, "one", 3), run(db, "two", 3)
    rows = [*one.rowids, *two.rowids]
    encode(db, encoder, [rows[1]])
    missing = [row for row in rows if row != rows[1]]

    def found(after: int = -1, limit: int = 99) -> list[int]:
        return [
            row for row, _ in unencoded_passages(db, encoder, Scope(), after=after, limit=limit)
        ]

    assert found() == missing
    assert found(limit=1) == missing[:1]
    assert found(limit=3) == missing[:3]
    assert found(after=missing[0]) == missing[1:]
    assert found(after=missing[2], limit=1) == missing[3:4]
    assert found(after=missing[-1]) == []
    texts = [passage.text for _, passage in unencoded_passages(db, encoder, Scope(), limit=2)]
    assert texts == ["one 0", "one 2"]


def test_a_trajectory_with_all_its_vectors_is_not_looked_through(
    db: Database, encoder: int
) -> None:
    one, two = run(db, "one", 2), run(db, "two", 2)
    encode(db, encoder, one.rowids)
    found = unencoded_passages(db, encoder, Scope(), limit=9)
    assert [row for row, _ in found] == list(two.rowids)


def test_dropping_keeps_one_encoder_and_tells_caches(db: Database, encoder: int) -> None:
    one, two = run(db, "one", 2), run(db, "two", 3)
    other = encoder_number(db, "other", dimension=2)
    for which in (encoder, other):
        encode(db, which, [*one.rowids, *two.rowids])
    assert drop_vectors(db, Scope(), keep=encoder) == 5
    assert [state.n_vectors for state in vector_states(db, encoder)] == [2, 3]
    assert vector_states(db, other) == []
    ids, _ = load_vectors(db, other, two.number, dimension=2)
    assert len(ids) == 0
    versions = "SELECT DISTINCT version FROM vector_states WHERE encoder = ?"
    assert db.execute(versions, (other,)).fetchall() == [(2,)]
    assert db.execute(versions, (encoder,)).fetchall() == [(1,)]
    assert drop_vectors(db, Scope(), keep=encoder) == 0


def test_vectors_of_neighbouring_trajectories_stay_apart(db: Database, encoder: int) -> None:
    one, two = run(db, "one", 2), run(db, "two", 2)
    encode(db, encoder, [*one.rowids, *two.rowids])
    ids, _ = load_vectors(db, encoder, one.number, dimension=2)
    first, last = span(one.number)
    assert [first <= row <= last for row in ids.tolist()] == [True, True]
