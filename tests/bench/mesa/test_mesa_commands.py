"""Every command on a small data set: it writes a result, prints it, and draws."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from tests.bench.small import ama_folder, locomo_folder
from typer.testing import CliRunner

from stepwell.bench.commands import app
from stepwell.bench.mesa.paper import NOTE
from stepwell.errors import NotFoundError

if TYPE_CHECKING:
    from pathlib import Path


def run(tmp_path: Path, name: str, *options: str) -> str:
    where = ["--data", str(tmp_path / "data"), "--state", str(tmp_path / "state")]
    out = ["--out", str(tmp_path / "out"), "--no-vectors", "--workers", "1"]
    done = CliRunner().invoke(app, ["mesa", name, *where, *out, *options])
    assert done.exit_code == 0, (done.output, done.exception)
    return " ".join(done.stdout.split())


def read(folder: Path, pattern: str) -> tuple[Path, dict[str, Any]]:
    (path,) = folder.glob(pattern)
    report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return path, report


def test_a_sweep_reads_every_subset_and_says_what_it_found(tmp_path: Path) -> None:
    ama_folder(tmp_path / "data")
    said = run(tmp_path, "sweep", "--budget", "300", "--budget", "600", "--rows")
    path, report = read(tmp_path / "out", "mesa-sweep-ama-bench-*[!s].json")
    assert report["structures"] == ["summary", "temporal", "graph", "episodic"]
    assert report["notices"] == ["vector is not available here; subsets with it are left out."]
    found = [one["findings"] for one in report["found"]]
    assert {(one["budget"], one["mode"], one["reward"]) for one in found} == {
        (budget, mode, reward)
        for budget in (300, 600)
        for mode in ("as-asked", "stripped")
        for reward in ("evidence", "literal")
    }
    assert all(len(one["subsets"]) == 2**4 - 1 for one in found)
    assert all(one["tokens"] <= row["budget"] for row in found for one in row["frontier"])
    assert report["violations"] == {}
    assert "no payload was over its budget" in said
    assert "Intermediate subsets are usually best: not tested" in said
    assert NOTE in said
    assert "63.7 │ 18,700" in said
    rows = path.with_suffix(".rows.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(rows) == report["n_readings"]
    assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


def test_a_question_without_step_numbers_counts_in_both_ways_of_asking(tmp_path: Path) -> None:
    locomo_folder(tmp_path / "data")
    options = ("--dataset", "locomo", "--budget", "300", "--structures", "six")
    run(tmp_path, "sweep", *options, "--reward", "evidence", "--mode", "stripped")
    _, report = read(tmp_path / "out", "mesa-sweep-locomo-*.json")
    (one,) = report["found"]
    assert (one["findings"]["mode"], one["findings"]["n"]) == ("stripped", 2)
    assert "units" in report["structures"]


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    out = ["--data", str(tmp_path / "none"), "--out", str(tmp_path), "--state", str(tmp_path)]
    done = CliRunner().invoke(app, ["mesa", "sweep", *out, "--no-vectors"])
    assert isinstance(done.exception, NotFoundError)


def test_the_commands_load_nothing_heavy_before_one_runs() -> None:
    code = (
        "import sys, stepwell.bench.mesa.commands; "
        "print(sorted({'numpy', 'apsw', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
