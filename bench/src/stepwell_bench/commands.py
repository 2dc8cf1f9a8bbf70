"""The `stepwell bench` commands; everything heavy is imported when one of them runs."""
# No `from __future__ import annotations`: typer reads the annotations when a command is declared.

from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import typer

from stepwell_bench.ctmc.commands import app as ctmc
from stepwell_bench.mesa.commands import app as mesa
from stepwell_bench.options import (
    RESULTS,
    Cache,
    Data,
    Episodes,
    NoVectors,
    Out,
    Seed,
    command_group,
)
from stepwell_bench.osu.commands import app as osu

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

__all__ = ["app"]

app = command_group("Measure evidence recall and speed on this machine.")

app.add_typer(osu, name="osu")
app.add_typer(mesa, name="mesa")
app.add_typer(ctmc, name="ctmc")

_SIZES = (1_000, 10_000)
_FILE_COLUMNS = 150

Known: TypeAlias = Annotated[
    Literal["ama-bench", "locomo", "longmemeval"],
    typer.Option("--dataset", help="What they are."),
]


@app.command()
def evidence(  # noqa: PLR0913, PLR0917  (typer reads options from parameters)
    data: Data,
    dataset: Known = "ama-bench",
    out: Out = RESULTS,
    cache: Cache = None,
    episodes: Episodes = None,
    seed: Seed = 0,
    budgets: Annotated[
        list[int] | None,
        typer.Option(
            "--budget", metavar="TOKENS", min=64, help="Repeat for several; else 500 to 4,000."
        ),
    ] = None,
    no_vectors: NoVectors = False,  # noqa: FBT002
    rows: Annotated[  # noqa: FBT002
        bool, typer.Option("--rows", help="Also write every question's score.")
    ] = False,
    against: Annotated[
        Path | None,
        typer.Option("--against", metavar="FILE", help="Rows of an earlier run to compare with."),
    ] = None,
) -> None:
    """Measure how much of the known evidence fits a token budget, beside simple baselines."""
    from stepwell_bench.changes import read_outcomes  # noqa: PLC0415
    from stepwell_bench.evidence import BUDGETS, Plan, run  # noqa: PLC0415  (loaded when run)
    from stepwell_bench.results import check_folder  # noqa: PLC0415
    from stepwell_bench.show import show_evidence  # noqa: PLC0415

    check_folder(out)
    plan = Plan(
        dataset=dataset,
        data=data,
        cache=cache or out,
        episodes=episodes,
        seed=seed,
        budgets=tuple(sorted(set(budgets or BUDGETS))),
        against=() if against is None else tuple(read_outcomes(against)),
    )
    measured = partial(run, plan, encoder=None if no_vectors else _model())
    _measure(measured, show_evidence, out=out, name=f"evidence-{dataset}", rows=rows)


@app.command()
def absence(  # noqa: PLR0913, PLR0917  (typer reads options from parameters)
    data: Data,
    dataset: Known = "ama-bench",
    out: Out = RESULTS,
    cache: Cache = None,
    episodes: Episodes = None,
    seed: Seed = 0,
    budget: Annotated[
        int, typer.Option("--budget", metavar="TOKENS", min=64, help="Of one payload.")
    ] = 800,
    others: Annotated[
        int, typer.Option("--others", metavar="N", min=1, help="Of other runs, asked of each run.")
    ] = 30,
    no_vectors: NoVectors = False,  # noqa: FBT002
    rows: Annotated[  # noqa: FBT002
        bool, typer.Option("--rows", help="Also write every question's reply.")
    ] = False,
) -> None:
    """Measure whether a recall says so when nothing in memory supports the question."""
    from stepwell_bench.absence import AbsencePlan, run_absence  # noqa: PLC0415  (loaded when run)
    from stepwell_bench.results import check_folder  # noqa: PLC0415
    from stepwell_bench.showabsence import show_absence  # noqa: PLC0415

    check_folder(out)
    plan = AbsencePlan(
        dataset=dataset,
        data=data,
        cache=cache or out,
        episodes=episodes,
        seed=seed,
        budget=budget,
        others=others,
    )
    run = partial(run_absence, plan, encoder=None if no_vectors else _model())
    _measure(run, show_absence, out=out, name=f"absence-{dataset}", rows=rows)


@app.command()
def questions(
    data: Data,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the questions go.")],
    dataset: Known = "ama-bench",
    stripped: Annotated[  # noqa: FBT002
        bool, typer.Option("--stripped", help="Without the step numbers that questions name.")
    ] = False,
) -> None:
    """Write a data set's questions and evidence as `stepwell learn --questions` takes them."""
    from stepwell.trajectory.questions import write_questions  # noqa: PLC0415  (loaded when run)
    from stepwell_bench.datasets import load_episodes  # noqa: PLC0415
    from stepwell_bench.mesa.running import as_asked  # noqa: PLC0415

    mode: Literal["stripped", "as-asked"] = "stripped" if stripped else "as-asked"
    found = [
        as_asked(question, mode, episode.trajectory.trajectory_id)
        for episode in load_episodes(dataset, data)
        for question in episode.questions
    ]
    out.write_bytes(write_questions(found))
    typer.echo(f"{len(found)} questions written to {out}", err=True)


@app.command()
def speed(
    out: Out = RESULTS,
    sizes: Annotated[
        list[int] | None,
        typer.Option("--size", metavar="STEPS", min=100, help="Repeat; else 1,000 and 10,000."),
    ] = None,
    seed: Seed = 0,
    peers: Annotated[
        list[str] | None,
        typer.Option("--peer", metavar="NAME", help="chromadb, langgraph or mem0; repeat, or all."),
    ] = None,
    adds: Annotated[
        int, typer.Option("--adds", metavar="N", min=4, help="Live adds to time.")
    ] = 300,
    questions: Annotated[
        int, typer.Option("--questions", metavar="N", min=4, help="Recalls to time.")
    ] = 200,
) -> None:
    """Measure adding and recalling beside the least that could do the same: ratios count."""
    from stepwell_bench.peers import chosen  # noqa: PLC0415  (loaded when run)
    from stepwell_bench.results import check_folder, save  # noqa: PLC0415
    from stepwell_bench.sheet import show_speed  # noqa: PLC0415
    from stepwell_bench.speed import SpeedPlan, run_speed  # noqa: PLC0415
    from stepwell_bench.terminal import named  # noqa: PLC0415

    check_folder(out)
    now = datetime.now(UTC)
    plan = SpeedPlan(
        sizes=tuple(sorted(set(sizes or _SIZES))),
        adds=adds,
        questions=questions,
        seed=seed,
        peers=chosen(peers or ()),
    )
    with named() as progress:
        report = run_speed(plan, now=now, model=_model(), progress=progress)
    path = save(report, out, name="speed", now=now, at=report.commit)
    _show(show_speed, report, path)


def _measure(
    run: "Callable[..., tuple[Any, list[Any]]]",
    show: "Callable[[Any, Console], None]",
    *,
    out: Path,
    name: str,
    rows: bool,
) -> None:
    """Run a benchmark, keep its report and, if wanted, what it found question by question."""
    from stepwell_bench.results import save, save_rows  # noqa: PLC0415  (loaded when run)
    from stepwell_bench.terminal import counted  # noqa: PLC0415

    now = datetime.now(UTC)
    with counted() as progress:
        report, found = run(now=now, progress=progress)
    path = save(report, out, name=name, now=now, at=report.commit)
    if rows:
        save_rows(found, path.with_suffix(".rows.jsonl"))
    _show(show, report, path)


def _model() -> Any:
    """Return the local encoder, or None where it is not installed; the report then says so."""
    from stepwell.encode.registry import default_encoder  # noqa: PLC0415  (loaded when run)

    return default_encoder()[0]


def _show(show: "Callable[[Any, Console], None]", report: object, path: Path) -> None:
    """Print a report, and where it is kept."""
    from stepwell_bench.terminal import table_console  # noqa: PLC0415  (loaded when run)

    console = table_console(file_columns=_FILE_COLUMNS)
    show(report, console)
    console.print(f"Written to {path}", soft_wrap=True, markup=False)
