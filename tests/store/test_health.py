"""A file is looked through as it is: whether it is intact, and whether it can be written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from stepwell.errors import StoreError
from stepwell.memory.memory import Memory
from stepwell.store.health import Health, health_of, sqlite_in_use
from support.sealed_files import sealed

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    with Memory(path, encoder=None) as memory:
        memory.add("The zebra lives in the yard.")
    return path


def test_the_sqlite_in_use_is_told_with_its_version() -> None:
    assert re.fullmatch(r"SQLite 3\.[\d.]+ through apsw 3\.[\d.]+", sqlite_in_use())


def test_an_intact_file_has_no_damage_and_stays_as_it_is(path: Path) -> None:
    before = path.read_bytes()
    assert health_of(path) == Health(is_writable=True, damage=())
    assert path.read_bytes() == before


@pytest.mark.parametrize("with_folder", [True, False])
def test_a_file_that_cannot_be_written_is_intact(path: Path, *, with_folder: bool) -> None:
    with sealed(path, with_folder=with_folder):
        assert health_of(path) == Health(is_writable=False, damage=())


def test_damage_is_told(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096 * 2 : 4096 * 12] = b"\xff" * 4096 * 10
    path.write_bytes(data)
    assert health_of(path).damage


def test_what_is_no_database_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(b"no database" * 1_000)
    found = health_of(path)
    assert "not a database" in found.damage[0]
    assert not found.is_writable


def test_what_is_not_there_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be read") as raised:
        health_of(tmp_path / "missing.db")
    assert raised.value.hint == "Check its permissions."
