"""The demonstration: what a newcomer sees first."""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from stepwell.serve.cli import app

if TYPE_CHECKING:
    from pathlib import Path


def demo(*args: str) -> Any:
    done = CliRunner().invoke(app, ["demo", "--json", *args])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def n_answered(shown: Any) -> int:
    return sum(question["answered"] for question in shown["questions"])


def test_it_answers_by_words_alone() -> None:
    shown = demo("--encoder", "none")
    assert shown["encoder"] is None
    assert len(shown["questions"]) == 5
    assert shown["ingested"]["skipped"] == 0
    assert shown["ingested"]["trajectories"] == 2
    for question in shown["questions"]:
        assert question["tokens"] <= question["budget"]
        assert question["items"]
    assert n_answered(shown) >= 3


@pytest.mark.skipif(find_spec("onnxruntime") is None, reason="the encoder is not installed")
def test_it_answers_with_vectors() -> None:
    shown = demo()
    assert shown["encoder"].startswith("minilm")
    assert n_answered(shown) >= 3


def test_a_person_is_told_what_to_do_next(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["--db", str(tmp_path / "m.db"), "--encoder", "none", "demo"])
    assert done.exit_code == 0
    assert "Vectors were off" in done.stderr
    assert "stepwell add" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_its_log_can_be_written_out_and_added(tmp_path: Path) -> None:
    given = ["--db", str(tmp_path / "m.db"), "--encoder", "none"]
    run = CliRunner().invoke
    assert run(app, ["demo", "--save", str(tmp_path / "logs")]).exit_code == 0
    assert run(app, [*given, "add", str(tmp_path / "logs"), "--strict"]).exit_code == 0
    sessions = json.loads(run(app, [*given, "sessions", "--json"]).stdout)
    assert sorted(entry["parent_id"] is None for entry in sessions) == [False, True]
