"""Arms are paired by question; a claim holds only where tokens fall and evidence does not."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from rich.console import Console
from typer.testing import CliRunner

from samples.small import ama_folder, haystack, locomo_folder, longmemeval_folder
from stepwell.errors import InvalidInputError, NotFoundError
from stepwell_bench.commands import app
from stepwell_bench.ctmc.longmemeval import Version, haystack_file, run_longmemeval
from stepwell_bench.ctmc.tokens import TokenPlan, TokenReport, run_tokens
from stepwell_bench.ctmc.tokenshow import show_tokens
from stepwell_bench.ctmc.tokenstats import (
    ALL,
    CONTROLS,
    FLAT,
    OURS,
    WHOLE,
    Asked,
    claims,
    contrasts,
    means,
)
from stepwell_bench.results import save
from support.encoders import HashEncoder

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
ARMS = {FLAT, OURS, WHOLE, *CONTROLS}


def plan(dataset: Any, data: Path, **fields: Any) -> TokenPlan:
    given: dict[str, Any] = {"budgets": (300, 600), "draws": 40}
    return TokenPlan(dataset=dataset, data=data, cache=data.parent / "cache", **(given | fields))


def asked(number: int, arm: str, **fields: Any) -> Asked:
    given: dict[str, Any] = {
        "question": f"q{number}",
        "episode": f"e{number % 3}",
        "kind": "multi-hop" if number % 2 else "single-hop",
        "mode": "as-asked",
        "budget": 1000,
        "arm": arm,
        "tokens": 1000,
        "recall": 1.0,
        "literals": None,
        "words": 0.5,
        "match": 1.0,
    }
    return Asked(**(given | fields))


def rows(**ours: Any) -> list[Asked]:
    arms: list[tuple[str, dict[str, Any]]] = [(FLAT, {}), (OURS, {"tokens": 700} | ours)]
    return [asked(number, arm, **fields) for number in range(12) for arm, fields in arms]


def test_tokens_saved_are_a_share_of_flats_and_other_measures_differences() -> None:
    found = contrasts(rows(recall=0.9), seed=0, draws=50)
    placed = {(one.group, one.measure): one for one in found}
    assert placed[ALL, "tokens"].value.mean == pytest.approx(0.3)
    assert placed[ALL, "recall"].value.mean == pytest.approx(-0.1)
    assert placed["multi-hop", "recall"].value.n_values == 6
    assert (ALL, "literals") not in placed  # no answer has one
    assert placed[ALL, "recall"].value.n_groups == 3
    assert placed[ALL, "recall"].by_question.n_groups == 12
    assert placed[ALL, "recall"].p < 0.01 < placed[ALL, "recall"].p_episode


@pytest.mark.parametrize(
    ("ours", "holds"),
    [
        ({}, [True, True, True]),
        ({"tokens": 760}, [False, True, True]),
        ({"recall": 0.98}, [False, True, False]),
        ({"words": 0.4}, [True, False, True]),
    ],
)
def test_a_claim_needs_fewer_tokens_and_no_loss(ours: dict[str, Any], holds: list[bool]) -> None:
    judged = claims(contrasts(rows(**ours), seed=0, draws=50), several="multi-hop")
    assert [claim.holds for claim in judged] == holds
    assert "multi-hop" in judged[2].text


def test_a_claim_has_to_hold_by_episode_and_by_question() -> None:
    # One of two episodes loses a little: the mean loss is below a point, yet it may be chance.
    uneven = [
        replace(row, recall=0.985) if (row.arm, row.episode) == (OURS, "e0") else row
        for row in rows()
    ]
    (saved, *_) = claims(contrasts(uneven, seed=0, draws=400), several=None)
    assert not saved.holds


def test_means_leave_out_questions_without_the_measure() -> None:
    mixed = [*rows(), asked(99, FLAT, words=None, match=None)]
    found = {(one.group, one.arm, one.measure): one.value for one in means(mixed, seed=0, draws=20)}
    assert found[ALL, FLAT, "recall"].n_values == 13
    assert found[ALL, FLAT, "words"].n_values == 12


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> TokenReport:
    folder = ama_folder(tmp_path_factory.mktemp("tokens") / "ama")
    return run_tokens(plan("ama-bench", folder), encoder=HashEncoder(), now=NOW)[0]


def test_every_arm_answers_in_both_ways_within_its_budget(report: TokenReport) -> None:
    assert report.violations == {}
    seen = {(one.mode, one.arm, one.budget) for one in report.means if one.group == ALL}
    assert seen == {
        (mode, arm, budget)
        for mode in ("as-asked", "stripped")
        for arm in ARMS
        for budget in (300, 600)
    }
    for one in report.means:
        if one.measure == "tokens":
            granted = one.budget if one.arm in {FLAT, WHOLE} else round(report.share * one.budget)
            assert one.value.high <= granted
    assert {one.group for one in report.means} == {ALL, "A", "C"}


def test_the_result_file_is_the_report(report: TokenReport, tmp_path: Path) -> None:
    path = save(report, tmp_path, name=report.name, now=NOW, at="")
    assert path.name.startswith("ctmc-tokens-ama-bench-2026-03-02")
    assert msgspec.json.decode(path.read_bytes(), type=TokenReport) == report


def test_the_tables_say_what_stands_for_what(report: TokenReport) -> None:
    out = io.StringIO()
    show_tokens(report, Console(file=out, width=170))
    text = " ".join(out.getvalue().split())
    for words in ("24.48%", "stands in for it", "No model answers", "uniform", "tokens saved"):
        assert words in text
    assert "every quotation was found where it is cited" in text
    show_tokens(replace(report, violations={FLAT: {"over-budget": 2}}), Console(file=out))
    assert "over-budget 2" in out.getvalue()


def test_a_seed_repeats_a_run(tmp_path: Path) -> None:
    wanted = plan("locomo", locomo_folder(tmp_path / "talks"), episodes=1, seed=3)
    first, second = (run_tokens(wanted, encoder=None, now=NOW) for _ in range(2))
    assert first == second
    found = first[0]
    assert {one.mode for one in found.means} == {"as-asked"}
    assert {one.group for one in found.means} == {ALL, "multi-hop", "single-hop"}
    assert any("multi-hop" in claim.text for claim in found.claims)
    notices = " ".join(found.notices)
    for words in ("vectors are off", "a sample of 1 episodes"):
        assert words in notices


def test_longmemeval_is_asked_by_type_and_abstentions_are_left_out(tmp_path: Path) -> None:
    folder = longmemeval_folder(tmp_path / "lme")
    (folder / "longmemeval_oracle.json").write_text("[]")
    wanted = plan("longmemeval", folder)
    found, answered = run_longmemeval(wanted, version=Version.s, encoder=None, now=NOW)
    assert (found.name, found.n_episodes, found.n_questions) == ("ctmc-longmemeval", 2, 2)
    assert {one.kind for one in answered} == {"multi-session", "single-session-user"}
    assert any("3 questions" in notice for notice in found.notices)
    assert not any("stands in" in notice for notice in found.notices)
    flat = {one.question: one for one in answered if (one.arm, one.budget) == (FLAT, 600)}
    assert flat["longmemeval-q2"].match == 1.0
    assert flat["longmemeval-q1"].match == 0.0  # nobody says 72
    assert found.violations == {}


def test_a_sample_of_haystacks_is_all_that_is_read(tmp_path: Path) -> None:
    instances = [haystack(f"q{number}") for number in range(5)]
    file = tmp_path / "longmemeval_m.json"
    file.write_text(json.dumps(instances))
    wanted = plan("longmemeval", file, episodes=2, budgets=(300,))
    found, _ = run_longmemeval(wanted, version=Version.s, encoder=None, now=NOW)
    assert found.n_episodes == 2
    assert any("a sample of 2 questions" in notice for notice in found.notices)


def test_a_folder_without_longmemeval_says_where_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="huggingface"):
        haystack_file(tmp_path / "missing", Version.s)
    with pytest.raises(NotFoundError, match="longmemeval_m"):
        haystack_file(longmemeval_folder(tmp_path), Version.m)
    (tmp_path / "other.json").write_text('[{"a": 1}]')
    wanted = plan("longmemeval", tmp_path / "other.json")
    with pytest.raises(InvalidInputError, match="no haystacks"):
        run_longmemeval(wanted, version=Version.s, encoder=None, now=NOW)


@pytest.mark.parametrize("name", ["tokens", "longmemeval"])
def test_the_commands_write_rows_and_a_plot(name: str, tmp_path: Path) -> None:
    make = locomo_folder if name == "tokens" else longmemeval_folder
    data = make(tmp_path / "data")
    options = ["--data", str(data), "--out", str(tmp_path / "out"), "--budget", "300"]
    done = CliRunner().invoke(app, ["ctmc", name, *options, "--no-vectors", "--rows"])
    assert done.exit_code == 0, (done.output, done.exception)
    written = {path.suffix for path in (tmp_path / "out").iterdir()}
    assert {".json", ".jsonl"} <= written
    assert (".png" in written) is ("There is no plot" not in done.output)
