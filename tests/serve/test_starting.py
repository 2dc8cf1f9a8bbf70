"""What a command loads before it runs, which is most of the time that a short one takes."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from stepwell.memory.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path

ASK = """
import sys
from stepwell.serve.cli import app
app(["--db", sys.argv[1], "--encoder", "none", "ask", "which port?"], standalone_mode=False)
print(*sys.modules, sep="\\n", file=sys.stderr)
"""


def test_asking_loads_no_reader_no_statistics_and_nothing_for_terminals(tmp_path: Path) -> None:
    db = tmp_path / "m.db"
    with Memory(db, encoder=None) as memory:
        memory.add("The zebra's port is 80.")
    done = subprocess.run(
        [sys.executable, "-c", ASK, db], capture_output=True, text=True, check=True
    )
    assert "80" in done.stdout
    loaded = done.stderr.split()
    for name in ("stepwell.formats.", "stepwell.stats.", "rich.", "stepwell.learn."):
        assert [one for one in loaded if one.startswith(name)] == []
