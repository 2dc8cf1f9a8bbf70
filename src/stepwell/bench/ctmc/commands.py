"""The `stepwell bench ctmc` commands; everything heavy is imported when one of them runs."""
# No `from __future__ import annotations`: typer reads the annotations when a command is declared.

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


def _run(name: str, out: Path, seed: list[int] | None, *, quick: bool) -> None:
    from stepwell.bench.ctmc import running  # noqa: PLC0415  (loaded when run)

    seeds = tuple(dict.fromkeys(seed)) if seed else running.SEEDS
    running.run(name, running.Settings(out=out, seeds=seeds, quick=quick))
