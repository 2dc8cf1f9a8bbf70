from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from typer.testing import CliRunner

from samples.small import locomo_folder
from stepwell.trajectory.questions import read_questions
from stepwell_bench.commands import app

if TYPE_CHECKING:
    from pathlib import Path

TINY = ("--no-vectors", "--budget", "300")


def test_evidence_writes_a_result_and_every_row(tmp_path: Path) -> None:
    data, out = locomo_folder(tmp_path / "data"), tmp_path / "out"
    options = ["--dataset", "locomo", "--data", str(data), "--out", str(out), "--rows", *TINY]
    done = CliRunner().invoke(app, ["evidence", *options])
    assert done.exit_code == 0, done.output
    assert "lead over the best baseline" in done.stdout
    (path,) = out.glob("evidence-locomo-*[!s].json")
    report = json.loads(path.read_text(encoding="utf-8"))
    assert (report["dataset"], report["budgets"]) == ("locomo", [300])
    rows = path.with_suffix(".rows.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(row)["method"] for row in rows} > {"stepwell"}
    against = ["--against", str(path.with_suffix(".rows.jsonl"))]
    done = CliRunner().invoke(app, ["evidence", *options, *against])
    assert "now minus the earlier run" in done.stdout
    reports = [json.loads(each.read_text()) for each in out.glob("evidence-locomo-*[!s].json")]
    changes = [change["value"] for one in reports for change in one["changes"]]
    assert changes
    assert {(value["mean"], value["low"], value["high"]) for value in changes} == {(0, 0, 0)}


def test_absence_writes_a_result_and_every_row(tmp_path: Path) -> None:
    data, out = locomo_folder(tmp_path / "data"), tmp_path / "out"
    options = ["--dataset", "locomo", "--data", str(data), "--out", str(out), "--rows"]
    done = CliRunner().invoke(app, ["absence", *options, "--no-vectors", "--budget", "300"])
    assert done.exit_code == 0, done.output
    (path,) = out.glob("absence-locomo-*[!s].json")
    assert json.loads(path.read_text(encoding="utf-8"))["budget"] == 300
    rows = path.with_suffix(".rows.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 32


def test_questions_are_written_as_learning_takes_them(tmp_path: Path) -> None:
    data, file = locomo_folder(tmp_path / "data"), tmp_path / "questions.jsonl"
    options = ["--dataset", "locomo", "--data", str(data), "--out", str(file)]
    done = CliRunner().invoke(app, ["questions", *options])
    assert done.exit_code == 0, done.output
    found = read_questions(file.read_bytes())
    assert found.skipped == ()
    assert {one.answer for one in found.all} == {"Comet", "The oven broke"}
    assert {one.trajectory for one in found.all} == {"locomo-talk-1"}


def test_speed_writes_a_result(tmp_path: Path) -> None:
    options = ["--size", "100", "--adds", "4", "--questions", "4", "--out", str(tmp_path)]
    done = CliRunner().invoke(app, ["speed", *options])
    assert done.exit_code == 0, done.output
    (path,) = tmp_path.glob("speed-*.json")
    report = json.loads(path.read_text(encoding="utf-8"))
    assert {row["size"] for row in report["rows"]} >= {100}


def test_the_commands_load_nothing_heavy_before_one_runs() -> None:
    code = (
        "import sys, stepwell_bench.commands; "
        "print(sorted({'numpy', 'apsw', 'onnxruntime'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
