"""The store: what is put comes back, nothing doubles, scopes never cross, forgetting is whole."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.errors import StoreError
from stepwell.store.database import open_database, schema_version, transaction
from stepwell.store.forget import delete_trajectories, erase_traces
from stepwell.store.read import (
    entries,
    load_media,
    load_steps,
    load_trajectory,
    step_passages,
    trajectory_passages,
)
from stepwell.store.runs import Origin
from stepwell.store.scope import Scope
from stepwell.store.write import append_step, put_trajectory, update_step
from stepwell.structures.episodic import Episodic
from stepwell.trajectory.model import Blob, Result
from support.trajectories import NOW, said, step_lists, trajectory, turn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from stepwell.store.write import Written
    from stepwell.trajectory.model import Step, Trajectory


@pytest.fixture
def db() -> Iterator[apsw.Connection]:
    connection = open_database(None)
    yield connection
    connection.close()


def put(db: apsw.Connection, what: Trajectory, scope: Scope | None = None) -> Written:
    with db:
        written = put_trajectory(db, what, scope=scope or Scope(), now=NOW)
        Episodic(db).append(written.rowids, written.passages)
    return written


@given(steps=step_lists())
@settings(max_examples=60, deadline=None)
def test_what_is_put_comes_back_and_putting_it_again_changes_nothing(steps: list[Step]) -> None:
    db = open_database(None)
    whole = trajectory(steps)
    written = put(db, whole)
    assert load_trajectory(db, written.number) == whole
    before = db.total_changes()
    again = put(db, whole)
    assert (again.state, again.number, len(again.passages)) == ("unchanged", written.number, 0)
    assert db.total_changes() - before <= 1  # the head alone may be refreshed
    db.close()


@given(steps=step_lists(), cut=st.integers(0, 8))
@settings(max_examples=60, deadline=None)
def test_a_grown_log_writes_only_its_new_part(steps: list[Step], cut: int) -> None:
    db = open_database(None)
    head = put(db, trajectory(steps[:cut]))
    grown = put(db, trajectory(steps))
    assert grown.number == head.number
    assert grown.n_steps == max(0, len(steps) - cut)
    assert load_trajectory(db, grown.number) == trajectory(steps)
    shorter = put(db, trajectory(steps[:cut]))
    assert shorter.state == "unchanged"
    assert tuple(load_steps(db, grown.number)) == tuple(steps)
    db.close()


def test_a_record_that_is_read_otherwise_changes_its_step_alone(db: apsw.Connection) -> None:
    old = [said(0, "hello"), turn(1, "ls", "alpha"), turn(2, "pwd", "beta")]
    put(db, trajectory(old))
    new = [*old[:1], turn(1, "ls", "gamma"), *old[2:]]
    changed = put(db, trajectory(new))
    assert (changed.state, changed.n_steps) == ("changed", 0)
    assert tuple(load_steps(db, changed.number)) == tuple(new)
    texts = [passage.text for _, passage in trajectory_passages(db, changed.number)]
    assert texts == ["hello", "command: ls", "gamma", "command: pwd", "beta"]


def test_identical_steps_are_all_kept(db: apsw.Connection) -> None:
    written = put(db, trajectory([turn(i, "retry", "timeout") for i in range(6)]))
    assert written.n_steps == 6
    assert len(written.passages) == 12


def test_the_same_content_under_another_path_is_recognised(db: apsw.Connection) -> None:
    steps = [said(0, "one"), turn(1, "a", "b")]

    def read_from(name: str, uri: str, *, names: bool) -> str:
        with transaction(db):
            return put_trajectory(
                db,
                trajectory(steps, name=name),
                scope=Scope(),
                now=NOW,
                origin=Origin(uri=uri, names=names, told=frozenset({1} if "#" in name else ())),
            ).state

    assert read_from("a-1", "/logs/a.json", names=True) == "added"
    assert read_from("b-2", "/copies/a.json", names=True) == "unchanged"
    assert read_from("a-1#1", "/logs/a.json", names=True) == "added"  # a repeat in one file
    assert read_from("own-id", "/copies/c.json", names=False) == "added"


def test_live_steps_and_late_results_join_what_is_stored(db: apsw.Connection) -> None:
    call = replace(turn(0, "make", ""), results=())
    first = put(db, trajectory([call]))
    with db:
        append_step(db, first.number, said(1, "is it done?"))
        answered = replace(call, results=(Result(call_uid="k0", text="built"),))
        joined = update_step(db, first.number, answered, known=call)
    assert [passage.text for passage in joined.passages] == ["built"]
    assert tuple(load_steps(db, first.number)) == (answered, said(1, "is it done?"))
    assert [p.text for _, p in step_passages(db, first.number, 0)] == ["command: make", "built"]
    with pytest.raises(StoreError, match="append a new step"), db:
        update_step(db, first.number, said(0, "other"), known=answered)


def test_tenants_never_meet_whatever_their_names(db: apsw.Connection) -> None:
    names = ["a_b", "a%b", "axb", "a*b", "'; DROP TABLE steps; --", "", "ALL"]
    for name in names:
        put(db, trajectory([said(0, f"secret of {name!r}")]), Scope(user_id=name))
    assert len(entries(db, Scope())) == len(names)
    for name in names:
        (entry,) = entries(db, Scope(user_id=name))
        assert next(load_steps(db, entry.number)).message == f"secret of {name!r}"


def test_forgetting_leaves_no_byte_behind(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    needle = "zqneedlexv"
    db = open_database(path)
    kept = put(db, trajectory([said(i, f"kept {i}") for i in range(50)], name="kept"))
    blob = Blob(sha256="ab", media_type="image/png", data=b"blob " + needle.encode())
    secret = trajectory(
        [said(0, needle)] + [turn(i, f"echo {needle}{i}", needle * 40) for i in range(1, 60)],
        name=f"{needle}-run",
    )
    with db:
        gone = put_trajectory(db, secret, scope=Scope(), now=NOW, blobs=[blob])
        Episodic(db).append(gone.rowids, gone.passages)
    assert load_media(db, gone.number) == [blob]
    with db:
        delete_trajectories(db, [gone.number])
    erase_traces(db)
    files = [file for file in tmp_path.iterdir() if file.name.startswith("memory.db")]
    assert all(needle.encode() not in file.read_bytes() for file in files)
    assert [entry.number for entry in entries(db, Scope())] == [kept.number]
    assert len(list(load_steps(db, kept.number))) == 50
    assert load_media(db, gone.number) == []
    db.close()


def test_two_connections_write_without_losing_steps(tmp_path: Path) -> None:
    one, two = open_database(tmp_path / "m.db"), open_database(tmp_path / "m.db")
    put(one, trajectory([said(0, "one")], name="one"))
    put(two, trajectory([said(0, "two")], name="two"))
    assert [e.trajectory_id for e in entries(one, Scope())] == ["one", "two"]
    one.close()
    two.close()


def test_a_foreign_or_damaged_or_newer_file_is_refused_with_advice(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.db"
    connection = apsw.Connection(str(foreign))
    connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    with pytest.raises(StoreError, match=r"another program.*--db"):
        open_database(foreign)
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(b"not a database, not at all" * 100)
    with pytest.raises(StoreError, match="not an intact SQLite database"):
        open_database(damaged)
    newer = tmp_path / "newer.db"
    connection = open_database(newer)
    connection.execute(f"PRAGMA user_version = {schema_version(connection) + 1}")
    connection.close()
    with pytest.raises(StoreError, match="pip install --upgrade"):
        open_database(newer)


def test_a_scope_is_narrowed_field_by_field() -> None:
    assert Scope(user_id="u").narrowed(Scope(session="s")) == Scope(user_id="u", session="s")
