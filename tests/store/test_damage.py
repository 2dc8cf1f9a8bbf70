"""Damage is told wherever it is, and whatever it does, calls end in errors of Stepwell's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import apsw
import numpy as np
import pytest

from stepwell.errors import StepwellError
from stepwell.memory.memory import Memory
from stepwell.store.damage import damage_in, is_unit
from stepwell.store.health import health_of
from support.damaging import damaged
from support.encoders import HashEncoder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

N_FILES = 40


@pytest.fixture(scope="module")
def intact(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("intact") / "m.db"
    with Memory(path, encoder=HashEncoder()) as memory:
        for at in range(40):
            turn = {"action": f"run task {at} walrus_{at % 7}", "observation": f"result {at}\nok"}
            memory.add(turn, trajectory=f"t{at % 4}")
        memory.index()
        for question in ("which walrus?", "result 7?"):
            memory.feedback(memory.recall(question, 300).id, 1.0)
    return path.read_bytes()


def told(path: Path) -> tuple[str, ...]:
    try:
        return health_of(path).damage
    except StepwellError as error:
        return (str(error),)


def used(path: Path) -> list[str]:
    """Call what people call; every failure must be an error that says what to do."""
    try:
        memory = Memory(path, encoder=HashEncoder())
    except StepwellError as error:
        return [f"error: {error.hint or pytest.fail('it has to say what to do')}"]
    calls: list[Callable[[], Any]] = [
        *(lambda name=f"t{n}": memory.trajectory(name) for n in range(4)),
        *(lambda name=f"t{n}": memory.timeline(name) for n in range(4)),
        lambda: memory.recall("which walrus_3?", 400).text,
        lambda: memory.recall("how many times was run task 5 run?", 400).text,
        lambda: memory.get("t1/s3"),
        lambda: [one.trajectory_id for one in memory.trajectories()],
        memory.unindexed,
        lambda: memory.forget(scope={"trajectory": "t2"}),
        lambda: memory.add("a new walrus", trajectory="t1"),
        memory.close,
    ]
    outcomes: list[str] = []
    for call in calls:
        try:
            outcomes.append(repr(call()))
        except StepwellError as error:
            outcomes.append(f"error: {error}")
    return outcomes


@pytest.mark.parametrize("seed", range(N_FILES))
def test_damage_is_told_or_changes_nothing_and_never_escapes(
    seed: int, intact: bytes, tmp_path: Path
) -> None:
    good, bad = tmp_path / "good.db", tmp_path / "bad.db"
    spoilt = damaged(intact, np.random.default_rng(seed))
    bad.write_bytes(spoilt)
    found = told(bad)
    bad.write_bytes(spoilt)
    outcomes = used(bad)
    if not found:
        good.write_bytes(intact)
        assert outcomes == used(good)


def test_an_intact_file_is_told_to_be(intact: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    path.write_bytes(intact)
    assert told(path) == ()
    assert path.read_bytes() == intact


@pytest.mark.parametrize(
    ("change", "table"),
    [
        ("UPDATE passages SET text = 'run task 1 zebra' WHERE id = (SELECT min(id) FROM passages)",
         "passages"),
        ("DELETE FROM passages WHERE id = (SELECT max(id) FROM passages)", "trajectories"),
        ("DELETE FROM steps WHERE id = (SELECT min(id) FROM steps)", "steps"),
        ("UPDATE steps SET kind = 'user' WHERE id = (SELECT min(id) FROM steps)", "steps"),
        ("UPDATE steps SET body = x'30ff' WHERE id = (SELECT min(id) FROM steps)", "steps"),
        ("UPDATE trajectories SET head = x'317b' WHERE no = 1", "trajectories"),
        ("UPDATE trajectories SET n_steps = 3 WHERE no = 1", "trajectories"),
        ("UPDATE raw_records SET raw = x'3037' WHERE id = (SELECT min(id) FROM raw_records)",
         "raw_records"),
        ("UPDATE vectors SET vector = zeroblob(3)", "vectors"),
        ("UPDATE vector_states SET n_vectors = 7", "vectors"),
        ("UPDATE recalls SET context = x'ff'", "recalls"),
        ("UPDATE usage SET body = x'ff'", "recalls"),
        ("UPDATE contents SET state = 9", "others"),
        ("DELETE FROM contents", "others"),
        ("DELETE FROM passages_fts WHERE rowid = (SELECT min(id) FROM passages)", "passages_fts"),
        ("INSERT INTO passages_fts (passages_fts) VALUES ('delete-all')", "passages_fts"),
        ("DROP INDEX vectors_by_hash", "schema"),
        ("DELETE FROM trajectories WHERE no = 2", "trajectories"),
    ],
)  # fmt: skip
def test_each_kind_of_damage_is_told_of_its_table(
    change: str, table: str, intact: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "m.db"
    path.write_bytes(intact)
    db = apsw.Connection(str(path))
    db.execute(change)
    assert any(line.startswith(f"{table}: ") for line in damage_in(db))
    db.close()


def test_a_vector_has_length_one_or_none() -> None:
    one = np.zeros(32, dtype="<f2")
    assert is_unit(one.tobytes())
    one[3] = 1
    assert is_unit(one.tobytes())
    one[4] = 0.1
    assert not is_unit(one.tobytes())
    one[4] = float("nan")
    assert not is_unit(one.tobytes())
