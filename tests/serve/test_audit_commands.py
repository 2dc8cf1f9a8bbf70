"""What the commands of `stepwell audit` take, and what they refuse before they look at anything."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner, Result

from stepwell.memory.memory import Memory
from stepwell.serve.cli import app

if TYPE_CHECKING:
    from pathlib import Path


def run(*args: object) -> Result:
    return CliRunner().invoke(app, [*map(str, args)])


@pytest.mark.parametrize(
    ("command", "option", "value"),
    [
        ("sharing", "--budget", 0),
        ("sharing", "--set-size", 1),
        ("sharing", "--names", "guessed"),
        ("sharing", "--seed", -1),
        ("tails", "--item", "word"),
        ("tails", "--accesses", "dreamt"),
        ("tails", "--last", 0),
        ("tails", "--draws", -1),
        ("tails", "--seed", -1),
    ],
)
def test_a_value_that_cannot_be_meant_is_refused_by_the_name_of_its_option(
    command: str, option: str, value: object
) -> None:
    done = run("audit", command, option, value)
    assert done.exit_code == 2
    assert option in done.stderr


@pytest.mark.parametrize("scope", ["--session", "--trajectory", "--user", "--agent", "--run"])
def test_a_file_is_of_no_scope(tmp_path: Path, scope: str) -> None:
    file = tmp_path / "counts.txt"
    file.write_text("1\n2\n", "utf-8")
    for args, leave in (
        (("tails", "--counts", file), "--counts"),
        (("sharing", tmp_path), "PATH"),
    ):
        done = run(scope, "x", "audit", *args)
        assert done.exit_code == 1
        assert f"leave out {leave}" in done.stderr


@pytest.mark.parametrize("command", ["sharing", "tails"])
def test_a_memory_that_is_not_there_is_not_made(tmp_path: Path, command: str) -> None:
    db = tmp_path / "none.db"
    done = run("--db", db, "--encoder", "none", "audit", command)
    assert done.exit_code == 1
    assert not db.exists()


@pytest.mark.parametrize("option", ["--counts", "--questions"])
def test_a_file_that_is_not_there_is_named_with_its_option(tmp_path: Path, option: str) -> None:
    command = ("tails",) if option == "--counts" else ("sharing", tmp_path)
    done = run("audit", *command, option, tmp_path / "none.txt")
    assert done.exit_code == 1
    assert f"Check the path of {option}." in done.stderr


def test_the_last_recalls_are_all_there_are_where_there_are_fewer(tmp_path: Path) -> None:
    db = tmp_path / "m.db"
    with Memory(db, encoder=None) as memory:
        for number in range(6):
            memory.add(f"door {number} is shut")
        for number in range(24):
            memory.recall(f"is door {number % 6} shut?", 200)
    args = ("--db", db, "--encoder", "none", "audit", "tails", "--draws", 0, "--json")
    counted = [
        json.loads(run(*args, *last).stdout)["n_recalls"]
        for last in ((), ("--last", 20), ("--last", 99))
    ]
    assert counted == [24, 20, 24]
