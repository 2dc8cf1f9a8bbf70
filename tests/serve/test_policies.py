"""`stepwell policy`: list, show, try, compare, install; the page about it does what it says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from stepwell.policy.cues import CUES
from stepwell.serve.cli import app

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "policies.md"
_BLOCK = re.compile(r"^```(bash|text|toml)\n(.*?)^```$", re.DOTALL | re.MULTILINE)

RULES = """\
name = "mine"
kind = "rules"
description = "Counts from the state log."
default = ["vector", "diary"]

[[rule]]
when = ["asks count"]
read = ["temporal", "episodic"]
tokens = { temporal = 300 }
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STEPWELL_POLICIES", str(tmp_path / "policies"))
    (tmp_path / "mine.toml").write_text(RULES, encoding="utf-8")
    return tmp_path / "policies"


def run(*args: object) -> Result:
    return CliRunner().invoke(app, ["policy", *map(str, args)])


def shown(*args: object) -> Any:
    done = run(*args, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def test_it_lists_what_comes_with_stepwell_and_what_was_installed(
    folder: Path, tmp_path: Path
) -> None:
    assert [one["name"] for one in shown("list")] == ["default", "plain", "all"]
    assert run("install", tmp_path / "mine.toml").stdout.strip() == str(folder / "mine.v1.toml")
    assert [one["name"] for one in shown("list")][3:] == ["mine"]
    assert "Counts from the state log." in run("list").stdout


def test_a_broken_file_is_told_and_passed_over(folder: Path) -> None:
    folder.mkdir()
    (folder / "broken.toml").write_text("name = ", encoding="utf-8")
    done = run("list")
    assert done.exit_code == 0
    assert "passed over" in done.stderr
    assert "broken" not in done.stdout
    assert shown("list")[-1]["problem"]


def test_it_shows_rules_as_sentences_and_warns_of_names_it_does_not_know(tmp_path: Path) -> None:
    done = run("show", tmp_path / "mine.toml")
    assert "1. if asks count: read temporal (at most 300 tokens), episodic" in done.stdout
    assert "otherwise: read vector, diary" in done.stdout
    assert "diary" in done.stderr
    assert shown("show", tmp_path / "mine.toml")["warnings"]
    assert shown("show", "plain")["policy"]["structures"] == ["units", "vector", "episodic"]


def test_it_tries_a_question(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    assert shown("try", "How many?", "--policy", mine) == {
        "policy": "mine",
        "version": 1,
        "structures": ["temporal", "episodic"],
        "tokens": {"temporal": 300},
        "why": "rule 1: asks count",
        "cues": ["count", "how", "short"],
        "signals": {},
    }
    said = run("try", "How many?", "--policy", mine, "--without", "temporal").stdout
    assert "read: episodic\nwhy: rule 1: asks count\n" in said


def test_the_default_asks_the_state_log_where_it_can_compute_an_answer() -> None:
    question = "How many keys is the player carrying?"
    assert "temporal" not in shown("try", question)["structures"]
    assert "temporal" in shown("try", question, "--signal", "temporal.asks=1")["structures"]


@pytest.mark.parametrize("signal", ["slots", "slots=", "=1", "slots=many", "slots=nan"])
def test_a_signal_is_a_name_with_a_number(signal: str) -> None:
    done = run("try", "Why?", "--signal", signal)
    assert done.exit_code == 1
    assert "temporal.slots=2" in done.stderr


def test_it_tells_policies_apart(tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text(RULES.replace("300", "200"), encoding="utf-8")
    same = run("diff", tmp_path / "mine.toml", tmp_path / "mine.toml")
    assert (same.exit_code, same.stdout) == (0, "")
    assert shown("diff", tmp_path / "mine.toml", tmp_path / "mine.toml")["same"]
    said = run("diff", tmp_path / "mine.toml", tmp_path / "other.toml").stdout
    assert "-temporal = 300" in said
    assert "+temporal = 200" in said


def test_it_says_where_a_policy_is() -> None:
    path = shown("path", "default")["path"]
    assert run("path", "default").stdout.strip() == path
    assert Path(path).is_file()


def test_a_hostile_program_is_an_error_and_no_crash(tmp_path: Path) -> None:
    (tmp_path / "hostile.toml").write_text(
        'name = "hostile"\nkind = "program"\nsource = \'\'\'\ndef select(question, context):\n'
        "    return [str(max(range(2000000000)))]\n'''\n",
        encoding="utf-8",
    )
    done = run("try", "Why?", "--policy", tmp_path / "hostile.toml")
    assert done.exit_code == 1
    assert "error[policy]: The program was ended" in done.stderr
    assert "def select" in run("show", tmp_path / "hostile.toml").stdout


@pytest.mark.parametrize("command", ["show", "path"])
def test_a_policy_nobody_knows_is_an_error(command: str) -> None:
    done = run(command, "nobody")
    assert done.exit_code == 1
    assert "There are: all, default, plain." in done.stderr


def test_every_cue_is_on_the_page_with_its_example() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, cue in CUES.items():
        example = "" if name == "long" else cue.example
        assert f"| `{name}` | {example}" in page


@pytest.mark.skipif(sys.platform == "win32", reason="its commands are for a POSIX shell")
def test_the_page_does_what_it_shows(tmp_path: Path) -> None:
    environment = {
        **os.environ,  # noqa: TID251  (handed on, not read)
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",  # noqa: TID251
        "STEPWELL_DB": str(tmp_path / "memory.db"),
        "HOME": str(tmp_path),
    }
    output, n_run = "", 0
    for language, block in _BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if language == "toml":
            name = re.findall(r'^name = "(\w+)"', block, re.MULTILINE)[0]
            (tmp_path / f"{name}.toml").write_text(block, encoding="utf-8")
        elif language == "bash":
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
        else:
            missing = [line for line in block.splitlines() if line.strip() not in output]
            assert missing == [], output
    assert n_run == 4
