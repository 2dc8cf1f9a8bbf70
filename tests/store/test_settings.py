"""A database has a secret of its own, which stays with the file."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from stepwell.store.database import open_database
from stepwell.store.settings import mark_key

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_keeps_its_secret_and_another_has_another(tmp_path: Path) -> None:
    keys: list[bytes | None] = []
    for name in ("a.db", "a.db", "b.db"):
        with closing(open_database(tmp_path / name)) as db:
            keys.append(mark_key(db))
    assert keys[0] == keys[1] != keys[2]
    assert all(key is not None and len(key) == 32 for key in keys)


def test_a_file_without_one_is_said_to_have_none(tmp_path: Path) -> None:
    with closing(open_database(tmp_path / "a.db")) as db:
        db.execute("DELETE FROM settings")
        assert mark_key(db) is None
        db.execute("DROP TABLE settings")
        assert mark_key(db) is None
