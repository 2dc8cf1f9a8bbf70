"""What can be read of a damaged file is saved, and what cannot is told."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import apsw
import numpy as np
import pytest

from stepwell.errors import StoreError
from stepwell.memory.memory import Memory
from stepwell.store.health import health_of
from stepwell.store.repair import LOST, repair
from support.damaging import damaged
from support.encoders import HashEncoder

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell.trajectory.model import Trajectory

N_FILES = 20


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "m.db"
    with Memory(path, encoder=HashEncoder()) as memory:
        for at in range(40):
            turn = {"action": f"run task {at} walrus_{at % 7}", "observation": f"result {at}\nok"}
            memory.add(turn, trajectory=f"t{at % 4}")
        memory.index()
        memory.forget(steps="t3/s1")
        memory.feedback(memory.recall("which walrus?", 300).id, 1.0)
    return path


def runs(path: Path) -> dict[str, Trajectory]:
    with Memory(path, encoder=None) as memory:
        return {one.trajectory_id: memory.trajectory(one.trajectory_id) for one in
                memory.trajectories()}  # fmt: skip


def change(path: Path, statement: str) -> None:
    db = apsw.Connection(str(path))
    db.execute(statement)
    db.close()


@pytest.mark.parametrize("seed", range(N_FILES))
def test_a_repaired_file_is_intact_and_holds_nothing_that_was_not_there(
    seed: int, path: Path
) -> None:
    before = runs(path)
    spoilt = damaged(path.read_bytes(), np.random.default_rng(seed))
    path.write_bytes(spoilt)
    with contextlib.suppress(StoreError):
        done = repair(path, stamp="x")
        assert done.kept.read_bytes() == spoilt
        assert health_of(path).damage == ()
        lost = set(done.lost)
        for name, run in runs(path).items():
            for now, then in zip(run.steps, before[name].steps, strict=False):
                assert now == then or (name, now.index) in lost or now.message == LOST


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM passages",
        "DROP TABLE passages_fts",
        "DROP TABLE derived",
        "DROP INDEX vectors_by_hash",
        "DELETE FROM contents WHERE id / 65536 % 2",
        "UPDATE trajectories SET n_steps = 7, n_passages = 1",
        "UPDATE passages SET text = 'nothing'",
        "DELETE FROM vector_states",
    ],
)
def test_every_index_is_built_anew_and_no_step_is_lost(statement: str, path: Path) -> None:
    before = runs(path)
    change(path, statement)
    assert health_of(path).damage
    done = repair(path, stamp="x")
    assert (done.lost, done.n_runs, done.n_steps) == ((), 4, 40)
    assert health_of(path).damage == ()
    assert runs(path) == before
    with Memory(path, encoder=HashEncoder()) as memory:
        assert [one.reward for one in memory.recalls()] == [1.0]
        assert "task 5 " in memory.recall("task 5", 200).text


def test_vectors_of_passages_that_are_the_same_are_kept(path: Path) -> None:
    change(path, "DELETE FROM vector_states")
    repair(path, stamp="x")
    with Memory(path, encoder=HashEncoder()) as memory:
        assert memory.unindexed() == 0


def test_a_lost_step_keeps_its_place_and_says_so(path: Path) -> None:
    change(path, "UPDATE steps SET body = x'3040' WHERE id = (SELECT min(id) + 65536 FROM steps)")
    done = repair(path, stamp="x")
    assert done.lost == (("t0", 1),)
    steps = runs(path)["t0"].steps
    assert [step.index for step in steps] == list(range(10))
    assert steps[1].message == LOST
    assert health_of(path).damage == ()


def test_a_run_whose_head_is_lost_keeps_its_name_and_steps(path: Path) -> None:
    before = runs(path)["t1"]
    change(path, "UPDATE trajectories SET head = x'' WHERE trajectory_id = 't1'")
    repair(path, stamp="x")
    now = runs(path)["t1"]
    assert (now.steps, now.session_id) == (before.steps, before.session_id)


def test_what_was_forgotten_stays_so(path: Path) -> None:
    with Memory(path, encoder=None) as memory:
        memory.forget(scope={"trajectory": "t2"})
    change(path, "DELETE FROM passages")
    repair(path, stamp="x")
    assert set(runs(path)) == {"t0", "t1", "t3"}
    db = apsw.Connection(str(path))
    assert db.execute("SELECT count(*) > 0 FROM tombstones").get == 1
    db.close()


def test_what_is_no_database_cannot_be_repaired(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(b"no database " * 1000)
    with pytest.raises(StoreError) as raised:
        repair(path, stamp="x")
    assert raised.value.hint
    assert path.read_bytes() == b"no database " * 1000
