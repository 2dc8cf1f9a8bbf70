"""The `stepwell bench` commands; everything heavy is imported when one of them runs."""
# No `from __future__ import annotations`: typer reads the annotations when a command is declared.

from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from stepwell_bench.ctmc.commands import app as ctmc
from stepwell_bench.mesa.commands import app as mesa
from stepwell_bench.osu.commands import app as osu

__all__ = ["app"]

app = typer.Typer(
    help="Measure evidence recall and speed on this machine.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

app.add_typer(osu, name="osu")
app.add_typer(mesa, name="mesa")
app.add_typer(ctmc, name="ctmc")

_RESULTS = Path("results")
_SIZES = (1_000, 10_000)
_FILE_COLUMNS = 150


class _Known(StrEnum):
    """The data sets."""

    ama_bench = "ama-bench"
    locomo = "locomo"
    longmemeval = "longmemeval"


Out = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where the result file goes.")]
NoVectors = Annotated[bool, typer.Option("--no-vectors", help="Search by words only.")]
Rows = Annotated[bool, typer.Option("--rows", help="Also write every question's score.")]
Seed = Annotated[
    int, typer.Option("--seed", metavar="N", help="Of samples, made-up texts and intervals.")
]


@app.command()
def evidence(  # noqa: PLR0913, PLR0917  (typer reads options from parameters)
    data: Annotated[
        Path, typer.Option("--data", metavar="FOLDER", help="The data set's JSON files.")
    ],
    dataset: Annotated[_Known, typer.Option("--dataset", help="What they are.")] = _Known.ama_bench,
    out: Out = _RESULTS,
    cache: Annotated[
        Path | None,
        typer.Option("--cache", metavar="FOLDER", help="Keeps vectors between runs; else --out."),
    ] = None,
    episodes: Annotated[
        int | None, typer.Option("--episodes", metavar="N", min=1, help="Only a random sample.")
    ] = None,
    seed: Seed = 0,
    budgets: Annotated[
        list[int] | None,
        typer.Option(
            "--budget", metavar="TOKENS", min=64, help="Repeat for several; else 500 to 4,000."
        ),
    ] = None,
    no_vectors: NoVectors = False,  # noqa: FBT002
    rows: Rows = False,  # noqa: FBT002
) -> None:
    """Measure how much of the known evidence fits a token budget, beside simple baselines."""
    from stepwell_bench.evidence import BUDGETS, Plan, run  # noqa: PLC0415  (loaded when run)
    from stepwell_bench.results import check_folder, save, save_rows  # noqa: PLC0415
    from stepwell_bench.show import show_evidence  # noqa: PLC0415
    from stepwell_bench.terminal import counted, table_console  # noqa: PLC0415

    check_folder(out)
    now = datetime.now(UTC)
    plan = Plan(
        dataset=dataset.value,
        data=data,
        cache=cache or out,
        episodes=episodes,
        seed=seed,
        budgets=tuple(sorted(set(budgets or BUDGETS))),
    )
    encoder = None if no_vectors else _model()
    with counted() as progress:
        report, outcomes = run(plan, encoder=encoder, now=now, progress=progress)
    path = save(report, out, name=f"evidence-{dataset.value}", now=now, at=report.commit)
    if rows:
        save_rows(outcomes, path.with_suffix(".rows.jsonl"))
    console = table_console(file_columns=_FILE_COLUMNS)
    show_evidence(report, console)
    console.print(f"Written to {path}", soft_wrap=True, markup=False)


@app.command()
def questions(
    data: Annotated[
        Path, typer.Option("--data", metavar="FOLDER", help="The data set's JSON files.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the questions go.")],
    dataset: Annotated[_Known, typer.Option("--dataset", help="What they are.")] = _Known.ama_bench,
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
        for episode in load_episodes(dataset.value, data)
        for question in episode.questions
    ]
    out.write_bytes(write_questions(found))
    typer.echo(f"{len(found)} questions written to {out}", err=True)


@app.command()
def speed(
    out: Out = _RESULTS,
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
    from stepwell_bench.terminal import named, table_console  # noqa: PLC0415

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
    console = table_console(file_columns=_FILE_COLUMNS)
    show_speed(report, console)
    console.print(f"Written to {path}", soft_wrap=True, markup=False)


def _model() -> Any:
    """Return the local encoder, or None where it is not installed; the report then says so."""
    from stepwell.encode.registry import default_encoder  # noqa: PLC0415  (loaded when run)

    return default_encoder()[0]
