"""What is derived of steps: read on or anew it is the same, and it is derived once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.errors import NotFoundError, StoreError
from stepwell.store.database import open_database, transaction
from stepwell.store.forget import delete_trajectories
from stepwell.store.read import load_steps
from stepwell.store.rowids import MAX_PLACES, rowid, span
from stepwell.store.scope import Scope
from stepwell.store.write import append_step, put_trajectory, update_step
from stepwell.structures.base import Within
from stepwell.structures.derived import Derived, Deriving, Part, parts_of
from stepwell.trajectory.model import Result, Step, Trajectory
from support.sealed_files import sealed
from support.trajectories import NOW, trajectory, turn

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import apsw


@dataclass(slots=True)
class Texts:
    """All that was said, in order."""

    said: list[str] = field(default_factory=list[str])

    def extend(self, values: Sequence[str]) -> None:
        self.said += values


class Counting:
    """Says what a step says, and how often it was asked."""

    def __init__(self) -> None:
        self.n = 0

    def __call__(self, step: Step) -> str:
        self.n += 1
        return said_by(step)


def said_by(step: Step) -> str:
    called = " ".join(str(call.args) for call in step.calls)
    return f"{step.index}:{called}:{' '.join(result.text for result in step.results)}"


def derived(
    db: apsw.Connection, extract: Counting | None = None, version: str = "1"
) -> Derived[str, Texts]:
    deriving: Deriving[str, Texts] = Deriving(
        structure="texts",
        version=version,
        type=str,
        extract=extract or Counting(),
        start=Texts,
    )
    return Derived(db, deriving)


def put(db: apsw.Connection, run: Trajectory) -> int:
    with transaction(db):
        return put_trajectory(db, run, scope=Scope(), now=NOW).number


def run_of(n: int, word: str = "alpha") -> list[Step]:
    return [turn(at, f"{word} {at}", f"saw {word}") for at in range(n)]


def stored(db: apsw.Connection) -> int:
    ((n,),) = db.execute("SELECT count(*) FROM derived")
    return int(n)


def view(what: Derived[str, Texts], number: int) -> list[str]:
    return what.view(Part(number=number)).said


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_views_follow_what_is_written(data: st.DataObject) -> None:
    db = open_database(None)
    number = put(db, trajectory([]))
    what, told = derived(db), list[Step]()
    for _ in range(data.draw(st.integers(1, 6))):
        act = data.draw(st.sampled_from(["append", "many", "join", "change", "reopen"]))
        steps = list(load_steps(db, number))
        with transaction(db):
            if act == "append":
                append_step(db, number, turn(len(steps), "one more", "ok"))
            elif act == "join" and steps:
                known = steps[data.draw(st.integers(0, len(steps) - 1))]
                late = Result(call_uid=None, text="late")
                joined = replace(known, results=(*known.results, late))
                update_step(db, number, joined, known=known)
            elif act in {"many", "change"}:
                kept = told if act == "many" else told[: data.draw(st.integers(0, len(told)))]
                n = len(told) - len(kept) + data.draw(st.integers(0, 12))
                told = [*kept, *(turn(len(kept) + at, act, "ok") for at in range(n))]
                put_trajectory(db, trajectory(told), scope=Scope(), now=NOW)
        if act == "reopen":
            what = derived(db)
        if data.draw(st.booleans()):
            assert view(what, number) == list(map(said_by, load_steps(db, number)))
    steps = list(load_steps(db, number))
    assert view(what, number) == list(map(said_by, steps))
    assert view(derived(db), number) == list(map(said_by, steps))
    assert what.n_steps(number) == len(steps)


def test_a_step_is_derived_once() -> None:
    db = open_database(None)
    number = put(db, trajectory(run_of(40)))
    counting = Counting()
    what = derived(db, counting)
    view(what, number)
    view(what, number)
    view(derived(db, counting), number)
    assert counting.n == 40
    assert stored(db) == 40


def test_few_steps_are_not_worth_a_write() -> None:
    db = open_database(None)
    number = put(db, trajectory(run_of(7)))
    what = derived(db)
    view(what, number)
    assert stored(db) == 0
    with transaction(db):
        append_step(db, number, turn(7, "beta", "ok"))
    assert len(view(what, number)) == 8
    assert stored(db) == 8


def test_another_version_derives_anew() -> None:
    db = open_database(None)
    number = put(db, trajectory(run_of(20)))
    view(derived(db), number)
    newer = Counting()
    view(derived(db, newer, version="2"), number)
    assert newer.n == 20
    again = Counting()
    view(derived(db, again, version="2"), number)
    assert again.n == 0


@pytest.mark.parametrize("damage", [b"\xff\0", b"\x93", b"", b"\x01"])
def test_damaged_bodies_are_derived_again(damage: bytes) -> None:
    db = open_database(None)
    steps = run_of(40)
    number = put(db, trajectory(steps))
    view(derived(db), number)
    db.execute("UPDATE derived SET body = ? WHERE id % 7 = 3", (damage,))
    assert view(derived(db), number) == list(map(said_by, steps))
    ((n_damaged,),) = db.execute("SELECT count(*) FROM derived WHERE body = ?", (damage,))
    assert n_damaged == 0


def test_damaged_steps_are_an_error() -> None:
    db = open_database(None)
    number = put(db, trajectory(run_of(20)))
    db.execute("UPDATE steps SET body = ?", (b"\0",))
    with pytest.raises(StoreError, match="damaged"):
        view(derived(db), number)


def test_a_rewritten_step_takes_what_follows_along() -> None:
    db = open_database(None)
    steps = run_of(40)
    number = put(db, trajectory(steps))
    counting = Counting()
    what = derived(db, counting)
    view(what, number)
    late = replace(steps[30], results=(*steps[30].results, Result(call_uid=None, text="late")))
    with transaction(db):
        update_step(db, number, late, known=steps[30])
    assert stored(db) == 30
    assert view(what, number)[30].endswith("late")
    assert counting.n == 50
    assert stored(db) == 40


def test_a_rewrite_by_another_process_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    db, other = open_database(path), open_database(path)
    number = put(db, trajectory(run_of(40)))
    what = derived(db)
    view(what, number)
    late = Result(call_uid=None, text="late")
    changed = [*run_of(20), replace(run_of(21)[20], results=(late,)), *run_of(45)[21:]]
    assert put(other, trajectory(changed)) == number
    held = list(load_steps(other, number))
    assert [step.results for step in held[20:22]] != [step.results for step in run_of(22)[20:]]
    assert view(what, number) == list(map(said_by, held))


def test_a_locked_database_is_read_without_waiting(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    db, other = open_database(path), open_database(path)
    steps = run_of(40)
    number = put(db, trajectory(steps))
    what = derived(db)
    with transaction(other):
        assert view(what, number) == list(map(said_by, steps))
    assert stored(db) == 0
    view(what, number)
    assert stored(db) == 40


def test_what_is_read_in_a_transaction_is_stored_after_it() -> None:
    db = open_database(None)
    number = put(db, trajectory(run_of(40)))
    what = derived(db)
    with transaction(db):
        assert len(view(what, number)) == 40
    assert stored(db) == 0
    what.save()
    assert stored(db) == 40


@pytest.mark.parametrize("with_folder", [True, False])
def test_a_read_only_file_will_do(tmp_path: Path, *, with_folder: bool) -> None:
    path = tmp_path / "memory.db"
    steps = run_of(40)
    db = open_database(path)
    number = put(db, trajectory(steps))
    db.close()
    with sealed(path, with_folder=with_folder):
        db = open_database(path)
        assert view(derived(db), number) == list(map(said_by, steps))
        db.close()


def test_an_interrupt_while_storing_leaves_no_transaction_open() -> None:
    db = open_database(None)
    number = put(db, trajectory(run_of(40)))

    def interrupt(_: apsw.Cursor, statement: str, __: object) -> bool:
        if "INTO derived" in statement:
            raise KeyboardInterrupt
        return True

    db.exec_trace = interrupt
    with pytest.raises(KeyboardInterrupt):
        view(derived(db), number)
    db.exec_trace = None
    assert not db.in_transaction
    view(derived(db), number)
    assert stored(db) == 40


def test_what_is_forgotten_is_gone() -> None:
    db = open_database(None)
    number = put(db, trajectory(run_of(40)))
    what = derived(db)
    view(what, number)
    with transaction(db):
        delete_trajectories(db, [number])
    assert stored(db) == 0
    with pytest.raises(NotFoundError, match="no trajectory"):
        view(what, number)


def test_a_view_ends_where_a_search_may_look_no_further() -> None:
    db = open_database(None)
    steps = run_of(20)
    number = put(db, trajectory(steps))
    what = derived(db)
    for end in (0, 1, 19, 20, 500):
        assert what.view(Part(number=number, end=end)).said == list(map(said_by, steps[:end]))
    assert len(view(what, number)) == 20


def test_a_result_that_had_not_come_is_not_seen() -> None:
    db = open_database(None)
    number = put(db, trajectory(run_of(20)))
    what = derived(db)
    seen = what.view(Part(number=number, end=12, unanswered=(3, 11, 15))).said
    hidden = [at for at, text in enumerate(seen) if not text.endswith("saw alpha")]
    assert (len(seen), hidden) == (12, [3, 11])
    assert all(text.endswith("saw alpha") for text in view(what, number))


def test_many_trajectories_are_kept_apart() -> None:
    db = open_database(None)
    what = derived(db)
    numbers = [put(db, trajectory(run_of(n), name=f"run{n}")) for n in range(2, 30)]
    for _ in range(2):
        assert [len(view(what, number)) for number in numbers] == list(range(2, 30))


def test_parts_say_how_far_a_search_may_look() -> None:
    within = Within(
        spans=(span(3), span(5, end=7)),
        n_passages=9,
        unanswered=frozenset({rowid(5, 6) // MAX_PLACES, rowid(5, 2) // MAX_PLACES}),
    )
    assert parts_of(within) == [
        Part(number=3),
        Part(number=5, end=7, unanswered=(2, 6)),
    ]
