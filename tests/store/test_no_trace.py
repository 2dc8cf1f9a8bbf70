"""Forgetting leaves nothing in any table or file, and touches nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from stepwell.store.blanks import forget_steps
from stepwell.store.database import open_database, transaction
from stepwell.store.derived import save_derived
from stepwell.store.forget import (
    delete_passages,
    delete_trajectories,
    erase_traces,
    mark_rewritten,
)
from stepwell.store.read import load_steps
from stepwell.store.recalls import Recalled, load_recalls, save_feedback, save_recalls
from stepwell.store.rowids import rowid, span
from stepwell.store.usage import Access
from stepwell.store.vectors import encoder_number, recount, save_vectors, vector_states
from stepwell.store.words import matching_rows
from stepwell.trajectory.merging import is_forgotten
from stepwell.trajectory.model import Blob
from support.stores import contents, number_at, stored, table_rows
from support.trajectories import NOW, said, trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from stepwell.store.database import Database

NEEDLE = "zqneedlexv"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def db(path: Path) -> Iterator[Database]:
    connection = open_database(path)
    yield connection
    connection.close()


def fill(db: Database, name: str, word: str, *, n_steps: int = 4) -> int:
    """Put a trajectory with rows in every table that may hold some of it."""
    written = stored(
        db,
        trajectory([said(i, f"{word} step {i}") for i in range(n_steps)], name=f"{name}-{word}"),
        blobs=[Blob(sha256="ab", media_type="image/png", data=word.encode())],
    )
    number = written.number
    with transaction(db):
        encoder = encoder_number(db, "e", dimension=8)
        vector = word.encode().ljust(16)
        save_vectors(db, encoder, [(row, word.encode(), vector) for row in written.rowids])
        mark_rewritten(db, number, step=n_steps - 1)
    made_by = ("summary", f"v-{word}")
    bodies = [word.encode()] * n_steps
    assert save_derived(db, number, bodies, first=0, made_by=made_by, revision=1)
    recall(db, f"r-{word}", word, (number,))
    return number


def recall(db: Database, name: str, word: str, numbers: tuple[int, ...]) -> None:
    access = Access(number=numbers[0], step=0, rank=1, fate="quoted", structure=word, tokens=9)
    one = Recalled(
        id=name,
        asked_at=NOW,
        question=f"where is {word}?",
        context=word.encode(),
        policy=word,
        structures=(word,),
        chance=1.0,
        budget=100,
        tokens=9,
        trajectories=numbers,
        accesses=(access,),
    )
    assert save_recalls(db, [one], waits=True)
    no = number_at(db, "SELECT max(no) FROM recalls")
    save_feedback(db, no, 0.5, now=NOW)


def holding(db: Database, needle: str) -> list[str]:
    """Return the tables with a row in which the needle stands, as text or as bytes."""
    return [
        table
        for table, rows in contents(db).items()
        if any(
            needle in value if isinstance(value, str) else needle.encode() in value
            for row in rows
            for value in row
            if isinstance(value, str | bytes)
        )
    ]


def test_a_filled_trajectory_has_rows_in_every_table(db: Database) -> None:
    fill(db, "t", NEEDLE)
    empty = [table for table, rows in contents(db).items() if not rows]
    assert empty == ["file_runs", "files", "tombstones"]  # a file and a forgotten run fill these
    assert set(holding(db, NEEDLE)) >= {
        *("blobs", "derived", "passages", "raw_records", "recalls", "steps"),
        *("trajectories", "usage", "vectors", "passages_fts_data"),
    }


def test_what_is_forgotten_is_in_no_table_and_in_no_file(db: Database, path: Path) -> None:
    number = fill(db, "t", NEEDLE)
    with transaction(db):
        delete_trajectories(db, [number])
    erase_traces(db)
    assert holding(db, NEEDLE) == []
    left = {table for table, rows in contents(db).items() if rows}
    assert left <= {
        *("encoders", "settings", "sqlite_sequence", "passages_fts_config", "passages_fts_data"),
        *("passages_fts_docsize", "passages_fts_idx"),
    }
    for file in path.parent.iterdir():
        assert NEEDLE.encode() not in file.read_bytes()


def test_what_is_kept_is_kept_to_the_last_row(path: Path, tmp_path: Path) -> None:
    alone = open_database(tmp_path / "alone.db")
    fill(alone, "kept", "harmless")
    db = open_database(path)
    kept = fill(db, "kept", "harmless")
    gone = fill(db, "gone", NEEDLE)
    after = fill(db, "after", "behind")
    with transaction(db):
        delete_trajectories(db, [gone, after])
    expected, found = contents(alone), contents(db)
    for table in expected:
        if not table.startswith(("passages_fts", "sqlite_", "settings")):
            assert found[table] == expected[table], table
    assert list(matching_rows(db, "harmless")) == [rowid(kept, step) for step in range(4)]
    assert list(matching_rows(db, f"{NEEDLE} OR behind")) == []
    alone.close()
    db.close()


def test_a_recall_goes_with_any_trajectory_it_read(db: Database) -> None:
    one, two = fill(db, "a", "one"), fill(db, "b", "two")
    recall(db, "both", "both", (one, two))
    with transaction(db):
        delete_trajectories(db, [two])
    assert [r.id for r in load_recalls(db, numbers=[one])] == ["r-one"]
    assert [len(table_rows(db, t)) for t in ("feedback", "usage", "recall_trajectories")] == [1] * 3


def test_usage_of_a_step_goes_although_its_recall_stays(db: Database) -> None:
    one, two = fill(db, "a", "one"), fill(db, "b", "two")
    access = Access(number=two, step=0, rank=1, fate="cut", structure="x", tokens=0)
    (kept,) = load_recalls(db, numbers=[one])
    save_recalls(db, [replace(kept, id="cut", accesses=(access,))])
    with transaction(db):
        delete_trajectories(db, [two])
    assert [r.id for r in load_recalls(db, numbers=[one])] == ["r-one", "cut"]
    assert [no for _, no, _ in table_rows(db, "usage")] == [one]


def test_passages_are_deleted_by_row_id(db: Database) -> None:
    number, other = fill(db, "t", "word"), fill(db, "o", "other")
    with transaction(db):
        delete_passages(db, number, *span(number, first=2))
    ids = [row[0] for row in table_rows(db, "passages")]
    assert ids == [rowid(number, s) for s in range(2)] + [rowid(other, s) for s in range(4)]
    assert list(matching_rows(db, "word")) == [rowid(number, 0), rowid(number, 1)]
    with transaction(db):
        recount(db, number)
    assert {s.number: s.n_vectors for s in vector_states(db, 1)} == {number: 2, other: 4}
    counts = "SELECT n_passages FROM trajectories WHERE no = ?"
    assert (number_at(db, counts, number), number_at(db, counts, other)) == (2, 4)


def test_nothing_is_left_of_a_step_that_is_forgotten(db: Database, path: Path) -> None:
    number = stored(
        db,
        trajectory(
            [
                replace(said(index, text), raw_refs=(index,))
                for index, text in enumerate(("kept", NEEDLE, "kept too"))
            ]
        ),
    ).number
    recall(db, "r", NEEDLE, (number,))
    with transaction(db):
        assert forget_steps(db, number, {1}) == 1
        assert forget_steps(db, number, {1}) == 0
    erase_traces(db)
    assert NEEDLE.encode() not in b"".join(f.read_bytes() for f in path.parent.iterdir())
    assert [step.message for step in load_steps(db, number)] == ["kept", "", "kept too"]
    assert [is_forgotten(step) for step in load_steps(db, number)] == [False, True, False]
    assert len(table_rows(db, "raw_records")) == 3  # steps name them by place


def test_a_rewrite_of_the_same_step_is_noted_once(db: Database) -> None:
    number = stored(db, trajectory([said(0, "x")])).number
    with transaction(db):
        mark_rewritten(db, number, step=0)
        mark_rewritten(db, number, step=0)
    assert table_rows(db, "rewrites") == [(rowid(number, 0), 2)]


def test_the_log_beside_the_file_is_emptied(db: Database, path: Path) -> None:
    fill(db, "t", "word")
    assert path.with_name("memory.db-wal").stat().st_size > 0
    erase_traces(db)
    assert path.with_name("memory.db-wal").stat().st_size == 0
