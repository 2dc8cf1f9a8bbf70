from __future__ import annotations

import io
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from rich.console import Console

from samples.small import ama_folder, locomo_folder
from stepwell_bench.evidence import Plan, Report, run
from stepwell_bench.results import save
from stepwell_bench.show import show_evidence
from support.encoders import HashEncoder

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


def plan(dataset: Any, data: Path, **fields: Any) -> Plan:
    given: dict[str, Any] = {"budgets": (200, 500), "clips": (None, 40), "draws": 40}
    return Plan(dataset=dataset, data=data, cache=data.parent / "cache", **(given | fields))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = ama_folder(tmp_path_factory.mktemp("bench") / "ama")
    return run(plan("ama-bench", folder), encoder=HashEncoder(), now=NOW)[0]


def test_every_method_is_measured_in_both_modes_at_every_budget(report: Report) -> None:
    assert (report.n_episodes, report.n_questions) == (2, 4)
    whole = [cell for cell in report.cells if (cell.measure, cell.group) == ("recall", "all")]
    methods = {"stepwell"} | {
        f"{name}-{clip}" for name in ("bm25", "cosine", "rrf") for clip in ("whole", 40)
    }
    methods |= {"bm25-20", "bm25-30", "bm25-50", "bm25-own", "gold", "nothing"}
    assert {(c.method, c.mode, c.budget) for c in whole} == {
        (method, mode, budget)
        for method in methods
        for mode in ("as-asked", "stripped")
        for budget in (200, 500)
    }
    assert {cell.value.n_values for cell in whole} == {4}
    groups = {cell.group for cell in report.cells}
    assert {"domain: Gaming", "domain: Web Task Execution", "type: A", "type: C"} < groups
    assert {"gold: named"} < groups
    assert "gold: not named" not in groups


def test_no_rule_is_broken(report: Report) -> None:
    assert report.violations == {}


def test_a_named_step_is_found(report: Report) -> None:
    (cell,) = [
        cell
        for cell in report.cells
        if (cell.measure, cell.group, cell.mode, cell.method, cell.budget)
        == ("recall", "type: A", "as-asked", "stepwell", 500)
    ]
    assert cell.value.mean == 1.0


def test_shares_lie_between_nothing_and_all(report: Report) -> None:
    for cell in report.cells:
        most = cell.budget if cell.measure == "tokens" else 1
        ends = [0, cell.value.low, cell.value.mean, cell.value.high, most]
        assert all(low <= high + 1e-9 for low, high in pairwise(ends))
    measures = {"recall", "support", "grounded", "coverage", "literals"}
    assert {gap.measure for gap in report.gaps} == measures
    assert {cell.measure for cell in report.cells} >= measures | {"spread", "tokens"}


def mean_of(report: Report, measure: str, method: str, *, group: str = "all") -> float:
    (cell,) = [
        cell
        for cell in report.cells
        if (cell.measure, cell.group, cell.mode, cell.method, cell.budget)
        == (measure, group, "stripped", method, 500)
    ]
    return cell.value.mean


def test_the_gold_steps_themselves_are_the_ceiling_and_an_empty_payload_the_floor(
    report: Report,
) -> None:
    for measure in ("recall", "grounded", "coverage"):
        assert mean_of(report, measure, "gold") == pytest.approx(1)
        assert mean_of(report, measure, "nothing") == 0
    assert mean_of(report, "spread", "gold", group="type: A") == 1 / 8
    assert mean_of(report, "spread", "gold", group="type: C") == 3 / 8
    assert {gap.baseline for gap in report.gaps}.isdisjoint({"gold", "nothing"})


def test_only_excerpts_of_stepwell_are_looked_at_for_cuts(report: Report) -> None:
    cut = [cell for cell in report.cells if cell.measure.startswith("cut ")]
    assert {cell.method for cell in cut} == {"stepwell"}


def test_the_result_file_is_the_report(report: Report, tmp_path: Path) -> None:
    path = save(report, tmp_path, name="evidence-ama-bench", now=NOW, at="")
    assert msgspec.json.decode(path.read_bytes(), type=Report) == report
    assert report.schema == 2
    assert report.created == "2026-03-02T08:00:00+00:00"
    assert report.encoder == "test-hash"
    assert {figure.mode for figure in report.published} == {"stripped"}


def test_the_tables_show_what_was_found(report: Report) -> None:
    out = io.StringIO()
    show_evidence(report, Console(file=out, width=160))
    text = out.getvalue()
    for words in ("stepwell", "bm25-whole", "rrf-40", "lead over the best", "domain: Gaming (n=2)"):
        assert words in text
    assert "every quotation was found where it is cited" in text


def test_broken_rules_are_shown(report: Report) -> None:
    out = io.StringIO()
    broken = replace(report, violations={"stepwell": {"over-budget": 2}})
    show_evidence(broken, Console(file=out, width=160))
    assert "stepwell: over-budget 2" in out.getvalue()


def test_a_seed_repeats_a_run_and_vectors_are_kept(tmp_path: Path) -> None:
    wanted = plan("ama-bench", ama_folder(tmp_path / "ama"), episodes=1, seed=3)
    progress: list[str] = []
    first, outcomes = run(
        wanted,
        encoder=HashEncoder(),
        now=NOW,
        progress=lambda what, done, total: progress.append(f"{what} {done}/{total}"),
    )
    second, _ = run(wanted, encoder=HashEncoder(), now=NOW)
    assert first == second
    assert first.n_episodes == 1
    assert any("sample" in notice for notice in first.notices)
    assert {one.tokens <= one.budget for one in outcomes} == {True}
    assert "episodes asked 1/1" in progress
    assert (tmp_path / "cache" / "vectors.sqlite").exists()


def test_without_vectors_it_says_so(tmp_path: Path) -> None:
    found, _ = run(plan("locomo", locomo_folder(tmp_path / "talks")), encoder=None, now=NOW)
    assert (found.n_episodes, found.n_questions, found.violations) == (1, 2, {})
    assert found.encoder is None
    assert any("vectors are off" in notice for notice in found.notices)
    assert not {cell.method for cell in found.cells if cell.method.startswith(("cos", "rrf"))}
    (recall,) = [
        cell.value.mean
        for cell in found.cells
        if (cell.measure, cell.group, cell.mode, cell.method, cell.budget)
        == ("recall", "all", "as-asked", "stepwell", 500)
    ]
    assert recall == 1.0
