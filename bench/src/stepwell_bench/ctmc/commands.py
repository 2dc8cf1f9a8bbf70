"""The `stepwell bench ctmc` commands; everything heavy is imported when one of them runs."""
# No `from __future__ import annotations`: typer reads the annotations when a command is declared.

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["app"]

app = typer.Typer(
    help="Graph worlds, and memories under a prompt budget: CTMC's benchmarks.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

Out = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where the result file goes.")]
Seeds = Annotated[
    list[int] | None,
    typer.Option(
        "--seed", metavar="N", min=0, help="Of worlds and walks; repeat, else 42, 43 and 44."
    ),
]
Quick = Annotated[bool, typer.Option("--quick", help="Walk a twentieth of the steps.")]

_RESULTS = Path("results")


class _Known(StrEnum):
    """The data sets that stand in for LongMemEval."""

    ama_bench = "ama-bench"
    locomo = "locomo"


class _Version(StrEnum):
    """LongMemEval's files."""

    s = "s"
    m = "m"
    oracle = "oracle"


Data = Annotated[Path, typer.Option("--data", metavar="FOLDER", help="The data set's files.")]
Cache = Annotated[
    Path | None,
    typer.Option("--cache", metavar="FOLDER", help="Keeps vectors between runs; else --out."),
]
Budgets = Annotated[
    list[int] | None,
    typer.Option(
        "--budget", metavar="TOKENS", min=128, help="Flat's; repeat for several, else 500 to 4,000."
    ),
]
Share = Annotated[
    float,
    typer.Option("--share", min=0.3, max=1.0, help="The share of it that the controller gets."),
]
Sample = Annotated[
    int | None, typer.Option("--episodes", metavar="N", min=1, help="Only a random sample.")
]
NoVectors = Annotated[bool, typer.Option("--no-vectors", help="Search by words only.")]
Rows = Annotated[bool, typer.Option("--rows", help="Also write every question's figures.")]
Drawn = Annotated[
    int, typer.Option("--seed", metavar="N", min=0, help="Of samples, draws and intervals.")
]

_SHARE = 0.72


@app.command()
def world(out: Out = _RESULTS, seed: Seeds = None, quick: Quick = False) -> None:  # noqa: FBT002
    """Describe the graph worlds: six families at three sizes."""
    _run("world", out, seed, quick=quick)


@app.command()
def table2(out: Out = _RESULTS, seed: Seeds = None, quick: Quick = False) -> None:  # noqa: FBT002
    """Audit a random walk's use of memory: the spread of the most used, and how it grows."""
    _run("table2", out, seed, quick=quick)


@app.command()
def table3(out: Out = _RESULTS, seed: Seeds = None, quick: Quick = False) -> None:  # noqa: FBT002
    """Screen the tails of use under the semantic policy, family by family."""
    _run("table3", out, seed, quick=quick)


@app.command()
def table4(out: Out = _RESULTS, seed: Seeds = None, quick: Quick = False) -> None:  # noqa: FBT002
    """Compare six memory policies: tokens per step, and errors of what they foresee."""
    _run("table4", out, seed, quick=quick)


@app.command()
def table5(out: Out = _RESULTS, seed: Seeds = None, quick: Quick = False) -> None:  # noqa: FBT002
    """Compare graph memory and the published controller, verbose and compact."""
    _run("table5", out, seed, quick=quick)


@app.command()
def table6(out: Out = _RESULTS, seed: Seeds = None, quick: Quick = False) -> None:  # noqa: FBT002
    """Share one budget by rank, equally, and by shuffled and reversed ranks."""
    _run("table6", out, seed, quick=quick)


@app.command()
def both(out: Out = _RESULTS, seed: Seeds = None, quick: Quick = False) -> None:  # noqa: FBT002
    """Lower the tail error and the error over all steps at once: beyond the paper."""
    _run("both", out, seed, quick=quick)


@app.command()
def model(out: Out = _RESULTS, seed: Seeds = None, quick: Quick = False) -> None:  # noqa: FBT002
    """Let the model of STEPWELL_MODEL walk with every memory; each step is one request."""
    _run("model", out, seed, quick=quick)


@app.command()
def table7(out: Out = _RESULTS, seed: Seeds = None, quick: Quick = False) -> None:  # noqa: FBT002
    """Audit a random walk's use of memory: Gini, top share, spread."""
    _run("table7", out, seed, quick=quick)


@app.command()
def table8(out: Out = _RESULTS, seed: Seeds = None, quick: Quick = False) -> None:  # noqa: FBT002
    """Climb the ladder of retrieval designs."""
    _run("table8", out, seed, quick=quick)


@app.command()
def tau(out: Out = _RESULTS, seed: Seeds = None, quick: Quick = False) -> None:  # noqa: FBT002
    """Vary how steeply retrieval prefers the first ranks."""
    _run("tau", out, seed, quick=quick)


@app.command()
def tokens(  # noqa: PLR0913, PLR0917  (typer reads options from parameters)
    data: Data,
    dataset: Annotated[_Known, typer.Option("--dataset", help="What they are.")] = _Known.locomo,
    out: Out = _RESULTS,
    cache: Cache = None,
    budgets: Budgets = None,
    share: Share = _SHARE,
    episodes: Sample = None,
    seed: Drawn = 0,
    no_vectors: NoVectors = False,  # noqa: FBT002
    rows: Rows = False,  # noqa: FBT002
) -> None:
    """Measure the tokens that allocation by rank saves flat packing at the same evidence."""
    from stepwell_bench.ctmc import tokenrunning  # noqa: PLC0415  (loaded when run)
    from stepwell_bench.ctmc.tokens import BUDGETS, TokenPlan  # noqa: PLC0415

    plan = TokenPlan(
        dataset=dataset.value,
        data=data,
        cache=cache or out,
        episodes=episodes,
        seed=seed,
        budgets=tuple(sorted(set(budgets or BUDGETS))),
        share=share,
    )
    tokenrunning.tokens(plan, out=out, vectors=not no_vectors, rows=rows)


@app.command()
def longmemeval(  # noqa: PLR0913, PLR0917  (typer reads options from parameters)
    data: Data,
    version: Annotated[
        _Version, typer.Option("--version", help="Which of the official files.")
    ] = _Version.s,
    out: Out = _RESULTS,
    cache: Cache = None,
    budgets: Budgets = None,
    share: Share = _SHARE,
    episodes: Sample = None,
    seed: Drawn = 0,
    no_vectors: NoVectors = False,  # noqa: FBT002
    rows: Rows = False,  # noqa: FBT002
) -> None:
    """Measure the same on LongMemEval's official files, by type of questions."""
    from stepwell_bench.ctmc import tokenrunning  # noqa: PLC0415  (loaded when run)
    from stepwell_bench.ctmc.longmemeval import Version  # noqa: PLC0415
    from stepwell_bench.ctmc.tokens import BUDGETS, TokenPlan  # noqa: PLC0415

    plan = TokenPlan(
        dataset="longmemeval",
        data=data,
        cache=cache or out,
        episodes=episodes,
        seed=seed,
        budgets=tuple(sorted(set(budgets or BUDGETS))),
        share=share,
    )
    chosen = Version(version.value)
    tokenrunning.tokens(plan, out=out, vectors=not no_vectors, rows=rows, version=chosen)


@app.command()
def alfworld(data: Data, out: Out = _RESULTS, seed: Drawn = 0) -> None:
    """Compare the prompts of graph memory and CTMC on ALFWorld's games, or logs of them."""
    from stepwell_bench.ctmc import tokenrunning  # noqa: PLC0415  (loaded when run)
    from stepwell_bench.ctmc.alfworld import AlfPlan  # noqa: PLC0415

    tokenrunning.alfworld(AlfPlan(data=data, seed=seed), out=out)


def _run(name: str, out: Path, seed: list[int] | None, *, quick: bool) -> None:
    from stepwell_bench.ctmc import running  # noqa: PLC0415  (loaded when run)

    seeds = tuple(dict.fromkeys(seed)) if seed else running.SEEDS
    running.run(name, running.Settings(out=out, seeds=seeds, quick=quick))
