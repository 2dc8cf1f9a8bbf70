"""Run the experiments from the command line: read, save, print and draw."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.config import chat_model
from stepwell.config import settings as read_settings
from stepwell.learn.proposers.model import ModelProposer
from stepwell.learn.reader import AnswerReward, ByWords
from stepwell.learn.records import write_records
from stepwell.learn.replay.answers import open_answering
from stepwell.policy.files import save as save_policy
from stepwell.policy.registry import find
from stepwell.store.replies import CachedChat
from stepwell_bench.mesa import plots
from stepwell_bench.mesa.answers import AnswersReport, compare_answers
from stepwell_bench.mesa.cost import COST_STEPS, CostReport, measure_cost
from stepwell_bench.mesa.learning import ABLATIONS, LEARNING
from stepwell_bench.mesa.learnreport import Plan, run_learn
from stepwell_bench.mesa.running import prepare, sampled
from stepwell_bench.mesa.showlearn import show_learn
from stepwell_bench.mesa.showmore import show_answers, show_cost, show_temporal
from stepwell_bench.mesa.showsweep import show_sweep
from stepwell_bench.mesa.sweeping import run_sweep
from stepwell_bench.mesa.temporal import run_temporal
from stepwell_bench.osu.plots import WITHOUT, can_draw
from stepwell_bench.results import check_folder, commit, save, save_rows
from stepwell_bench.terminal import counted, named, table_console

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from rich.console import Console

    from stepwell.learn.cases import Case
    from stepwell.learn.proposers.base import Proposer
    from stepwell_bench.mesa.learning import LearnSettings
    from stepwell_bench.mesa.sweeping import Place, SweepSettings

__all__ = ["ablation", "answers", "cost", "learn", "sweep", "temporal"]

_FILE_COLUMNS: Final = 180
"""Width of tables that go to a file: narrower breaks rows."""


def sweep(place: Place, settings: SweepSettings, *, rows: bool = False) -> Path:
    """Read every subset of structures for every question, and return the result file.

    Args:
        place: Where the data are.
        settings: What is swept.
        rows: Whether every reading is written as well.

    Raises:
        StepwellError: There is no data, or no encoder.
    """
    check_folder(place.out)
    now, at = datetime.now(UTC), commit()
    created = now.isoformat(timespec="seconds")
    with counted() as progress:
        report, readings = run_sweep(place, settings, created=created, commit=at, progress=progress)
    path = save(report, place.out, name=f"{report.benchmark}-{report.dataset}", now=now, at=at)
    if rows:
        save_rows(readings, path.with_suffix(".rows.jsonl"))
    console = table_console(file_columns=_FILE_COLUMNS)
    show_sweep(report, console)
    found = [one.findings for one in report.found]
    _draw(lambda picture: plots.draw_sweep(found, picture), path, console)
    return path


def learn(place: Place, settings: LearnSettings, *, by_model: bool = False) -> Path:
    """Learn policies and compare them with controls on held-out episodes; return the result file.

    Args:
        place: Where the data are.
        settings: How to learn.
        by_model: Whether the configured language model proposes policies.

    Raises:
        StepwellError: There is no data, no encoder, no model, or there are too few episodes.
    """
    model = _model_proposer() if by_model else None
    return _learn("mesa-learn", place, settings, model)


def ablation(place: Place, settings: LearnSettings) -> Path:
    """Learn without one part of the search each, and return the result file.

    Raises:
        StepwellError: There is no data, no encoder, or there are too few episodes.
    """
    return _learn("mesa-ablation", place, settings, None)


def _learn(
    benchmark: str,
    place: Place,
    settings: LearnSettings,
    model: Callable[[Sequence[Case]], Proposer] | None,
) -> Path:
    check_folder(place.out)
    now, at = datetime.now(UTC), commit()
    plan = Plan(
        benchmark=benchmark,
        place=place,
        settings=settings,
        searches=LEARNING if benchmark == "mesa-learn" else ABLATIONS,
        model=model,
        created=now.isoformat(timespec="seconds"),
        commit=at,
    )
    with counted() as progress:
        report, policies = run_learn(plan, progress=progress)
    path = save(report, place.out, name=f"{benchmark}-{place.dataset}", now=now, at=at)
    for name, file in policies.items():
        save_policy(file, path.with_name(f"{path.stem}-{name}.toml"))
    console = table_console(file_columns=_FILE_COLUMNS)
    show_learn(report, console)
    curves = {
        f"{found.reward} {found.budget}: {one.name}, seed {one.seed}": one.curve
        for found in report.found
        for one in found.searches
    }
    _draw(lambda picture: plots.draw_curves(curves, picture, title=benchmark), path, console)
    return path


def temporal(out: Path, *, seed: int = 0, questions: int = 400) -> Path:
    """Ask of generated worlds what the temporal structure computes; return the result file."""
    check_folder(out)
    now, at = datetime.now(UTC), commit()
    with named() as progress:
        progress(f"{questions} questions about generated worlds")
        report = run_temporal(seed, questions)
    head = {
        "schema": 1,
        "benchmark": "mesa-temporal",
        "created": now.isoformat(timespec="seconds"),
        "commit": at,
        "seed": seed,
    }
    path = save({**head, "found": report}, out, name="mesa-temporal", now=now, at=at)
    console = table_console(file_columns=_FILE_COLUMNS)
    show_temporal(report, console)
    console.print(f"Written to {path}", soft_wrap=True, markup=False)
    return path


def cost(out: Path, *, steps: int = COST_STEPS, seed: int = 0) -> Path:
    """Measure what structures and policies cost, and return the result file."""
    check_folder(out)
    now, at = datetime.now(UTC), commit()
    with named() as progress:
        timings = measure_cost(steps=steps, seed=seed, progress=progress)
    report = CostReport(
        schema=1,
        benchmark="mesa-cost",
        created=now.isoformat(timespec="seconds"),
        commit=at,
        seed=seed,
        timings=tuple(timings),
    )
    path = save(report, out, name=report.benchmark, now=now, at=at)
    console = table_console(file_columns=_FILE_COLUMNS)
    show_cost(report, console)
    console.print(f"Written to {path}", soft_wrap=True, markup=False)
    return path


def answers(
    place: Place, policies: Sequence[str], *, budget: int, questions: int, seed: int = 0
) -> Path:
    """Let the configured model answer from what policies choose, and return the result file.

    Args:
        place: Where the data are.
        policies: Names or files of the policies compared.
        budget: Tokens of a payload.
        questions: How many are asked, drawn at random, as the data set asks them.
        seed: Of the draw.

    Raises:
        StepwellError: There is no model, no data, no such policy, or nothing was answered.
    """
    check_folder(place.out)
    now, at = datetime.now(UTC), commit()
    chosen = read_settings()
    files = {name: find(name, (chosen.policies,)) for name in policies}
    setting = replace(place.setting(budget=budget, seed=seed), modes=("as-asked",))
    # A local server changes its port from run to run, and stays the same model.
    known_as = (chosen.model or "").partition("@")[0]
    cached = CachedChat(chat_model(chosen), place.state / "answers.sqlite", known_as=known_as)
    grader = ByWords("locomo-f1" if place.dataset == "locomo" else "f1")
    reward = AnswerReward(cached, grader)
    with counted() as progress:
        ready = prepare(setting, progress=progress)
        ready.readings.close()
        cases = sampled(ready.cases, questions, seed=seed)
        answering = open_answering(ready.readings.bench, reward)
        done = count(1)
        total = len(cases) * (len(files) + 1)
        answering.progress = lambda: progress("answers", next(done), total)
        with closing(cached), closing(answering.stage.db):
            arms = compare_answers(answering, cases, files, rng=np.random.default_rng(seed))
    report = AnswersReport(
        schema=1,
        benchmark="mesa-answers",
        dataset=place.dataset,
        created=now.isoformat(timespec="seconds"),
        commit=at,
        seed=seed,
        budget=budget,
        model=cached.model_id,
        grader=grader.name,
        n_questions=len(cases),
        n_failed=answering.n_failed,
        arms=arms,
    )
    path = save(report, place.out, name=f"mesa-answers-{place.dataset}", now=now, at=at)
    write_records(reward.records, path.with_suffix(".answers.jsonl"))
    console = table_console(file_columns=_FILE_COLUMNS)
    show_answers(report, console)
    console.print(f"Written to {path}", soft_wrap=True, markup=False)
    return path


def _model_proposer() -> Callable[[Sequence[Case]], Proposer]:
    model = chat_model(read_settings())
    return lambda cases: ModelProposer(model=model, cases=cases)


def _draw(draw: Callable[[Path], None], path: Path, console: Console) -> None:
    """Draw beside a result file where that can be done, and say where everything is."""
    if can_draw():
        picture = path.with_suffix(".png")
        draw(picture)
        console.print(f"Drawn in {picture}", soft_wrap=True, markup=False)
    else:
        console.print(WITHOUT, markup=False)
    console.print(f"Written to {path}", soft_wrap=True, markup=False)
