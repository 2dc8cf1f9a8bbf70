"""The `stepwell bench osu` commands; everything heavy is imported when one of them runs."""
# No `from __future__ import annotations`: typer reads the annotations when a command is declared.

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["app"]

app = typer.Typer(
    help="Choose evidence steps of long runs under a budget: OSU-Mem's benchmarks.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

_RESULTS = Path("results")
_PUBLISHED_NOISE = 0.25


class _Subgoals(StrEnum):
    """What a subgoal of the made-up runs is."""

    event = "event"
    segment = "segment"


class _On(StrEnum):
    """What an ablation is run on."""

    synthetic = "synthetic"
    tau = "tau"
    stage_d = "stage-d"


class _Swept(StrEnum):
    """What a sweep varies."""

    memberships = "memberships"
    beta = "beta"
    evidence = "evidence"


Out = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where result files go.")]
Cache = Annotated[
    Path | None,
    typer.Option("--cache", metavar="FOLDER", help="Keeps vectors between runs; else --out."),
]
Data = Annotated[
    list[Path],
    typer.Option("--data", metavar="FOLDER", help="The data set's own files; repeat for several."),
]
MaybeData = Annotated[
    list[Path] | None,
    typer.Option("--data", metavar="FOLDER", help="The data set, where one is used; repeat."),
]
Episodes = Annotated[
    int | None, typer.Option("--episodes", metavar="N", min=1, help="Only so many episodes.")
]
Seeds = Annotated[
    list[int] | None,
    typer.Option("--seed", metavar="N", min=0, help="Of what is drawn; repeat for several."),
]
Budgets = Annotated[
    list[int] | None,
    typer.Option(
        "--budget", metavar="TOKENS", min=1, max=10**9, help="Repeat; else those of the paper."
    ),
]
Rows = Annotated[bool, typer.Option("--rows", help="Also write the marks of every answer.")]
Weak = Annotated[
    bool, typer.Option("--weak", help="Ask by one random evidence step, not by their mean.")
]
AllPairs = Annotated[
    bool, typer.Option("--all-pairs", help="Cells: all pairs of evidence share, not just one.")
]
Noise = Annotated[
    float,
    typer.Option("--noise", metavar="SD", min=0, help="Noise of a question, per coordinate."),
]


@app.command()
def synthetic(
    subgoals: Annotated[
        _Subgoals, typer.Option("--subgoals", help="What a subgoal is: an event, or a stretch.")
    ] = _Subgoals.event,
    episodes: Episodes = None,
    seed: Seeds = None,
    budget: Budgets = None,
    out: Out = _RESULTS,
    rows: Rows = False,  # noqa: FBT002
) -> None:
    """Compare on made-up runs whose shared structure is known."""
    from stepwell_bench.osu import running  # noqa: PLC0415  (loaded when run)

    settings = running.Settings(
        out=out, episodes=episodes, seeds=_all(seed), budgets=_all(budget), rows=rows
    )
    running.synthetic(settings, subgoals=subgoals.value)


@app.command()
def tau(  # noqa: PLR0913, PLR0917  (typer reads options from parameters)
    data: Data,
    noise: Noise = _PUBLISHED_NOISE,
    weak: Weak = False,  # noqa: FBT002
    all_pairs: AllPairs = False,  # noqa: FBT002
    episodes: Episodes = None,
    seed: Seeds = None,
    budget: Budgets = None,
    out: Out = _RESULTS,
    cache: Cache = None,
    rows: Rows = False,  # noqa: FBT002
) -> None:
    """Compare on τ-bench and tau2-bench runs joined to long ones, cell by cell."""
    from stepwell_bench.osu import running  # noqa: PLC0415  (loaded when run)

    settings = running.Settings(
        out=out,
        data=tuple(data),
        cache=cache,
        episodes=episodes,
        seeds=_all(seed),
        budgets=_all(budget),
        rows=rows,
    )
    options = running.TauOptions(noise=noise, weak=weak)
    running.tau(settings, options, all_pairs=all_pairs)


@app.command()
def toolbench(  # noqa: PLR0913, PLR0917  (typer reads options from parameters)
    data: Data,
    evidence: Annotated[
        int, typer.Option("--evidence", metavar="N", min=2, help="Evidence steps per question.")
    ] = 3,
    episodes: Episodes = None,
    seed: Seeds = None,
    budget: Budgets = None,
    out: Out = _RESULTS,
    cache: Cache = None,
    rows: Rows = False,  # noqa: FBT002
) -> None:
    """Compare overlapping and disjoint units on planted ToolBench evidence."""
    from stepwell_bench.osu import running  # noqa: PLC0415  (loaded when run)

    settings = running.Settings(
        out=out,
        data=tuple(data),
        cache=cache,
        episodes=episodes,
        seeds=_all(seed),
        budgets=_all(budget),
        rows=rows,
    )
    running.toolbench(settings, evidence=evidence)


@app.command("stage-d")
def stage_d(  # noqa: PLR0913, PLR0917  (typer reads options from parameters)
    data: Data,
    noise: Noise = _PUBLISHED_NOISE,
    episodes: Episodes = None,
    seed: Seeds = None,
    budget: Budgets = None,
    out: Out = _RESULTS,
    cache: Cache = None,
    rows: Rows = False,  # noqa: FBT002
) -> None:
    """Compare on joined τ-bench runs whose evidence stands in three more places."""
    from stepwell_bench.osu import running  # noqa: PLC0415  (loaded when run)

    settings = running.Settings(
        out=out,
        data=tuple(data),
        cache=cache,
        episodes=episodes,
        seeds=_all(seed),
        budgets=_all(budget),
        rows=rows,
    )
    running.stage_d(settings, running.TauOptions(noise=noise))


@app.command()
def ablation(  # noqa: PLR0913, PLR0917  (typer reads options from parameters)
    on: Annotated[
        _On, typer.Option("--on", help="The benchmark; all but synthetic need --data.")
    ] = _On.synthetic,
    data: MaybeData = None,
    noise: Noise = _PUBLISHED_NOISE,
    episodes: Episodes = None,
    seed: Seeds = None,
    budget: Budgets = None,
    out: Out = _RESULTS,
    cache: Cache = None,
    rows: Rows = False,  # noqa: FBT002
) -> None:
    """Take away overlap, views and novelty, one at a time."""
    from stepwell_bench.osu import running  # noqa: PLC0415  (loaded when run)

    settings = running.Settings(
        out=out,
        data=tuple(data or ()),
        cache=cache,
        episodes=episodes,
        seeds=_all(seed),
        budgets=_all(budget),
        rows=rows,
    )
    running.ablation(settings, running.TauOptions(noise=noise), on=on.value)


@app.command()
def sweep(  # noqa: PLR0913, PLR0917  (typer reads options from parameters)
    what: Annotated[
        _Swept, typer.Argument(help="What is varied; beta and evidence need ToolBench's --data.")
    ],
    data: MaybeData = None,
    episodes: Episodes = None,
    seed: Seeds = None,
    budget: Budgets = None,
    out: Out = _RESULTS,
    cache: Cache = None,
    rows: Rows = False,  # noqa: FBT002
) -> None:
    """Vary units per step, the weight of coverage, or evidence steps per question."""
    from stepwell_bench.osu import running  # noqa: PLC0415  (loaded when run)

    settings = running.Settings(
        out=out,
        data=tuple(data or ()),
        cache=cache,
        episodes=episodes,
        seeds=_all(seed),
        budgets=_all(budget),
        rows=rows,
    )
    running.sweep(settings, what=what.value)


@app.command()
def cost(
    size: Annotated[
        list[int] | None,
        typer.Option("--size", metavar="STEPS", min=20, help="Repeat; else 300 and 2,000."),
    ] = None,
    dimension: Annotated[
        int, typer.Option("--dimension", metavar="D", min=2, help="Of the made-up vectors.")
    ] = 384,
    seed: Seeds = None,
    out: Out = _RESULTS,
) -> None:
    """Measure the time that units take to build, append to and choose by, and their bytes."""
    from stepwell_bench.osu import running  # noqa: PLC0415  (loaded when run)

    running.cost(running.Settings(out=out, seeds=_all(seed)), sizes=size, dimension=dimension)


def _all(given: list[int] | None) -> tuple[int, ...] | None:
    return tuple(given) if given else None
