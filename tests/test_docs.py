"""The documentation: every command is in it, its links lead somewhere, its tutorial works."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.cli_reference import REFERENCE, commands, reference

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
TUTORIAL = ROOT / "docs" / "tutorial.md"

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


def plain(text: str) -> list[str]:
    return text.split()


def test_the_reference_is_the_commands_own_help() -> None:
    written = REFERENCE.read_text(encoding="utf-8")
    assert plain(written) == plain(reference()), "run: python -m support.cli_reference"


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_is_documented(words: tuple[str, ...]) -> None:
    assert f"## {' '.join(('stepwell', *words))}\n" in REFERENCE.read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [w for w in commands() if len(w) == 1], ids=" ".join)
def test_every_command_is_in_the_readme(words: tuple[str, ...]) -> None:
    assert f"`stepwell {words[0]}" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    targets = _LINK.findall(path.read_text(encoding="utf-8"))
    assert [link for link in targets if not (path.parent / link).exists()] == []


def test_the_tutorial_does_what_it_shows(tmp_path: Path) -> None:
    environment = {
        **os.environ,  # noqa: TID251  (handed on, not read)
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",  # noqa: TID251
        "STEPWELL_DB": str(tmp_path / "memory.db"),
        "HOME": str(tmp_path),
    }
    output, n_run = "", 0
    for language, block in _BLOCK.findall(TUTORIAL.read_text(encoding="utf-8")):
        if language == "bash":
            done = subprocess.run(
                ["bash", "-euc", block],
                cwd=tmp_path,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )
            output, n_run = done.stdout.decode(), n_run + 1
            assert done.returncode == 0, f"{block}\n{output}"
        elif language == "text":
            shown = [line.strip() for line in block.splitlines() if line.strip(" …")]
            missing = [line for line in shown if line.rstrip("…").rstrip() not in output]
            assert missing == [], output
    assert n_run >= 5
