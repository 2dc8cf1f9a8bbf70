"""What a terminal sees, through a pseudo-terminal."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys

import pytest

pty = pytest.importorskip("pty")

HOSTILE = "\x1b]0;title\x07\x1b[2J\x9b2J[bold red]x[/] \u202egpj :smile:"


def on_terminal(code: str) -> str:
    """Return what Python code writes to a terminal of 60 columns."""
    parent, child = pty.openpty()
    environment = {**os.environ, "COLUMNS": "60", "TERM": "xterm"}  # noqa: TID251  (handed on)
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=child, stderr=child, env=environment
    )
    os.close(child)
    chunks: list[bytes] = []
    with contextlib.suppress(OSError):  # Linux reports the end of a terminal as an error
        while chunk := os.read(parent, 65_536):
            chunks.append(chunk)
    os.close(parent)
    assert process.wait() == 0, b"".join(chunks)
    return b"".join(chunks).decode().replace("\r\n", "\n")


@pytest.mark.parametrize(
    "call",
    [
        f"print_table(('a', 'b'), [(1, {HOSTILE!r})], wrap=True)",
        f"verbatim({HOSTILE!r})",
        f"print_text({HOSTILE!r})",
        f"say({HOSTILE!r})",
    ],
)
def test_log_text_cannot_command_the_terminal(call: str) -> None:
    shown = on_terminal(f"from stepwell.serve.render import *\n{call}")
    assert not {"\x07", "\x9b", "\u202e"} & set(shown)
    assert "\x1b[2J" not in shown
    assert "[bold red]x[/]" in shown
    assert ":smile:" in shown


def test_a_narrow_table_keeps_every_column() -> None:
    rows = [("run7", 12, "claude-code", "A long title " * 20)]
    code = (
        "from stepwell.serve.render import print_table; "
        f"print_table(('trajectory', 'steps', 'format', 'title'), {rows!r})"
    )
    line = on_terminal(code).splitlines()[1]
    assert line.split()[:4] == ["run7", "12", "claude-code", "A"]
    assert len(line) <= 60


def test_progress_shows_names_as_text() -> None:
    code = (
        "from stepwell.serve.render import progress\n"
        f"with progress('reading') as advance: advance({HOSTILE!r})"
    )
    shown = on_terminal(code)
    assert not {"\x07", "\x9b", "\u202e"} & set(shown)


def test_nothing_moves_where_there_is_no_terminal() -> None:
    code = (
        "from stepwell.serve.render import progress\n"
        "with progress('reading', total=3) as advance: advance('a.json')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout + done.stderr == b""
