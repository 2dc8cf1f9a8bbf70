"""What `stepwell learn` takes, and what it refuses before anything is learned."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner, Result

from stepwell.memory.memory import Memory
from stepwell.serve.cli import app

if TYPE_CHECKING:
    from pathlib import Path


def run(*args: object) -> Result:
    return CliRunner().invoke(app, ["learn", *map(str, args)])


def test_there_has_to_be_one_thing_to_learn_from(tmp_path: Path) -> None:
    for args in ((), ("--feedback", "--questions", tmp_path)):
        result = run(*args)
        assert result.exit_code == 1
        assert "--questions FILE or --feedback" in result.stderr


def test_the_old_way_of_naming_data_says_what_to_do_now(tmp_path: Path) -> None:
    result = run("--data", tmp_path)
    assert result.exit_code == 1
    assert "stepwell bench questions --data FOLDER" in result.stderr


def test_a_number_of_questions_is_pointed_to_the_sample(tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db", encoder=None) as memory:
        memory.add({"role": "user", "content": "Set retries to 3."})
    result = run("--db", tmp_path / "memory.db", "--questions", tmp_path / "100")
    assert result.exit_code == 1
    assert "--sample takes a number" in result.stderr


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--budget", 99),
        ("--iterations", 0),
        ("--sample", 9),
        ("--seed", -1),
        ("--reward", "praise"),
        ("--proposer", "me"),
    ],
)
def test_a_value_that_cannot_be_meant_is_refused_by_the_name_of_its_option(
    tmp_path: Path, option: str, value: object
) -> None:
    result = run("--feedback", "--state", tmp_path / "state", option, value)
    assert result.exit_code == 2
    assert option in result.stderr
    assert not (tmp_path / "state").exists()


def test_a_memory_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    db = tmp_path / "none.db"
    result = run("--db", db, "--encoder", "none", "--feedback", "--state", tmp_path / "state")
    assert result.exit_code == 1
    assert str(db) in result.stderr
    assert list(tmp_path.iterdir()) == []
