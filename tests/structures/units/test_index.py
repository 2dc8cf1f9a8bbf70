"""Units of stored trajectories: the same as built anew, whatever was written between readings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.errors import InvalidInputError, NotFoundError, StoreError
from stepwell.store.database import open_database, transaction
from stepwell.store.forget import delete_trajectories
from stepwell.store.read import load_steps
from stepwell.store.rowids import span
from stepwell.store.scope import Scope
from stepwell.store.write import append_step, put_trajectory, update_step
from stepwell.structures.units.annotate import annotate
from stepwell.structures.units.build import build_units
from stepwell.structures.units.index import UnitIndex
from stepwell.structures.units.marks import AnnotateOptions
from stepwell.structures.units.model import UnitOptions
from stepwell.trajectory.model import Result, Step, Trajectory
from support import units_reference as ref
from support.sealed_files import sealed
from support.trajectories import NOW, said, trajectory, turn

if TYPE_CHECKING:
    from pathlib import Path

    import apsw

NAMES = ("alpha", "beta", "gamma", "delta")


def run_of(names: list[str]) -> list[Step]:
    return [turn(at, name, f"saw {name}") for at, name in enumerate(names)]


def put(db: apsw.Connection, run: Trajectory) -> int:
    with transaction(db):
        return put_trajectory(db, run, scope=Scope(), now=NOW).number


def stored(db: apsw.Connection) -> int:
    ((n,),) = db.execute("SELECT count(*) FROM derived WHERE structure = 'units'")
    return int(n)


def expected(steps: list[Step], options: AnnotateOptions | None = None) -> ref.Plain:
    found = annotate(steps, namespace="", options=options or AnnotateOptions())
    return ref.plain(build_units(found, None))


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_units_follow_what_is_written(data: st.DataObject) -> None:
    db = open_database(None)
    number = put(db, trajectory([]))
    index, steps = UnitIndex(db), list[Step]()
    for _ in range(data.draw(st.integers(1, 6))):
        act = data.draw(st.sampled_from(["append", "many", "join", "change", "reopen"]))
        with transaction(db):
            if act == "append":
                steps.append(turn(len(steps), data.draw(st.sampled_from(NAMES)), "ok"))
                append_step(db, number, steps[-1])
            elif act == "join" and steps:
                at = data.draw(st.integers(0, len(steps) - 1))
                more = Result(call_uid=None, text="late")
                joined = replace(steps[at], results=(*steps[at].results, more))
                update_step(db, number, joined, known=steps[at])
                steps[at] = joined
            elif act in {"many", "change"}:
                kept = steps if act == "many" else steps[: data.draw(st.integers(0, len(steps)))]
                names = [*NAMES] * (10 if act == "many" else 1 + len(steps))
                more_steps = [turn(len(kept) + n, name, "ok") for n, name in enumerate(names)]
                steps = [*kept, *more_steps]
                put_trajectory(db, trajectory(steps), scope=Scope(), now=NOW)
                steps = list(load_steps(db, number))
        if act == "reopen":
            index = UnitIndex(db)
        if data.draw(st.booleans()):
            assert ref.plain(index.units(number)) == expected(steps)
    assert ref.plain(index.units(number)) == expected(steps)
    assert ref.plain(UnitIndex(db).units(number)) == expected(steps)


def test_annotations_are_stored_once_there_are_enough() -> None:
    db = open_database(None)
    number = put(db, trajectory(run_of(["alpha"] * 7)))
    index = UnitIndex(db)
    index.units(number)
    assert stored(db) == 0
    with transaction(db):
        append_step(db, number, turn(7, "beta", "ok"))
    index.units(number)
    assert stored(db) == 8
    assert len(index.annotations(number)) == 8


def test_stored_annotations_are_used() -> None:
    db = open_database(None)
    steps = [said(0, "Go."), *[turn(n, "alpha", "ok") for n in range(1, 40)]]
    number = put(db, trajectory(steps))
    UnitIndex(db).units(number)
    with transaction(db):  # as no write of ours does: what is read back can only be the stored one
        db.execute("UPDATE steps SET body = zeroblob(1) WHERE id BETWEEN ? AND ?", span(number))
    assert ref.plain(UnitIndex(db).units(number)) == expected(steps)


def test_an_interrupt_while_annotations_are_stored_leaves_no_transaction_open() -> None:
    db = open_database(None)
    number = put(db, trajectory(run_of(["alpha"] * 40)))

    def interrupt(_: apsw.Cursor, statement: str, __: object) -> bool:
        if "INTO derived" in statement:
            raise KeyboardInterrupt
        return True

    db.exec_trace = interrupt
    with pytest.raises(KeyboardInterrupt):
        UnitIndex(db).units(number)
    db.exec_trace = None
    assert not db.in_transaction
    UnitIndex(db).units(number)
    assert stored(db) == 40


def test_damaged_annotations_are_made_again() -> None:
    db = open_database(None)
    steps = run_of(["alpha", "beta"] * 40)
    number = put(db, trajectory(steps))
    UnitIndex(db).units(number)
    for damage in (b"\xff\0", b"\x93", b""):
        db.execute("UPDATE derived SET body = ? WHERE id % 7 <> 3", (damage,))
        assert ref.plain(UnitIndex(db).units(number)) == expected(steps)
        ((n_damaged,),) = db.execute("SELECT count(*) FROM derived WHERE body = ?", (damage,))
        assert n_damaged == 0


def test_damaged_steps_are_an_error() -> None:
    db = open_database(None)
    number = put(db, trajectory(run_of(["alpha"] * 40)))
    for damage in (b"\0", b"1\xff\xff", b"0{"):
        db.execute("UPDATE steps SET body = ?", (damage,))
        with pytest.raises(StoreError, match="damaged"):
            UnitIndex(db).units(number)


def test_another_annotator_starts_anew() -> None:
    db = open_database(None)
    steps = run_of(["cat load_config.py"] * 40)
    number = put(db, trajectory(steps))
    UnitIndex(db).units(number)
    written = AnnotateOptions(written=True)
    assert ref.plain(UnitIndex(db, annotate=written).units(number)) == expected(steps, written)
    assert ref.plain(UnitIndex(db).units(number)) == expected(steps)


def test_forgetting_takes_annotations_along() -> None:
    db = open_database(None)
    number = put(db, trajectory(run_of(["alpha"] * 40)))
    index = UnitIndex(db)
    index.units(number)
    with transaction(db):
        delete_trajectories(db, [number])
    assert stored(db) == 0
    with pytest.raises(NotFoundError, match="no trajectory"):
        index.units(number)


def test_a_rewritten_step_takes_later_annotations_along() -> None:
    db = open_database(None)
    steps = run_of(["alpha"] * 40)
    number = put(db, trajectory(steps))
    UnitIndex(db).units(number)
    joined = replace(steps[10], results=(*steps[10].results, Result(call_uid=None, text="late")))
    with transaction(db):
        update_step(db, number, joined, known=steps[10])
    assert stored(db) == 10


def test_a_locked_database_is_read_without_waiting(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    db, other = open_database(path), open_database(path)
    steps = run_of(["alpha"] * 40)
    number = put(db, trajectory(steps))
    index = UnitIndex(db)
    with transaction(other):
        assert ref.plain(index.units(number)) == expected(steps)
    assert stored(db) == 0
    index.units(number)
    assert stored(db) == 40


def test_units_are_read_within_a_transaction() -> None:
    db = open_database(None)
    number = put(db, trajectory(run_of(["alpha"] * 40)))
    with transaction(db):
        assert len(UnitIndex(db).units(number)) == len(expected(run_of(["alpha"] * 40)))
    assert stored(db) == 0


def test_a_rewrite_by_another_process_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    db, other = open_database(path), open_database(path)
    number = put(db, trajectory(run_of(["alpha"] * 40)))
    index = UnitIndex(db)
    index.units(number)
    changed = run_of([*["alpha"] * 20, *["beta"] * 25])
    put(other, trajectory(changed))
    now = list(load_steps(db, number))
    assert [step.active for step in now] == [True] * 20 + [False] * 20 + [True] * 25
    assert ref.plain(index.units(number)) == expected(now)


@pytest.mark.parametrize("with_folder", [True, False])
def test_a_read_only_file_will_do(tmp_path: Path, *, with_folder: bool) -> None:
    path = tmp_path / "memory.db"
    steps = run_of(["alpha"] * 40)
    db = open_database(path)
    number = put(db, trajectory(steps))
    db.close()
    with sealed(path, with_folder=with_folder):
        db = open_database(path)
        assert ref.plain(UnitIndex(db).units(number)) == expected(steps)
        db.close()


def test_vectors_may_come_change_and_go() -> None:
    db = open_database(None)
    steps = run_of([*NAMES] * 10)
    number = put(db, trajectory(steps))
    found = annotate(steps, namespace="")
    index = UnitIndex(db)
    vectors = ref.vectors_of(40, seed=1)
    changed = vectors.copy()
    changed[25:] = ref.vectors_of(15, seed=2)
    wider = ref.vectors_of(40, seed=3, dimension=7)
    for given_now in (None, vectors, vectors[:30], vectors, changed, wider, None, vectors):
        n = 40 if given_now is None else len(given_now)
        units = index.units(number, given_now)
        ref.assert_equal(units, build_units(found[:n], given_now))
        assert index.units(number, given_now) is units


def test_vectors_that_cannot_be_are_refused_until_they_can() -> None:
    db = open_database(None)
    steps = run_of([*NAMES] * 10)
    number = put(db, trajectory(steps))
    index = UnitIndex(db, options=UnitOptions())
    vectors = ref.vectors_of(40, seed=1)
    index.units(number, vectors)
    with pytest.raises(InvalidInputError, match="41 vectors and 40 steps"):
        index.units(number, ref.vectors_of(41, seed=1))
    broken = vectors.copy()
    broken[30] = np.inf
    for _ in range(2):
        with pytest.raises(InvalidInputError, match="no number"):
            index.units(number, broken)
    ref.assert_equal(
        index.units(number, vectors), build_units(annotate(steps, namespace=""), vectors)
    )


def test_many_trajectories_are_kept_apart() -> None:
    db = open_database(None)
    index = UnitIndex(db)
    numbers = [put(db, trajectory(run_of(["alpha"] * n), name=f"run{n}")) for n in range(2, 30)]
    for _ in range(2):
        for n, number in enumerate(numbers, start=2):
            assert index.units(number).n_steps == n
            assert index.units(number).keys[0] == "alpha"
