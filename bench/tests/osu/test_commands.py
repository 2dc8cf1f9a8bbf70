"""Every command on a small log: it writes a result, prints ours beside the paper's, and draws."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from samples.logs import write_tau, write_tau2, write_toolbench
from stepwell.errors import InvalidInputError
from stepwell_bench.commands import app
from stepwell_bench.osu import plots, running
from stepwell_bench.osu.suites import BETAS, EVIDENCE_SIZES, MEMBERSHIPS
from support.encoders import HashEncoder

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell_bench.osu.running import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return running.Settings(
        out=tmp_path / "out", data=(tmp_path / "data",), episodes=6, encoder=HashEncoder()
    )


def read(path: Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return report


def facts(report: dict[str, Any]) -> dict[str, tuple[float, float | None]]:
    return {one["name"]: (one["value"], one["published"]) for one in report["facts"]}


def test_synthetic_writes_prints_and_draws(tmp_path: Path) -> None:
    options = ["--episodes", "3", "--budget", "256", "--budget", "64", "--out", str(tmp_path)]
    done = CliRunner().invoke(app, ["osu", "synthetic", *options, "--rows"])
    assert done.exit_code == 0, done.output
    (path,) = tmp_path.glob("osu-synthetic-*[!s].json")
    report = read(path)
    assert report["budgets"] == [64, 256]
    assert (report["seeds"], report["options"]) == ([0], {"subgoals": "event"})
    assert facts(report)["share with a shared signature"][1] == 0.393
    means = {(one["method"], one["budget"], one["measure"]) for one in report["means"]}
    assert {("osu", 256, "recall"), ("flat", 64, "hit2"), ("adaptive", 256, "near")} <= means
    assert "+0.063 p≤.002" in done.stdout
    rows = path.with_suffix(".rows.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(rows[0])["method"] == "no memory"
    assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


def test_a_folder_that_cannot_be_written_is_an_error_before_anything_runs(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.touch()
    for name in ("synthetic", "cost"):
        for folder in (taken, taken / "below"):
            done = CliRunner().invoke(app, ["osu", name, "--out", str(folder)])
            assert isinstance(done.exception, InvalidInputError)
            assert "--out" in str(done.exception)


def test_a_budget_beyond_all_runs_is_refused(tmp_path: Path) -> None:
    options = ["--budget", "9" * 20, "--out", str(tmp_path)]
    assert CliRunner().invoke(app, ["osu", "synthetic", *options]).exit_code == 2


def test_several_seeds_and_the_other_reading_of_a_subgoal(tmp_path: Path) -> None:
    options = ["--episodes", "2", "--budget", "256", "--seed", "3", "--seed", "4"]
    done = CliRunner().invoke(
        app, ["osu", "synthetic", *options, "--subgoals", "segment", "--out", str(tmp_path)]
    )
    assert done.exit_code == 0, done.output
    (path,) = tmp_path.glob("osu-synthetic-*.json")
    assert read(path)["seeds"] == [3, 4]


def test_without_matplotlib_the_run_says_so_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    folder = tmp_path / "[bold]"
    options = ["--episodes", "2", "--budget", "256", "--out", str(folder)]
    done = CliRunner().invoke(app, ["osu", "synthetic", *options])
    assert done.exit_code == 0, done.output
    assert "pip install 'stepwell[plots]'" in " ".join(done.stdout.split())
    assert list(folder.glob("*.png")) == []
    (path,) = (tmp_path / "[bold]").iterdir()
    assert f"Written to {path}" in done.stdout
    assert read(path)["notices"] == [plots.WITHOUT]


def test_tau_reports_cells(settings: Settings, tmp_path: Path) -> None:
    write_tau(tmp_path / "data")
    write_tau2(tmp_path / "more")
    both = replace(settings, data=(*settings.data, tmp_path / "more"), episodes=None)
    report = read(running.tau(both, running.TauOptions()))
    assert facts(report)["episodes"] == (8 * 2 + 2, 125)
    assert report["encoder"] == "test-hash"
    assert facts(report)["questions"][1] == 328
    cells = {one["cell"] for one in report["contrasts"]}
    assert cells >= {"all", "T+E+"}
    assert report["options"] == {"noise": 0.25, "weak": False, "all pairs": False}


def test_cells_can_ask_for_all_pairs(settings: Settings, tmp_path: Path) -> None:
    write_tau(tmp_path / "data")
    some = read(running.tau(settings, running.TauOptions(noise=0.05)))
    every = read(running.tau(settings, running.TauOptions(noise=0.05), all_pairs=True))
    assert facts(every)["questions T+E+"] < facts(some)["questions T+E+"]


@pytest.mark.parametrize(
    ("options", "n_gaps"),
    [
        (running.TauOptions(), 12),
        (running.TauOptions(weak=True), 1),
        (running.TauOptions(noise=0.0), 0),
    ],
)
def test_only_comparable_figures_stand_beside_ours(
    settings: Settings, tmp_path: Path, options: running.TauOptions, n_gaps: int
) -> None:
    write_tau(tmp_path / "data")
    report = read(running.tau(replace(settings, budgets=(256,)), options))
    assert len(report["published_gaps"]) == n_gaps


def test_stage_d_has_one_cell(settings: Settings, tmp_path: Path) -> None:
    write_tau(tmp_path / "data")
    report = read(running.stage_d(settings, running.TauOptions()))
    questions = facts(report)
    assert questions["questions T+E+"][0] == questions["questions"][0]
    assert report["effects"] == []


def test_toolbench_counts_units_of_evidence(settings: Settings, tmp_path: Path) -> None:
    write_toolbench(tmp_path / "data")
    report = read(running.toolbench(settings))
    found = facts(report)
    assert report["seeds"] == [42, 123, 456]
    assert found["evidence in no unit, overlapping"] == (0.0, 0.0)
    assert (
        found["units per evidence step, overlapping"][0]
        > found["units per evidence step, disjoint"][0]
    )


@pytest.mark.parametrize("on", ["synthetic", "tau", "stage-d"])
def test_ablations_take_away_one_part_each(settings: Settings, tmp_path: Path, on: Any) -> None:
    write_tau(tmp_path / "data")
    path = running.ablation(settings, running.TauOptions(), on=on)
    assert path.name.startswith(f"osu-ablation-{on}-")
    pairs = {(one["a"], one["b"]) for one in read(path)["contrasts"]}
    assert {("osu", "osu disjoint"), ("osu", "osu without tool")} <= pairs


def test_sweeps_write_what_they_vary(settings: Settings, tmp_path: Path) -> None:
    write_toolbench(tmp_path / "data")
    (memberships,) = running.sweep(settings, what="memberships")
    assert len({one["method"] for one in read(memberships)["means"]}) == len(MEMBERSHIPS)
    (beta,) = running.sweep(settings, what="beta")
    assert len({one["method"] for one in read(beta)["means"]}) == 2 * len(BETAS)
    sizes = running.sweep(settings, what="evidence")
    assert [read(path)["options"]["evidence"] for path in sizes] == list(EVIDENCE_SIZES)


def test_recorded_runs_must_be_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="--data"):
        running.sweep(running.Settings(out=tmp_path), what="beta")
    done = CliRunner().invoke(app, ["osu", "tau"])
    assert done.exit_code == 2
    assert "--data" in done.output


def test_the_commands_load_nothing_heavy_before_one_runs() -> None:
    code = (
        "import sys, stepwell_bench.osu.commands; "
        "print(sorted({'numpy', 'apsw', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
