"""A stamp changes with whatever a reading of the file may depend on, and with nothing else."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from stepwell.formats.files.stamps import stamp_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LATER = 2_000_000_000


def write(path: Path, text: str, *, at: int = 1_000_000_000) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    os.utime(path, (at, at))
    return path


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Make a log with a sidecar and a folder of its name, and others beside it."""
    write(tmp_path / "run.meta.json", "{}")
    write(tmp_path / "run" / "subagents" / "a1.jsonl", "one")
    write(tmp_path / "other.jsonl", "other")
    return write(tmp_path / "run.jsonl", "log")


def test_the_same_files_have_the_same_stamp_wherever_they_lie(log: Path, tmp_path: Path) -> None:
    stamp = stamp_of(log)
    assert stamp_of(log) == stamp
    assert stamp.changed_at == 1_000_000_000
    assert stamp.sha256 == ""
    there = tmp_path / "moved"
    for file in (log, tmp_path / "run.meta.json", tmp_path / "run" / "subagents" / "a1.jsonl"):
        write(there / file.relative_to(tmp_path), file.read_text("utf-8"))
    assert stamp_of(there / "run.jsonl").text == stamp.text


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: write(folder / "run.jsonl", "more"),
        lambda folder: write(folder / "run.jsonl", "log", at=LATER),
        lambda folder: write(folder / "run.meta.json", "{ }"),
        lambda folder: (folder / "run.meta.json").unlink(),
        lambda folder: write(folder / "run" / "subagents" / "a1.jsonl", "two", at=LATER),
        lambda folder: write(folder / "run" / "subagents" / "a2.jsonl", ""),
        lambda folder: write(folder / "run" / "tool-results" / "b.txt", "output"),
        lambda folder: (folder / "run" / "subagents" / "a1.jsonl").rename(folder / "run" / "a1"),
    ],
    ids=range(8),
)
def test_a_change_of_the_file_or_of_what_lies_beside_it_is_seen(
    log: Path, change: Callable[[Path], object]
) -> None:
    before = stamp_of(log)
    change(log.parent)
    assert stamp_of(log).text != before.text


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: write(folder / "other.jsonl", "changed", at=LATER),
        lambda folder: write(folder / "other" / "x", "new"),
        lambda folder: write(folder / "run2.meta.json", "new"),
        lambda folder: (folder / "run" / "empty").mkdir(),
    ],
    ids=range(4),
)
def test_what_is_another_log_s_is_not_looked_at(
    log: Path, change: Callable[[Path], object]
) -> None:
    before = stamp_of(log)
    change(log.parent)
    assert stamp_of(log) == before


def test_the_latest_change_of_all_of_them_counts(log: Path) -> None:
    write(log.parent / "run" / "subagents" / "a1.jsonl", "one", at=LATER)
    assert stamp_of(log).changed_at == LATER


def test_what_lies_beside_a_packed_log_is_named_as_beside_the_log(log: Path) -> None:
    packed = write(log.with_name("run.jsonl.gz"), "packed")
    assert stamp_of(packed).beside == stamp_of(log).beside != ""


def test_a_file_without_a_suffix_has_no_folder_of_its_name(tmp_path: Path) -> None:
    assert stamp_of(write(tmp_path / "run", "log")).beside == ""


def test_a_digest_is_of_the_bytes_and_of_what_lies_beside(log: Path) -> None:
    stamp = stamp_of(log)
    one, other = stamp.of_bytes(b"log"), stamp.of_bytes(b"gol")
    assert one.sha256 != other.sha256
    assert (one.text, one.changed_at, one.beside) == (stamp.text, stamp.changed_at, stamp.beside)
    write(log, "log", at=LATER)  # written again as it was
    assert stamp_of(log).of_bytes(b"log").sha256 == one.sha256
    write(log.parent / "run" / "a2", "new")
    assert stamp_of(log).of_bytes(b"log").sha256 != one.sha256


def test_a_file_that_is_not_there_has_no_stamp(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        stamp_of(tmp_path / "none.jsonl")
