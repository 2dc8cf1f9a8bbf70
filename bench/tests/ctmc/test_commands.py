"""Every table runs, prints ours beside the paper's, and writes what it found."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from stepwell.chat.client import ChatModel
from stepwell.errors import InvalidInputError, ModelUnavailableError
from stepwell_bench.commands import app
from stepwell_bench.ctmc import controls, paper
from stepwell_bench.ctmc.figures import Scale, across_seeds, figure
from stepwell_bench.ctmc.graphs import Family
from stepwell_bench.ctmc.running import EXPERIMENTS
from support.chat_server import serving

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = {"table2", "table7", "world"}
"""Same code for 18 worlds of up to 1,000 states; run once, as table 2."""


def run(tmp_path: Path, name: str) -> dict[str, Any]:
    options = ["--quick", "--seed", "42", "--out", str(tmp_path)]
    done = CliRunner().invoke(app, ["ctmc", name, *options])
    assert done.exit_code == 0, (done.output, done.exception)
    (path,) = tmp_path.glob(f"ctmc-{name}-*.json")
    assert "nothing is comparable" in " ".join(done.stdout.split())
    report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return report


@pytest.mark.parametrize("name", sorted(EXPERIMENTS.keys() - HEAVY - {"model"}))
def test_a_table_writes_and_prints_its_figures(name: str, tmp_path: Path) -> None:
    report = run(tmp_path, name)
    assert (report["name"], report["seeds"]) == (f"ctmc-{name}", [42])
    figures = report["findings"]["figures"]
    assert figures
    assert all(one["value"]["low"] == one["value"]["mean"] for one in figures)  # one seed
    judged = [one for one in figures if one["published"] is not None]
    assert all(isinstance(one["reproduced"], bool) for one in judged)
    assert bool(judged) is (name not in {"both", "tau"})


def test_a_random_walk_is_audited_in_every_family_and_size(tmp_path: Path) -> None:
    figures = run(tmp_path, "table2")["findings"]["figures"]
    assert {one["row"] for one in figures} == {str(family) for family in Family}
    columns = {one["column"] for one in figures}
    assert columns == {"sigma 100", "sigma 500", "sigma 1000", "slope", "r2"}


def test_a_model_walks_only_where_one_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STEPWELL_MODEL", raising=False)
    done = CliRunner().invoke(app, ["ctmc", "model", "--out", str(tmp_path)])
    assert isinstance(done.exception, ModelUnavailableError)


def no_progress(what: str, done: int, total: int) -> None:
    del what, done, total


def test_a_model_is_asked_at_every_step_and_unusable_replies_are_counted() -> None:
    replies = iter(['{"action_idx": 0}', '{"action_idx": 99}', "no idea"] * 1000)
    with serving() as server:
        server.answer = lambda _: next(replies)
        chat = ChatModel(f"openai:small@{server.url}")
        scale = Scale(seeds=(1,), n_steps=8, progress=no_progress)
        found = controls.by_model(scale, chat)
    rows = {(one.row, one.column): one.value.mean for one in found.figures}
    assert rows["CTMC, compact", "unusable replies"] >= 4
    asked = server.requests[0]["messages"]
    assert asked[1]["content"].startswith("current_state: v_")
    assert "memory: " in asked[1]["content"]


def test_a_folder_that_cannot_be_written_is_an_error_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = CliRunner().invoke(app, ["ctmc", "table7", "--out", str(tmp_path / "file")])
    assert isinstance(done.exception, InvalidInputError)


def test_an_interval_is_the_mean_with_one_seed_and_students_with_more() -> None:
    alone = across_seeds([0.7])
    assert (alone.low, alone.mean, alone.high) == (0.7, 0.7, 0.7)
    assert across_seeds([1.0, 3.0]).high == pytest.approx(2 + 12.706)
    wide = across_seeds([0.0, 1.0] * 20)
    assert wide.high - wide.mean == pytest.approx(2.0227 * 0.506370 / 40**0.5, rel=2e-3)


@pytest.mark.parametrize(
    ("published", "ours", "is_near"),
    [
        (paper.walk_figure(Family.UNIFORM, "gini", 100), 0.63, True),
        (paper.walk_figure(Family.UNIFORM, "gini", 100), 0.64, False),
        (paper.walk_figure(Family.SYMMETRIC, "sigma", 1000), 1.40, True),
        (paper.walk_figure(Family.SYMMETRIC, "sigma", 1000), 1.30, False),
        (paper.screen(Family.UNIFORM, "p"), 0.09, True),
        (paper.screen(Family.UNIFORM, "p"), 0.10, False),
        (paper.screen(Family.MODULAR, "z"), 5.0, True),
        (paper.error("CTMC, compact", "tail_error"), 0.83, True),
        (paper.error("CTMC, compact", "tail_error"), 0.84, False),
        (paper.control("τ=1", "tokens"), 156.1, True),
    ],
)
def test_how_near_is_near(published: paper.Published, ours: float, *, is_near: bool) -> None:
    assert figure("", "", [ours], published).reproduced is is_near


def test_what_the_paper_does_not_say_is_not_judged() -> None:
    assert paper.walk_figure(Family.SYMMETRIC, "gini", 100) is None
    assert paper.screen(Family.MIXED, "p") is None
    assert paper.error("balanced", "tokens") is None
    assert figure("", "", [1.0]).reproduced is None
