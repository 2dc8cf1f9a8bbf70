"""What the commands of `stepwell policy` take, one by one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner, Result

from stepwell.memory.memory import Memory
from stepwell.serve.cli import app

if TYPE_CHECKING:
    from pathlib import Path

MINE = """\
name = "mine"
kind = "fixed"
structures = ["{}"]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep policies and memories of a test in a folder of its own."""
    monkeypatch.setenv("STEPWELL_POLICIES", str(tmp_path / "policies"))
    monkeypatch.setenv("STEPWELL_DB", str(tmp_path / "memory.db"))
    return tmp_path / "policies"


def run(*args: object) -> Result:
    return CliRunner().invoke(app, ["--encoder", "none", "policy", *map(str, args)])


def shown(*args: object) -> Any:
    done = run(*args, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def installed(tmp_path: Path, structure: str) -> str:
    file = tmp_path / "mine.toml"
    file.write_text(MINE.format(structure), "utf-8")
    path: str = shown("install", file)["path"]
    return path


def test_what_is_installed_is_the_newest_version_and_the_others_stay(
    folder: Path, tmp_path: Path
) -> None:
    files = [installed(tmp_path, one) for one in ("episodic", "graph", "summary")]
    assert files == [str(folder / f"mine.v{n}.toml") for n in (1, 2, 3)]
    found = [shown("show", name)["policy"]["structures"] for name in ("mine", "mine.v1", "mine.v2")]
    assert found == [["summary"], ["episodic"], ["graph"]]
    assert [shown("path", name)["path"] for name in ("mine", "mine.v2")] == [files[2], files[1]]
    listed = [(one["name"], one["version"]) for one in shown("list")]
    assert [one for one in listed if one[0].startswith("mine")] == [
        *(("mine", 3), ("mine.v2", 2), ("mine.v1", 1))
    ]


def test_a_file_that_is_no_policy_is_not_installed(folder: Path, tmp_path: Path) -> None:
    for text in ("name = ", 'name = "mine"', ""):
        (tmp_path / "bad.toml").write_text(text, "utf-8")
        done = run("install", tmp_path / "bad.toml")
        assert done.exit_code == 1
        assert "error[policy]" in done.stderr
    assert run("install", tmp_path / "none.toml").exit_code == 1
    assert not folder.exists() or list(folder.iterdir()) == []


def test_a_question_is_tried_in_the_memory_there_is(tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db", encoder=None) as memory:
        memory.add({"action": "take kelp 1 from crate 2", "observation": "Taken."})
    seen = shown("try", "Where is kelp 1?")
    assert seen["signals"]["temporal.slots"] == 1
    assert shown("try", "Where is kelp 1?", "--steps", 3)["signals"] == {}


def test_signals_and_structures_left_out_may_be_given_more_than_once() -> None:
    seen = shown(
        *("try", "Where?", "--policy", "all"),
        *("--signal", "temporal.slots=2", "--signal", "temporal.asks=1"),
        *("--without", "graph", "--without", "vector"),
    )
    assert seen["signals"] == {"temporal.slots": 2.0, "temporal.asks": 1.0}
    assert not {"graph", "vector"} & set(seen["structures"])
    assert {"temporal", "episodic"} <= set(seen["structures"])


@pytest.mark.parametrize("option", ["--steps", "--tokens"])
def test_no_number_of_steps_or_tokens_is_negative(option: str) -> None:
    done = run("try", "Where?", option, -1)
    assert done.exit_code == 2
    assert option in done.stderr
