"""`ask --allocation`, and words of several steps: odd ones are refused with a hint, on stderr."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner, Result

from stepwell import Memory
from stepwell.serve.cli import app

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    with Memory(path, encoder=None) as memory:
        for number in range(30):
            text = f"staging port {number} " + "is up. " * 9
            memory.add({"role": "user", "content": text}, trajectory="run7")
        memory.add({"role": "user", "content": "hello"}, trajectory="run 8")
        memory.add({"role": "user", "content": "goodbye"}, trajectory="run 8")
    return path


def run(db: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["--db", str(db), "--encoder", "none", *words])


@pytest.mark.parametrize(
    "setting",
    [
        "",
        "tau",
        "tau=",
        "=1",
        " tau=1",
        "TAU=1",
        "tau=x",
        "tau=nan",
        "tau=inf",
        "tau=-1",
        "tau=1=2",
        "tau=1,score_weight=0",
        "score_weight=-inf",
        "concentration=0",
        "worth=0",
        "core=0.5",
        "tail=1.01",
        "order=",
        "order=best",
        "whole=maybe",
        "seed=1.5",
        "seed=-1",
        "seed=" + "9" * 5_000,
    ],
)
def test_an_odd_setting_is_refused_with_what_to_give(db: Path, setting: str) -> None:
    result = run(db, "ask", "which port?", "--allocation", setting)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "error[invalid-input]" in result.stderr
    assert "next: " in result.stderr


def test_the_last_of_two_settings_counts(db: Path) -> None:
    twice = run(db, "ask", "which port?", "--allocation", "tail=1", "--allocation", "tail=0")
    once = run(db, "ask", "which port?", "--allocation", "tail=0")
    assert twice.exit_code == 0
    assert twice.stdout == once.stdout


@pytest.mark.parametrize(
    "word",
    [
        "",
        "run7/s3-s1",
        "run7/s9,s3-s1",
        "run7/s1,,s2",
        "run7/s1, s2",
        "run7/s3-s5.o1",
        "run7/s1-s2-s3",
        "run7/s0-s999999999999",
        "run7/s1,s99",
        "run9/s1",
        "s1,s2",
        "run7/s1,run 8/s1",
    ],
)
@pytest.mark.parametrize("command", ["show", "expand"])
def test_an_odd_word_of_steps_is_refused_whole(db: Path, command: str, word: str) -> None:
    result = run(db, command, word)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "next: " in result.stderr
    as_json = run(db, command, word, "--json")
    assert (as_json.exit_code, as_json.stdout) == (1, "")
    assert json.loads(as_json.stderr)["error"]["hint"]


@pytest.mark.parametrize("command", ["show", "expand"])
def test_one_citation_is_one_object_and_several_are_a_list(db: Path, command: str) -> None:
    def told(word: str) -> Any:
        return json.loads(run(db, command, word, "--json").stdout)

    assert told("run7/s3")["id"] == "run7/s3"
    assert [one["id"] for one in told("run7/s3-s4,s9")] == ["run7/s3", "run7/s4", "run7/s9"]
    assert [one["id"] for one in told("run 8/s0,s1,+16")] == ["run 8/s0", "run 8/s1"]


def test_steps_around_several_citations_are_printed_once(db: Path) -> None:
    result = run(db, "expand", "run7/s3-s4,s6", "--context", "1")
    heads = [
        line[2:].split()[0] for line in result.stdout.split("\n") if line[:3] in {"> s", "  s"}
    ]
    assert heads == ["s2", "s3", "s4", "s5", "s6", "s7"]
