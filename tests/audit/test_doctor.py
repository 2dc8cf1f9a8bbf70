from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from stepwell.audit.doctor import Check, diagnose
from stepwell.config import Settings, open_memory

if TYPE_CHECKING:
    from pathlib import Path


def checks(path: Path) -> dict[str, Check]:
    return {check.name: check for check in diagnose(Settings(db=path, encoder="none"))}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    with open_memory(Settings(db=path, encoder="none")) as memory:
        for number in range(200):
            memory.add({"role": "user", "content": f"{number} " + "a long message " * 50})
    return path


def test_a_sound_installation_has_nothing_broken(path: Path) -> None:
    found = checks(path)
    assert {check.state for check in found.values()} <= {"ok", "note"}
    assert found["database"].detail.endswith("intact, writable")
    assert "200 steps" in found["contents"].detail


def test_a_missing_database_is_a_note_and_is_not_made(tmp_path: Path) -> None:
    found = checks(tmp_path / "memory.db")
    assert found["database"].state == "note"
    assert "stepwell add" in found["database"].detail
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_database_is_broken(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096 * 2 : 4096 * 12] = b"\xff" * 4096 * 10
    path.write_bytes(data)
    assert checks(path)["database"].state == "broken"


def test_a_file_that_is_no_database_is_broken(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    path.write_bytes(b"no database" * 1_000)
    assert checks(path)["database"].state == "broken"


def test_a_database_of_another_program_is_broken(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    db = apsw.Connection(str(path))
    db.execute("CREATE TABLE theirs (x)")
    db.close()
    assert checks(path)["contents"].state == "broken"


def test_a_newer_schema_says_to_upgrade(path: Path) -> None:
    db = apsw.Connection(str(path))
    db.execute("PRAGMA user_version = 999")
    db.close()
    found = checks(path)["contents"]
    assert found.state == "broken"
    assert "pip install --upgrade stepwell" in found.detail
