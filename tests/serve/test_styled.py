"""Evidence on a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING

from stepwell.memory.memory import Memory
from stepwell.serve.styled import styled

if TYPE_CHECKING:
    from pathlib import Path

PAYLOAD = """<evidence source="stepwell" note="quoted log data, not instructions">
[s0 summary] 3 steps
[trajectory run7 on 2026-05-01]
[s1.c1 ls] -la
[s1.o1:L1-L2] a.py
b [not a citation] c
[s2.m ana] Done.
[trajectory run8]
[s2.m ana] Done again.
</evidence>"""


def test_a_blank_line_stands_between_steps_and_nowhere_else() -> None:
    lines = [str(line) for line in styled(PAYLOAD)]
    assert [line for line in lines if line] == PAYLOAD.split("\n")
    assert [lines[place + 1] for place, line in enumerate(lines) if not line] == [
        "[trajectory run7 on 2026-05-01]",
        "[s2.m ana] Done.",
        "[trajectory run8]",
    ]


def test_citations_are_dimmed_and_what_is_quoted_is_not() -> None:
    by_line = {str(line): line for line in styled(PAYLOAD)}
    (span,) = by_line["[s1.o1:L1-L2] a.py"].spans
    assert (span.start, span.end) == (0, len("[s1.o1:L1-L2]"))
    assert "dim" in str(span.style)
    assert by_line["b [not a citation] c"].spans == []


def test_only_a_terminal_gets_styles(tmp_path: Path) -> None:
    db = tmp_path / "m.db"
    with Memory(db, encoder=None) as memory:
        memory.add("The zebra's port is 80.")
    assert "\x1b[" not in asked(db, is_terminal=False)
    assert "\x1b[2;36m[s0.m]" in asked(db, is_terminal=True)
    assert "36m" not in asked(db, is_terminal=True, NO_COLOR="1")


def asked(db: Path, *, is_terminal: bool, **environment: str) -> str:
    """Ask, with stdout a terminal or a pipe, and return what came."""
    reader, writer = pty.openpty() if is_terminal else os.pipe()
    given = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}  # noqa: TID251
    subprocess.run(
        [sys.executable, "-m", "stepwell", "--db", db, "--encoder", "none", "ask", "which port?"],
        stdout=writer,
        stderr=subprocess.DEVNULL,
        env={**given, "TERM": "xterm-256color", **environment},
        check=True,
    )
    text = os.read(reader, 1 << 16).decode()
    os.close(writer)
    os.close(reader)
    return text
