"""A file that cannot be written is read as it is; what would write says why it cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from stepwell.audit.doctor import diagnose
from stepwell.config import Settings
from stepwell.errors import StoreError
from stepwell.memory.memory import Memory
from stepwell.store.database import open_database
from support.encoders import HashEncoder
from support.sealed_files import sealed

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    with Memory(path, encoder=None) as memory:
        memory.add("The zebra lives in the yard.")
        memory.recall("zebra", 200)
    diagnose(Settings(db=path, encoder="none"))  # imports what it needs while it may
    return path


@pytest.mark.parametrize("with_folder", [True, False])
def test_a_read_only_file_is_read(path: Path, *, with_folder: bool) -> None:
    with sealed(path, with_folder=with_folder), Memory(path, encoder=None) as memory:
        assert memory.recall("zebra", 200).items[0].id == "live/s0.m"
        assert [entry.trajectory_id for entry in memory.sessions()] == ["live"]
        assert memory.stats().n_steps == 1


@pytest.mark.parametrize("with_folder", [True, False])
def test_writing_a_read_only_file_says_so(path: Path, *, with_folder: bool) -> None:
    with sealed(path, with_folder=with_folder), Memory(path, encoder=None) as memory:
        with pytest.raises(StoreError, match="the database is read-only"):
            memory.add("more")
        with pytest.raises(StoreError, match="the database is read-only"):
            memory.forget(everything=True)


def test_vectors_are_off_where_a_read_only_file_has_none(path: Path) -> None:
    with sealed(path, with_folder=True), Memory(path, encoder=HashEncoder()) as memory:
        found = memory.recall("zebra", 200)
        assert found.items
        assert any("read-only" in notice for notice in found.notices)
        assert memory.unindexed() == 0


def test_vectors_of_a_read_only_file_are_used(path: Path) -> None:
    with Memory(path, encoder=HashEncoder()) as memory:
        memory.index()
    with sealed(path, with_folder=True), Memory(path, encoder=HashEncoder()) as memory:
        assert [r.structure for r in memory.recall("zebra", 200).readings] == ["vector", "episodic"]
        assert memory.stats().n_vectors == 1


def test_an_older_schema_needs_a_writable_file(path: Path) -> None:
    db = apsw.Connection(str(path))
    db.execute("PRAGMA user_version = 0")
    db.close()
    with (
        sealed(path, with_folder=True),
        pytest.raises(StoreError, match="the file cannot be written"),
    ):
        open_database(path)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is a folder; name a file"):
        open_database(tmp_path)
    (found,) = (c for c in diagnose(Settings(db=tmp_path, encoder="none")) if c.name == "database")
    assert (found.state, "backup" in found.detail) == ("broken", False)


@pytest.mark.parametrize("with_folder", [True, False])
def test_the_doctor_does_not_call_a_read_only_file_damaged(
    path: Path, *, with_folder: bool
) -> None:
    with sealed(path, with_folder=with_folder):
        checks = {check.name: check for check in diagnose(Settings(db=path, encoder="none"))}
    assert checks["database"].state == "note"
    assert "read-only" in checks["database"].detail
    assert "1 steps" in checks["contents"].detail
