"""Matrices of vectors: read once, read again after a change, and the axes of a quick scan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.store.database import open_database, transaction
from stepwell.store.scope import Scope
from stepwell.store.write import append_step, put_trajectory
from stepwell.structures import matrices as module
from stepwell.structures.matrices import Matrices, principal_axes
from stepwell.structures.vector import Vector
from support.encoders import HashEncoder
from support.trajectories import NOW, said, trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import apsw


@pytest.fixture
def db() -> Iterator[apsw.Connection]:
    connection = open_database(None)
    yield connection
    connection.close()


def put(db: apsw.Connection, n: int, name: str = "run") -> int:
    vector = Vector(db, HashEncoder())
    with transaction(db):
        steps = [said(at, f"kelp {at} of {name}") for at in range(n)]
        written = put_trajectory(db, trajectory(steps, name=name), scope=Scope(), now=NOW)
        vector.append(written.rowids, written.passages)
    return written.number


def matrices(db: apsw.Connection) -> Matrices:
    return Vector(db, HashEncoder()).matrices


def test_a_matrix_holds_a_unit_vector_for_each_passage(db: apsw.Connection) -> None:
    number = put(db, 4)
    found = matrices(db)
    state = found.states()[number]
    matrix = found.full(state)
    assert (state.n_vectors, matrix.vectors.shape) == (4, (4, 32))
    assert matrix.ids.tolist() == sorted(matrix.ids.tolist())
    assert np.linalg.norm(matrix.vectors, axis=1) == pytest.approx(np.ones(4), abs=1e-3)


def test_a_matrix_is_read_once_until_its_trajectory_changes(db: apsw.Connection) -> None:
    number, other = put(db, 4), put(db, 3, "other")
    found = matrices(db)
    first, beside = (found.full(found.states()[no]) for no in (number, other))
    assert found.full(found.states()[number]) is first
    with transaction(db):
        written = append_step(db, number, said(4, "one more"))
        Vector(db, HashEncoder()).append(written.rowids, written.passages)
    assert len(found.full(found.states()[number]).ids) == 5
    assert found.full(found.states()[other]) is beside


def test_changes_of_another_process_are_seen(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    db, other = open_database(path), open_database(path)
    number = put(db, 2)
    found = matrices(db)
    assert found.states()[number].n_vectors == 2
    added = put(other, 5, "other")
    assert found.states()[added].n_vectors == 5
    db.close()
    other.close()


def test_the_oldest_matrices_make_room_but_the_one_in_use_stays(
    db: apsw.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = [put(db, 4, f"run{n}") for n in range(3)]
    monkeypatch.setattr(module, "_CACHE_BYTES", 2 * 4 * 32 * 4)
    found = matrices(db)
    states = found.states()
    one, two = (found.full(states[no]) for no in numbers[:2])
    assert found.full(states[numbers[0]]) is one
    found.full(states[numbers[2]])
    assert found.full(states[numbers[0]]) is one
    assert found.full(states[numbers[1]]) is not two
    monkeypatch.setattr(module, "_CACHE_BYTES", 0)
    assert len(found.full(states[numbers[1]]).ids) == 4


def test_principal_axes_are_orthonormal_and_keep_what_varies_most() -> None:
    rng = np.random.default_rng(1)
    vectors = (rng.normal(size=(200, 6)) * [9, 1, 5, 0.1, 3, 0.01]).astype(np.float32)
    axes = principal_axes(vectors, n=3)
    assert axes.shape == (6, 3)
    assert axes.T @ axes == pytest.approx(np.eye(3), abs=1e-4)
    assert np.abs(axes).argmax(axis=0).tolist() == [0, 2, 4]


def test_all_axes_keep_every_product(db: apsw.Connection) -> None:
    numbers = [put(db, 5, f"run{n}") for n in range(3)]
    found = matrices(db)
    states = [found.states()[no] for no in numbers]
    query = HashEncoder().encode(["kelp 3"])[0]
    exact = np.concatenate([found.full(state).vectors @ query for state in states])
    assert found.shortened(states, query) == pytest.approx(exact, abs=1e-4)
    assert found.shortened(states[1:2], query) == pytest.approx(exact[5:10], abs=1e-4)


def test_axes_are_made_anew_when_there_is_twice_as_much(db: apsw.Connection) -> None:
    put(db, 3)
    found = matrices(db)
    query = HashEncoder().encode(["kelp"])[0]

    def axes() -> object:
        found.shortened(list(found.states().values()), query)
        return found._axes

    first = axes()
    put(db, 3, "as many again")
    assert axes() is first
    put(db, 1, "one more")
    assert axes() is not first
