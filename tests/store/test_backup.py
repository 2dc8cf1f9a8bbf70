"""Before a schema is changed, what a file holds is copied beside it, whole."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import apsw
import pytest

from stepwell.audit.doctor import diagnose
from stepwell.config import Settings
from stepwell.errors import StoreError
from stepwell.memory.memory import Memory
from stepwell.store import database
from stepwell.store.backup import back_up, backup_path, backups_of
from stepwell.store.database import open_database, schema_version
from stepwell.store.schema import MIGRATIONS

if TYPE_CHECKING:
    from pathlib import Path

OLDER = 5


def make_older(path: Path) -> None:
    """Undo the migrations behind it, as far as it matters: the file is of that schema."""
    with closing(apsw.Connection(str(path))) as db:
        db.execute("CREATE TABLE annotations (id INTEGER PRIMARY KEY)")
        for table in ("contents", "tombstones", "files", "file_runs", "settings"):
            db.execute(f"DROP TABLE {table}")
        db.execute("ALTER TABLE trajectories ADD COLUMN fingerprint BLOB NOT NULL DEFAULT x''")
        db.execute("CREATE INDEX trajectories_by_fingerprint ON trajectories (fingerprint)")
        db.execute(f"PRAGMA user_version = {OLDER}")


def version_of(path: Path) -> int:
    with closing(apsw.Connection(str(path))) as db:
        return schema_version(db)


def steps_of(path: Path) -> int:
    with closing(apsw.Connection(str(path))) as db:
        return int(db.execute("SELECT count(*) FROM steps").get)


def tables_of(path: Path) -> set[str]:
    with closing(apsw.Connection(str(path))) as db:
        return {name for (name,) in db.execute("SELECT name FROM sqlite_master")}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file of the schema before this one, which holds a step."""
    path = tmp_path / "memory.db"
    with Memory(path, encoder=None) as memory:
        memory.add("The zebra lives in the yard.")
    make_older(path)
    return path


def test_a_file_of_an_older_schema_is_copied_before_it_is_upgraded(path: Path) -> None:
    open_database(path).close()
    kept = path.with_name(f"memory.db.v{OLDER}.bak")
    assert backups_of(path) == [kept]
    assert (version_of(path), version_of(kept)) == (len(MIGRATIONS), OLDER)
    assert "contents" in tables_of(path)
    assert "contents" not in tables_of(kept)
    assert steps_of(kept) == steps_of(path) == 1


def test_a_backup_can_be_used_in_the_place_of_the_file(path: Path) -> None:
    with Memory(path, encoder=None) as memory:
        text = memory.recall("zebra", budget=200).text
        memory.forget(everything=True)
    backup_path(path, OLDER).replace(path)
    with Memory(path, encoder=None) as memory:
        # Each upgrade makes a secret of its own, by which payloads are marked.
        assert memory.recall("zebra", budget=200).text[99:] == text[99:]
        assert memory.get("live/s0.m").text == "The zebra lives in the yard."


def test_what_is_in_the_log_alone_is_copied_too(path: Path) -> None:
    with closing(apsw.Connection(str(path))) as writer:
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.execute("INSERT INTO annotations VALUES (7)")
        assert path.with_name("memory.db-wal").stat().st_size
        open_database(path).close()
    with closing(apsw.Connection(str(backup_path(path, OLDER)))) as kept:
        assert kept.execute("SELECT id FROM annotations").fetchall() == [(7,)]


def test_a_file_is_upgraded_once_and_its_backup_left_alone(path: Path) -> None:
    open_database(path).close()
    written = backup_path(path, OLDER).read_bytes()
    with Memory(path, encoder=None) as memory:
        memory.add("more")
    open_database(path).close()
    assert backup_path(path, OLDER).read_bytes() == written


@pytest.mark.parametrize("version", [0, 1, OLDER, len(MIGRATIONS)])
def test_a_file_that_holds_nothing_has_no_backup(tmp_path: Path, version: int) -> None:
    path = tmp_path / "empty.db"
    with closing(apsw.Connection(str(path))) as db:
        for script in MIGRATIONS[:version]:
            db.execute(script)
        db.execute(f"PRAGMA user_version = {version}")
    open_database(path).close()
    assert version_of(path) == len(MIGRATIONS)
    assert backups_of(path) == []


def test_memory_that_is_no_file_has_no_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Memory(None, encoder=None) as memory:
        memory.add("more")
    assert list(tmp_path.iterdir()) == []


def test_an_upgrade_that_fails_leaves_the_file_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = "DROP TABLE annotations; INSERT INTO nowhere VALUES (1);"
    with monkeypatch.context() as patched:
        patched.setattr(database, "MIGRATIONS", (*MIGRATIONS[:OLDER], broken))
        with pytest.raises(StoreError, match="nowhere"):
            open_database(path)
    assert version_of(path) == OLDER
    assert "annotations" in tables_of(path)
    with Memory(path, encoder=None) as memory:  # the next attempt replaces the backup
        assert memory.get("live/s0.m").text == "The zebra lives in the yard."
    assert backups_of(path) == [backup_path(path, OLDER)]


def test_where_no_backup_can_be_made_nothing_is_upgraded(path: Path) -> None:
    backup_path(path, OLDER).mkdir()  # a folder where the backup is to be
    with pytest.raises(StoreError, match="the backup before that") as raised:
        open_database(path)
    assert raised.value.hint.startswith("Make room in its folder")
    assert version_of(path) == OLDER
    assert sorted(one.name for one in path.parent.glob("*.part")) == []


def test_a_backup_has_the_permissions_of_the_file(path: Path) -> None:
    path.chmod(0o640)
    open_database(path).close()
    assert backup_path(path, OLDER).stat().st_mode & 0o777 == 0o640


def test_remains_of_a_backup_that_was_broken_off_are_replaced(path: Path) -> None:
    part = path.with_name(f"memory.db.v{OLDER}.bak.part")
    part.write_bytes(b"half a backup" * 1_000)
    open_database(path).close()
    assert not part.exists()
    assert steps_of(backup_path(path, OLDER)) == 1


def test_a_connection_that_writes_is_not_copied(path: Path) -> None:
    with closing(apsw.Connection(str(path))) as db:
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO annotations VALUES (7)")
        with pytest.raises(StoreError, match="cannot be made"):
            back_up(db, path, version=OLDER)
    assert backups_of(path) == []
    assert [one.name for one in path.parent.iterdir() if "bak" in one.name] == []


def test_only_backups_of_the_file_itself_are_named(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    names = ["memory.db", "memory.db.v4.bak", "memory.db.v4.bak.part", "other.db.v4.bak"]
    for name in [*names, "memory.db.v3.bak", "memory.db-wal", "memory.db.bak"]:
        (tmp_path / name).touch()
    assert [one.name for one in backups_of(path)] == ["memory.db.v3.bak", "memory.db.v4.bak"]
    assert backups_of(tmp_path / "missing" / "memory.db") == []


def test_doctor_names_the_backups(path: Path) -> None:
    open_database(path).close()

    def found() -> list[tuple[str, str]]:
        checks = diagnose(Settings(db=path, encoder="none"))
        return [(check.state, check.detail) for check in checks if check.name == "backups"]

    kept = backup_path(path, OLDER)
    kept.touch()
    ((state, detail),) = found()
    assert state == "note"
    assert detail.startswith(f"{kept}: from before an upgrade")
    kept.unlink()
    assert found() == []
