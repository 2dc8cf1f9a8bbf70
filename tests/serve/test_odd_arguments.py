"""Odd paths, numbers and texts on the command line: clear errors, and never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from stepwell.memory.memory import Memory


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("odd")
    with Memory(folder / "m.db", encoder=None) as memory:
        memory.add("The zebra lives in the yard.")
    (folder / "other.db").write_bytes(b"")
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe.jsonl")
    for one, other in (("a", "b"), ("b", "a")):
        (folder / one).symlink_to(other)
    return folder


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [str(Path(sys.executable).parent / "stepwell"), "--db", "m.db", "--encoder", "none"]
    return subprocess.run(
        [*command, *arguments], cwd=folder, capture_output=True, timeout=60, check=False
    )


ODD = [
    ("add", ""),
    ("add", "pipe.jsonl"),
    ("add", "a"),
    ("add", "x" * 5000),
    ("add", "/dev/null"),
    ("add", "nowhere/at/all"),
    ("ask", "zebra", "--budget", str(2**63)),
    ("ask", "zebra", "--budget", str(10**40)),
    ("ask", "zebra", "--budget", "-1"),
    ("ask", "zebra", "--before", "0000-00-00"),
    ("ask", "zebra", "--on", "99999-01-01"),
    ("show", f"s{10**30}"),
    ("show", "s0.m:L99999999999999999999"),
    ("show", "[]"),
    ("timeline", "\N{ZERO WIDTH SPACE}"),
    ("feedback", "zzz", "nan"),
    ("feedback", "zzz", "1e999"),
    ("forget", "s99"),
    ("policy", "show", "../../x"),
    ("stats", "--db", "pipe.jsonl"),
    ("stats", "--db", "/dev/null"),
    ("stats", "--db", "."),
    ("stats", "--db", "x" * 5000),
]


@pytest.mark.skipif(sys.platform == "win32", reason="its paths are of other systems")
@pytest.mark.parametrize("arguments", ODD, ids=lambda each: " ".join(each)[:60])
def test_it_is_told_what_is_wrong_and_what_to_do(arguments: tuple[str, ...], folder: Path) -> None:
    done = run(folder, *arguments)
    told = done.stderr.decode()
    assert done.returncode == 1, told
    assert told.startswith("error[")
    assert "next: " in told
    assert "Traceback" not in told


def test_a_database_in_memory_says_that_nothing_is_kept(folder: Path) -> None:
    log = folder / "log.json"
    log.write_text('[{"role": "user", "content": "hello"}]')
    done = run(folder, "add", "log.json", "--db", ":memory:")
    assert done.returncode == 0
    assert "nothing of it is kept" in done.stderr.decode()
    assert not (folder / ":memory:").exists()


def test_the_database_of_another_program_is_left_as_it_is(folder: Path) -> None:
    import apsw  # noqa: PLC0415  (here alone)

    path = folder / "theirs.db"
    db = apsw.Connection(str(path))
    db.execute("CREATE TABLE trajectories (x); INSERT INTO trajectories VALUES (1)")
    db.close()
    before = path.read_bytes()
    done = run(folder, "add", "log.json", "--db", "theirs.db")
    assert "belongs to another program" in done.stderr.decode()
    assert path.read_bytes() == before
    assert not (folder / "theirs.db-wal").exists()
