"""Units over a scope: every trajectory's own, cut to the steps that are in scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.memory.memory import Memory
from stepwell.recall.find.context import UnitSource
from stepwell.recall.rank.scope_units import units_over
from stepwell.store.database import open_database
from stepwell.store.read import entries, trajectory_passages
from stepwell.store.rowids import MAX_PLACES, rowid
from stepwell.store.scope import Scope
from stepwell.structures.units.index import UnitIndex
from stepwell.structures.vector import Vector
from support.encoders import HashEncoder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import apsw

    from stepwell.recall.rank.scope_units import ScopeUnits
    from stepwell.store.read import Entry

PLACES = ("oslo", "rome", "lima")


def booked(number: int, place: str, tool: str = "book") -> dict[str, object]:
    """Return a message that calls a tool for a place."""
    function = {"name": tool, "arguments": f'{{"place": "{place}"}}'}
    call = {"id": f"c{number}", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def write(path: Path, runs: dict[str, int]) -> None:
    with Memory(path, encoder=HashEncoder()) as memory:
        for run, n in runs.items():
            for number in range(n):
                memory.add(booked(number, PLACES[number % 3]), trajectory=run)
        memory.index()


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("units") / "m.db"
    write(path, {"a": 12, "a::b": 7, "c": 1})
    return path


@pytest.fixture
def db(path: Path) -> Iterator[apsw.Connection]:
    db = open_database(path)
    yield db
    db.close()


def key(entry: Entry, step: int) -> int:
    return rowid(entry.number, step) // MAX_PLACES


def keys_of(steps: list[tuple[Entry, int]]) -> np.ndarray:
    return np.asarray(sorted(key(entry, step) for entry, step in steps), dtype=np.int64)


def members(over: ScopeUnits, unit: int) -> list[int]:
    steps: list[int] = over.units.of(unit).tolist()
    return steps


@pytest.mark.parametrize("encoded", [False, True], ids=["words", "words and vectors"])
@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_units_hold_two_steps_in_scope_at_least_and_no_others(
    path: Path, *, encoded: bool, data: st.DataObject
) -> None:
    db = open_database(path)
    vector = Vector(db, HashEncoder()) if encoded else None
    source = UnitSource(index=UnitIndex(db), vector=vector)
    known = entries(db, Scope())
    every = [(entry, step) for entry in known for step in range(entry.n_steps)]
    keys = keys_of(data.draw(st.lists(st.sampled_from(every), min_size=1, unique=True)))
    over = units_over(keys, entries=known, source=source)
    check_shape(over, n_steps=len(keys))
    firsts = {key(entry, 0): entry for entry in known}
    assert found_in(over, keys, firsts) == expected_in(source, keys, known)
    db.close()


def check_shape(over: ScopeUnits, *, n_steps: int) -> None:
    units = over.units
    assert units.n_steps == n_steps
    assert len(units) == len(over.firsts) == len(over.runs) == len(units.starts) - 1
    assert units.coherence is not None
    assert len(units.coherence) == len(units.views) == len(units)
    assert units.starts[-1] == len(units.members)
    for unit in range(len(units)):
        places = members(over, unit)
        assert len(places) >= 2
        assert places == sorted(set(places))
        assert 0 <= places[0] <= places[-1] < n_steps


Found: TypeAlias = set[tuple[int, str, tuple[int, ...]]]


def found_in(over: ScopeUnits, keys: np.ndarray, firsts: dict[int, Entry]) -> Found:
    found: Found = set()
    for unit, first in enumerate(over.firsts.tolist()):
        assert over.runs[unit] == firsts[first].trajectory_id
        steps = tuple(int(keys[place]) - first for place in members(over, unit))
        found.add((firsts[first].number, over.units.keys[unit], steps))
    return found


def expected_in(source: UnitSource, keys: np.ndarray, known: list[Entry]) -> Found:
    expected: Found = set()
    for entry in known:
        whole = source.of(entry)
        for unit in range(len(whole)):
            inside = tuple(s for s in whole.of(unit).tolist() if key(entry, s) in keys)
            if len(inside) >= 2:
                expected.add((entry.number, whole.keys[unit], inside))
    return expected


def test_a_whole_scope_has_the_units_of_its_trajectories(db: apsw.Connection) -> None:
    known = entries(db, Scope())
    source = UnitSource(index=UnitIndex(db), vector=Vector(db, HashEncoder()))
    keys = keys_of([(entry, step) for entry in known for step in range(entry.n_steps)])
    over = units_over(keys, entries=known, source=source)
    apart = [source.of(entry) for entry in known]
    assert over.units.keys == tuple(name for units in apart for name in units.keys)
    assert over.units.views.tolist() == [v for units in apart for v in units.views.tolist()]
    assert len(over.units) > 0


def test_names_are_without_the_trajectory_even_where_its_id_has_the_separator(
    db: apsw.Connection,
) -> None:
    known = entries(db, Scope())
    keys = keys_of([(entry, step) for entry in known for step in range(entry.n_steps)])
    over = units_over(keys, entries=known, source=UnitSource(index=UnitIndex(db)))
    names = {(over.runs[unit], over.name(unit)) for unit in range(len(over.units))}
    assert {("a", "oslo"), ("a::b", "oslo"), ("a::b", "book")} <= names


def test_trajectories_of_which_no_step_is_in_scope_are_not_read(db: apsw.Connection) -> None:
    known = entries(db, Scope())
    keys = keys_of([(known[1], step) for step in range(known[1].n_steps)])
    over = units_over(keys, entries=known, source=UnitSource(index=UnitIndex(db)))
    assert set(over.runs) == {"a::b"}
    none = units_over(keys, entries=known[:1], source=UnitSource(index=UnitIndex(db)))
    assert (len(none.units), none.units.n_steps) == (0, len(keys))


def test_step_vectors_are_means_of_unit_length(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", encoder=HashEncoder()) as memory:
        for number in range(5):
            memory.add({"action": f"look {number}", "observation": f"all of it {number} " * 200})
        memory.index()
    db = open_database(tmp_path / "m.db")
    vector = Vector(db, HashEncoder())
    (entry,) = entries(db, Scope())
    assert entry.n_passages > 2 * entry.n_steps
    found = vector.step_vectors(entry)
    assert found is not None
    assert found.shape == (5, 32)
    assert np.linalg.norm(found, axis=1).tolist() == pytest.approx([1.0] * 5, abs=1e-5)
    assert vector.step_vectors(entry) is found
    db.close()


def test_there_are_no_step_vectors_until_every_passage_has_one(tmp_path: Path) -> None:
    db = open_database(tmp_path / "m.db")
    with Memory(tmp_path / "m.db", encoder=None) as memory:
        for number in range(3):
            memory.add(f"message {number}")
    vector = Vector(db, HashEncoder())
    (entry,) = entries(db, Scope())
    stored = list(trajectory_passages(db, entry.number))
    vector.append([row for row, _ in stored[:2]], [passage for _, passage in stored[:2]])
    assert vector.step_vectors(entry) is None
    vector.append([stored[2][0]], [stored[2][1]])
    assert vector.step_vectors(entry) is not None
    db.close()


def test_step_vectors_follow_live_adds(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    db = open_database(path)
    vector = Vector(db, HashEncoder())
    for n in (1, 2, 3):
        with Memory(path, encoder=None) as memory:
            memory.add(f"message {n}")
        (entry,) = entries(db, Scope())
        assert vector.step_vectors(entry) is None
        with Memory(path, encoder=HashEncoder()) as memory:
            memory.index()
        found = vector.step_vectors(entry)
        assert found is not None
        assert len(found) == n
        expected = HashEncoder().encode([f"agent: message {n}"])[0]
        assert found[-1] == pytest.approx(expected, abs=2e-3)
    db.close()
