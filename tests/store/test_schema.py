"""The schema: which tables there are, what they demand, and that released scripts stay."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import apsw
import pytest

from stepwell.store.database import open_database
from stepwell.store.schema import MIGRATIONS, TRAJECTORY_TABLES
from support.stores import stored, table_names, table_rows
from support.trajectories import said, trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.store.database import Database

TABLES = {
    "blobs",
    "contents",
    "derived",
    "encoders",
    "feedback",
    "file_runs",
    "files",
    "passages",
    "raw_records",
    "recall_trajectories",
    "recalls",
    "rewrites",
    "settings",
    "steps",
    "tombstones",
    "trajectories",
    "usage",
    "vector_states",
    "vectors",
}


@pytest.fixture
def db() -> Iterator[Database]:
    connection = open_database(None)
    yield connection
    connection.close()


def columns(db: Database, table: str) -> list[str]:
    return [str(name) for (name,) in db.execute("SELECT name FROM pragma_table_info(?)", (table,))]


def test_these_are_the_tables(db: Database) -> None:
    own = {name for name in table_names(db) if not name.startswith(("sqlite_", "passages_fts"))}
    assert own == TABLES
    assert "passages_fts" in table_names(db)


def test_tables_that_hold_rows_of_a_trajectory_are_cleared_with_it(db: Database) -> None:
    others = {"trajectories", "encoders", "feedback", "recalls", "recall_trajectories", "usage"}
    others |= {"files", "file_runs", "settings", "tombstones"}
    with_id = {table for table in TABLES if "id" in columns(db, table)}
    assert set(TRAJECTORY_TABLES) == with_id == TABLES - others - {"vector_states"}
    assert len(set(TRAJECTORY_TABLES)) == len(TRAJECTORY_TABLES)


@pytest.mark.parametrize(
    ("table", "names"),
    [
        ("steps", "id kind actor status active has_error t_start t_end body"),
        ("passages", "id part label line col text"),
        ("raw_records", "id source_uri position byte_offset sha256 redacted raw"),
        ("blobs", "id sha256 media_type data"),
        ("vectors", "encoder id text_hash vector"),
        ("vector_states", "encoder no n_vectors version"),
        ("derived", "id structure version body"),
        ("rewrites", "id revision"),
        ("contents", "id kind said record prefix follows state"),
        ("tombstones", "mark"),
        ("settings", "name value"),
        ("file_runs", "file no"),
        ("usage", "recall no body"),
        ("feedback", "recall reward given_at"),
    ],
)
def test_rows_are_written_in_this_order_of_columns(db: Database, table: str, names: str) -> None:
    assert columns(db, table) == names.split()


def test_a_number_is_never_given_twice(db: Database) -> None:
    first = stored(db, trajectory([said(0, "x")])).number
    db.execute("DELETE FROM trajectories")
    assert stored(db, trajectory([said(0, "x")], name="other")).number == first + 1


def test_an_owner_has_a_trajectory_of_an_id_once(db: Database) -> None:
    stored(db, trajectory([said(0, "x")]))
    with pytest.raises(apsw.ConstraintError, match="UNIQUE"):
        db.execute("INSERT INTO trajectories SELECT 99, " + ", ".join(columns_after_no(db)))


def columns_after_no(db: Database) -> list[str]:
    names = columns(db, "trajectories")[1:]
    return [*names[:-1], f"{names[-1]} FROM trajectories"]


def test_a_vector_needs_its_encoder(db: Database) -> None:
    with pytest.raises(apsw.ConstraintError, match="FOREIGN KEY"):
        db.execute("INSERT INTO vectors VALUES (1, 1, x'', x'')")
    assert table_rows(db, "vectors") == []


def test_an_encoder_has_one_number(db: Database) -> None:
    db.execute("INSERT INTO encoders VALUES (1, 'e', 8)")
    with pytest.raises(apsw.ConstraintError, match="UNIQUE"):
        db.execute("INSERT INTO encoders VALUES (2, 'e', 8)")


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("SELECT no FROM trajectories WHERE session_id = 's'", "trajectories_by_session"),
        ("SELECT id FROM contents WHERE prefix = x''", "contents_by_prefix"),
        ("SELECT file FROM file_runs WHERE no = 1", "file_runs_by_trajectory"),
        ("SELECT id FROM vectors WHERE encoder = 1 AND text_hash = x''", "vectors_by_hash"),
        ("SELECT recall FROM recall_trajectories WHERE no = 1", "recalls_by_trajectory"),
        ("SELECT body FROM usage WHERE no = 1", "usage_by_trajectory"),
    ],
)
def test_look_ups_have_their_index(db: Database, query: str, index: str) -> None:
    plan = " ".join(str(row[3]) for row in db.execute(f"EXPLAIN QUERY PLAN {query}"))
    assert index in plan


def test_annotations_are_gone_since_the_fifth_version(db: Database) -> None:
    assert "annotations" not in table_names(db)


@pytest.mark.parametrize(
    ("version", "tables"),
    [
        (1, {"trajectories", "steps", "vectors", "vector_states", "blobs"}),
        (2, {"rewrites", "annotations"}),
        (3, {"derived", "recalls", "recall_trajectories", "feedback"}),
        (4, {"usage"}),
        (6, {"contents", "tombstones", "files", "file_runs"}),
    ],
)
def test_each_script_brings_its_tables(version: int, tables: set[str]) -> None:
    db = apsw.Connection(":memory:")
    for script in MIGRATIONS[: version - 1]:
        db.execute(script)
    before = set(table_names(db))
    db.execute(MIGRATIONS[version - 1])
    assert tables <= set(table_names(db)) - before
    db.close()


def test_released_scripts_are_as_they_were_released() -> None:
    digests = [hashlib.sha256(script.encode()).hexdigest()[:12] for script in MIGRATIONS[:5]]
    assert digests == RELEASED


RELEASED = ["3c500165071a", "878393dfdfc0", "e78df82d26e1", "a1dc49a7f7dc", "a4eae3d9c09b"]
