"""Forgetting reaches every table, and no further."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.store.blanks import forget_steps
from stepwell.store.database import open_database, transaction
from stepwell.store.derived import load_derived, save_derived
from stepwell.store.forget import (
    delete_trajectories,
    erase_traces,
    mark_deleted,
    mark_rewritten,
    waits_for_erasure,
)
from stepwell.store.read import load_steps, trajectory_passages
from stepwell.store.rowids import number_of, rowid, span
from stepwell.store.schema import TRAJECTORY_TABLES
from stepwell.store.vectors import encoder_number, save_vectors, text_hash, vector_states
from stepwell.trajectory.model import Blob
from support.stores import stored
from support.trajectories import said, trajectory, turn

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell.store.database import Database
    from stepwell.store.write import Written


def full(db: Database, name: str) -> Written:
    """Store a trajectory that has rows in every table."""
    steps = [said(0, f"{name} zebra"), turn(1, "ls", "zebra"), turn(2, "pwd", "zebra")]
    blob = Blob(sha256=f"{name}", media_type="image/png", data=b"png")
    written = stored(db, trajectory(steps, name=name), blobs=[blob])
    encoder = encoder_number(db, "toy", dimension=1)
    with transaction(db):
        save_vectors(db, encoder, [(row, text_hash(str(row)), b"\0\0") for row in written.rowids])
        mark_rewritten(db, written.number, step=2)
    assert save_derived(db, written.number, [b"d"] * 3, first=0, made_by=("units", "1"), revision=1)
    return written


def held(db: Database, table: str) -> set[int]:
    """Return the numbers of the trajectories that have rows in a table."""
    return {number_of(int(row)) for (row,) in db.execute(f"SELECT id FROM {table}")}  # noqa: S608


def matches(db: Database) -> set[int]:
    rows = db.execute("SELECT rowid FROM passages_fts WHERE passages_fts MATCH 'zebra'")
    return {number_of(int(row)) for (row,) in rows}


def test_deleting_empties_every_table_of_that_trajectory_alone(db: Database) -> None:
    one, two, three = (full(db, name).number for name in ("one", "two", "three"))
    for table in TRAJECTORY_TABLES:
        assert held(db, table) == {one, two, three}, table
    with transaction(db):
        delete_trajectories(db, [two])
    for table in TRAJECTORY_TABLES:
        assert held(db, table) == {one, three}, table
    assert matches(db) == {one, three}
    assert [state.number for state in vector_states(db, 1)] == [one, three]
    assert db.execute("SELECT no FROM trajectories ORDER BY no").fetchall() == [(one,), (three,)]


def test_every_table_keyed_by_row_ids_is_cleared(db: Database) -> None:
    keyed = {
        name
        for (name,) in db.execute(
            "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c "
            "WHERE m.type = 'table' AND c.name = 'id' AND m.name NOT LIKE 'passages_fts%'"
        )
    }
    assert keyed == set(TRAJECTORY_TABLES)


def test_deleting_nothing_changes_nothing(db: Database) -> None:
    one = full(db, "one").number
    before = db.total_changes()
    with transaction(db):
        delete_trajectories(db, [])
        delete_trajectories(db, [one + 1])
    assert db.total_changes() == before
    assert matches(db) == {one}


def test_a_number_is_never_given_twice(db: Database) -> None:
    one = full(db, "one").number
    with transaction(db):
        delete_trajectories(db, [one])
    assert full(db, "one").number > one


def test_forgetting_steps_keeps_the_others(db: Database) -> None:
    written, other = full(db, "one"), full(db, "two")
    with transaction(db):
        assert forget_steps(db, written.number, {1, 2, 7}) == 2
    assert [step.message for step in load_steps(db, written.number)] == ["one zebra", "", ""]
    assert [p.text for _, p in trajectory_passages(db, written.number)] == ["one zebra"]
    n_passages = "SELECT n_passages FROM trajectories WHERE no = ?"
    assert db.execute(n_passages, (written.number,)).get == 1
    assert db.execute(n_passages, (other.number,)).get == 5
    match = "SELECT count(*) FROM passages_fts WHERE passages_fts MATCH 'zebra'"
    within = f"{match} AND rowid BETWEEN ? AND ?"
    assert db.execute(within, span(written.number)).get == 1
    states = {state.number: state.n_vectors for state in vector_states(db, 1)}
    assert states == {written.number: 1, other.number: 5}
    assert len(list(load_steps(db, other.number))) == 3


def test_a_rewrite_drops_what_was_derived_from_there_on(db: Database) -> None:
    written = full(db, "one")
    with transaction(db):
        mark_rewritten(db, written.number, step=1)
    left = load_derived(db, written.number, structure="units", version="1")
    assert left == [b"d"]
    assert db.execute("SELECT revision FROM trajectories").get == 2
    # The note of the rewrite at step 2 says nothing more to who must go back to step 1.
    assert db.execute("SELECT id, revision FROM rewrites").fetchall() == [
        (rowid(written.number, 1), 2)
    ]
    with transaction(db):
        mark_rewritten(db, written.number, step=2)
    assert [revision for (revision,) in db.execute("SELECT revision FROM rewrites")] == [2, 3]


def test_bytes_stay_while_another_process_reads_and_that_is_noted(tmp_path: Path) -> None:
    db, reader = open_database(tmp_path / "m.db"), open_database(tmp_path / "m.db")
    number = full(db, "one").number
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM steps").get == 3
    with transaction(db):
        delete_trajectories(db, [number])
        mark_deleted(db)
    assert not erase_traces(db, patience=0)
    assert waits_for_erasure(db)
    reader.execute("COMMIT")
    assert erase_traces(db)
    assert not waits_for_erasure(db)
    reader.close()
    db.close()
