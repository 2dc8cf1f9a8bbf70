"""Outputs that are closed or full, and arguments that are no Unicode, end in a helpful error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from stepwell.memory.memory import Memory

pytestmark = pytest.mark.skipif(os.name != "posix", reason="redirections of a POSIX shell")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    with Memory(path, encoder=None) as memory:
        memory.add("The zebra lives in the yard.")
    return path


def run(db: Path, *args: str | bytes, redirected: str = "") -> subprocess.CompletedProcess[bytes]:
    """Run a command under `sh`, its streams redirected."""
    command = [sys.executable, "-m", "stepwell", "--db", str(db), "--encoder", "none", *args]
    return subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {redirected}', "sh", *command],
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize("args", [("ask", "zebra"), ("sessions",), ("show", "s0")], ids=str)
def test_a_closed_output_is_an_error(db: Path, args: tuple[str, ...]) -> None:
    done = run(db, *args, redirected=">&-")
    assert done.returncode == 1
    assert done.stderr.startswith(b"error[invalid-input]: There is no output to write to")
    assert b"Traceback" not in done.stderr


def test_what_prints_nothing_needs_no_output(db: Path) -> None:
    done = run(db, "forget", "--all", "--yes", redirected=">&- 2>&- <&-")
    assert done.returncode == 0
    with Memory(db, encoder=None) as memory:
        assert memory.sessions() == []


def test_without_an_input_nobody_confirms(db: Path) -> None:
    done = run(db, "forget", "--all", redirected="<&-")
    assert done.returncode == 1
    assert b"Repeat the command with --yes" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("args", [("ask", "zebra"), ("timeline",), ("--help",)], ids=str)
def test_a_full_output_is_an_error(db: Path, args: tuple[str, ...]) -> None:
    done = run(db, *args, redirected=">/dev/full")
    assert done.returncode == 1
    assert done.stderr.startswith(b"error[invalid-input]: The output cannot be written")
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_output_is_an_error_in_json(db: Path) -> None:
    done = run(db, "timeline", "--json", redirected=">/dev/full")
    assert done.returncode == 1
    assert json.loads(done.stderr)["error"]["kind"] == "invalid-input"


@pytest.mark.parametrize(
    "args",
    [("--user", b"\xff", "ask", "x"), ("show", b"\xff"), ("--db", b"\xff.db", "add", "x")],
    ids=str,
)
def test_arguments_that_are_no_unicode_are_refused(db: Path, args: tuple[str | bytes, ...]) -> None:
    done = run(db, *args)
    assert done.returncode == 1
    assert done.stderr.startswith(b"error[invalid-input]: ")
    assert b"Traceback" not in done.stderr
