"""A file beside the memory: made at first use, one commit for each write, errors with advice."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import apsw
import pytest

from stepwell.errors import StoreError
from stepwell.store.sidefile import SideFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

INSERT = "INSERT INTO words VALUES (?, ?)"


def side_file(path: Path | None, *, can_be_made_again: bool = False) -> SideFile:
    return SideFile(
        path=path,
        schema="CREATE TABLE IF NOT EXISTS words (word TEXT PRIMARY KEY, n INTEGER)",
        trouble="The words cannot be kept",
        hint="Give another file.",
        can_be_made_again=can_be_made_again,
    )


@pytest.fixture
def file(tmp_path: Path) -> Iterator[SideFile]:
    file = side_file(tmp_path / "deep" / "words.sqlite")
    yield file
    file.close()


def test_what_is_written_is_found_after_the_file_was_closed(file: SideFile) -> None:
    file.write(INSERT, [("port", 5433), ("端口", 1)])
    file.close()
    file.close()
    assert file.rows("SELECT n FROM words WHERE word = ?", ("端口",)) == [(1,)]
    assert file.rows("SELECT count(*) FROM words") == [(2,)]


def test_the_file_is_made_when_it_is_first_used(file: SideFile) -> None:
    assert file.path is not None
    assert not file.path.parent.exists()
    file.open()
    assert file.path.exists()
    assert file.rows("SELECT * FROM words") == []


def test_without_a_path_everything_stays_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = side_file(None)
    file.write(INSERT, [("port", 5433)])
    assert file.rows("SELECT * FROM words") == [("port", 5433)]
    file.close()
    assert list(tmp_path.iterdir()) == []


def test_a_write_is_kept_whole_or_not_at_all(file: SideFile) -> None:
    with pytest.raises(StoreError, match="The words cannot be kept: UNIQUE constraint") as raised:
        file.write(INSERT, [("port", 1), ("host", 2), ("port", 3)])
    assert raised.value.hint == "Give another file."
    assert file.rows("SELECT * FROM words") == []
    file.write(INSERT, [("port", 4)])
    assert file.rows("SELECT * FROM words") == [("port", 4)]


def test_a_write_is_seen_by_others_at_once(file: SideFile) -> None:
    file.write(INSERT, [("port", 5433)])
    with closing(apsw.Connection(str(file.path))) as other:
        assert other.execute("SELECT * FROM words").fetchall() == [("port", 5433)]


def test_what_cannot_be_read_is_an_error_with_advice(file: SideFile) -> None:
    with pytest.raises(StoreError, match="The words cannot be kept: no such column: m"):
        file.rows("SELECT m FROM words")


def test_a_path_that_is_no_file_is_an_error_with_advice(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("no database, but long enough to be looked at " * 20, encoding="utf-8")
    for path in (tmp_path, taken, taken / "below"):
        with pytest.raises(StoreError, match="The words cannot be kept: ") as raised:
            side_file(path).open()
        assert raised.value.hint == "Give another file."
        with pytest.raises(StoreError, match="The words cannot be kept: "):
            side_file(path).rows("SELECT 1")


def test_an_error_of_the_content_is_told_alike(file: SideFile) -> None:
    error = file.unusable(ValueError("no JSON"))
    assert str(error) == "The words cannot be kept: no JSON. Give another file."


@pytest.mark.parametrize(("can_be_made_again", "level"), [(False, 2), (True, 1)])
def test_only_what_can_be_made_again_may_be_lost_in_a_power_cut(
    tmp_path: Path, level: int, *, can_be_made_again: bool
) -> None:
    file = side_file(tmp_path / "words.sqlite", can_be_made_again=can_be_made_again)
    assert file.rows("PRAGMA synchronous") == [(level,)]
    assert file.rows("PRAGMA journal_mode") == [("wal",)]
    assert file.rows("PRAGMA busy_timeout") == [(30_000,)]
    file.close()
