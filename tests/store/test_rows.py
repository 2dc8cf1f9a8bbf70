"""What writing leaves in the tables, row by row."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from stepwell.store.database import open_database, transaction
from stepwell.store.read import (
    entries,
    load_media,
    load_steps,
    load_trajectory,
    step_passages,
)
from stepwell.store.rowids import rowid
from stepwell.store.rows import microseconds, put_blobs
from stepwell.store.scope import Scope
from stepwell.store.units import first_rewritten
from stepwell.store.write import append_raw, update_step
from stepwell.trajectory.model import Blob, RawRecord, Result
from support.stores import contents, number_at, stored, table_rows
from support.trajectories import NOW, said, trajectory, turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.store.database import Database

THREE = [said(0, "hello"), turn(1, "ls", "alpha"), turn(2, "pwd", "beta")]
PLACE = "SELECT {} FROM trajectories WHERE no = 1"


@pytest.fixture
def db() -> Iterator[Database]:
    connection = open_database(None)
    yield connection
    connection.close()


def record(n: int, raw: bytes = b"raw", uri: str = "test.jsonl") -> RawRecord:
    return RawRecord(
        source_uri=uri, position=f"line:{n}", byte_offset=n, sha256=f"{n:064x}", raw=raw
    )


def test_a_new_log_is_added(db: Database) -> None:
    written = stored(db, trajectory(THREE))
    assert (written.number, written.state, written.n_steps) == (1, "added", 3)
    assert written.rowids == tuple(
        rowid(1, s, p) for s, p in ((0, 0), (1, 0), (1, 1), (2, 0), (2, 1))
    )
    assert [p.text for p in written.passages] == [
        *("hello", "command: ls", "alpha", "command: pwd", "beta")
    ]
    (entry,) = entries(db, Scope())
    assert (entry.n_steps, entry.n_passages, entry.added_at) == (3, 5, NOW)
    assert number_at(db, PLACE.format("n_raw")) == 3


def test_a_shorter_log_changes_nothing(db: Database) -> None:
    stored(db, trajectory(THREE))
    before = contents(db)
    for n in range(3):
        shorter = stored(db, trajectory(THREE[:n]))
        assert (shorter.number, shorter.state, shorter.n_steps) == (1, "unchanged", 0)
    for table in ("steps", "passages", "raw_records", "trajectories"):
        assert contents(db)[table] == before[table], table


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_step_whose_record_is_read_otherwise_is_replaced_alone(db: Database, at: int) -> None:
    three = [replace(step, raw_refs=(step.index,)) for step in THREE]
    run = trajectory(three)
    stored(db, run)
    new = [*three[:at], replace(three[at], message="changed"), *three[at + 1 :], said(3, "end")]
    grown = replace(trajectory(new), raw_records=run.raw_records)
    changed = stored(db, grown)
    assert (changed.number, changed.state, changed.n_steps) == (1, "changed", 1)
    assert list(load_steps(db, 1)) == new
    assert number_at(db, PLACE.format("revision")) == 1
    assert first_rewritten(db, 1, since=0) == at
    assert number_at(db, PLACE.format("n_passages")) == len(table_rows(db, "passages"))
    assert stored(db, grown).state == "unchanged"


def test_columns_of_a_step_say_what_it_is(db: Database) -> None:
    start = datetime(2026, 1, 2, tzinfo=UTC)
    failed = replace(THREE[1], status="error", active=False, t_start=start, t_end=NOW)
    result = Result(call_uid="k2", text="no", is_error=True)
    stored(db, trajectory([THREE[0], failed, replace(THREE[2], results=(result,))]))
    assert [row[1:8] for row in table_rows(db, "steps")] == [
        ("user", "user", "ok", 1, 0, None, None),
        ("agent", "agent", "error", 0, 1, microseconds(start), microseconds(NOW)),
        ("agent", "agent", "ok", 1, 1, None, None),
    ]


def test_raw_records_are_appended_and_counted(db: Database) -> None:
    stored(db, trajectory([]))
    with transaction(db):
        assert [append_raw(db, 1, record(n, uri="")) for n in range(3)] == [0, 1, 2]
        assert append_raw(db, 99, record(5)) == 0
    assert load_trajectory(db, 1).raw_records == tuple(record(n, uri="") for n in range(3))
    assert number_at(db, PLACE.format("n_raw")) == 3


def test_late_results_are_joined_and_their_passages_appended(db: Database) -> None:
    call = replace(THREE[1], results=())
    stored(db, trajectory([THREE[0], call, THREE[2]]))
    result = Result(call_uid="k1", text="late", is_error=True)
    done = replace(call, results=(result,), t_end=NOW, status="interrupted")
    with transaction(db):
        joined = update_step(db, 1, done, known=call)
    assert (joined.state, joined.n_steps, joined.rowids) == ("changed", 0, (rowid(1, 1, 1),))
    assert [p.text for p in joined.passages] == ["late"]
    assert list(load_steps(db, 1)) == [THREE[0], done, THREE[2]]
    assert [p.text for _, p in step_passages(db, 1, 1)] == ["command: ls", "late"]
    assert table_rows(db, "steps")[1][3:8] == ("interrupted", 1, 1, None, microseconds(NOW))
    assert number_at(db, PLACE.format("revision")) == 1
    assert first_rewritten(db, 1, since=0) == 1
    assert number_at(db, PLACE.format("n_passages")) == 5


def test_media_are_kept_once_per_trajectory_in_order(db: Database) -> None:
    blobs = [Blob(sha256=s, media_type="image/png", data=s.encode()) for s in ("ab", "aa", "b0")]
    stored(db, trajectory(THREE), blobs=[*blobs[:2], blobs[0]])
    stored(db, trajectory(THREE, name="other"), blobs=blobs[:1])
    with transaction(db):
        put_blobs(db, 1, blobs)
        put_blobs(db, 99, blobs)
    assert load_media(db, 1) == blobs
    assert load_media(db, 2) == blobs[:1]
    assert load_media(db, 1, sha256="a") == blobs[:2]
    assert number_at(db, PLACE.format("n_blobs")) == 3
    assert [row[0] for row in table_rows(db, "blobs")] == [
        *(rowid(1, 0, 0), rowid(1, 0, 1), rowid(1, 0, 2), rowid(2, 0, 0))
    ]
