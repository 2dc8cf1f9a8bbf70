"""The `stepwell bench osu` commands; everything heavy is imported when one of them runs."""
# No `from __future__ import annotations`: typer reads the annotations when a command is declared.

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from stepwell_bench.options import RESULTS, Cache, Out, command_group, grouped

if TYPE_CHECKING:
    from stepwell_bench.osu.running import Settings

__all__ = ["app"]

app = command_group("Choose evidence steps of long runs under a budget: OSU-Mem's benchmarks.")

_PUBLISHED_NOISE = 0.25

Data: TypeAlias = Annotated[
    list[Path],
    typer.Option("--data", metavar="FOLDER", help="The data set's own files; repeat for several."),
]
MaybeData: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option("--data", metavar="FOLDER", help="The data set, where one is used; repeat."),
]
Seeds: TypeAlias = Annotated[
    list[int] | None,
    typer.Option("--seed", metavar="N", min=0, help="Of what is drawn; repeat for several."),
]
Noise: TypeAlias = Annotated[
    float,
    typer.Option("--noise", metavar="SD", min=0, help="Noise of a question, per coordinate."),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """What every comparison takes."""

    episodes: Annotated[
        int | None, typer.Option("--episodes", metavar="N", min=1, help="Only so many episodes.")
    ] = None
    seed: Seeds = None
    budget: Annotated[
        list[int] | None,
        typer.Option(
            "--budget", metavar="TOKENS", min=1, max=10**9, help="Repeat; else those of the paper."
        ),
    ] = None
    out: Out = RESULTS
    rows: Annotated[bool, typer.Option("--rows", help="Also write the marks of every answer.")] = (
        False
    )

    def settings(self, data: Sequence[Path] = (), *, cache: Path | None = None) -> "Settings":
        """Return what the experiments call the settings."""
        from stepwell_bench.osu.running import Settings  # noqa: PLC0415  (loaded when run)

        return Settings(
            out=self.out,
            data=tuple(data),
            cache=cache,
            episodes=self.episodes,
            seeds=_all(self.seed),
            budgets=_all(self.budget),
            rows=self.rows,
        )


@app.command()
@grouped
def synthetic(
    run: _Run,
    subgoals: Annotated[
        Literal["event", "segment"],
        typer.Option("--subgoals", help="What a subgoal is: an event, or a stretch."),
    ] = "event",
) -> None:
    """Compare on made-up runs whose shared structure is known."""
    from stepwell_bench.osu import running  # noqa: PLC0415  (loaded when run)

    running.synthetic(run.settings(), subgoals=subgoals)


@app.command()
@grouped
def tau(
    data: Data,
    run: _Run,
    *,
    noise: Noise = _PUBLISHED_NOISE,
    weak: Annotated[
        bool, typer.Option("--weak", help="Ask by one random evidence step, not by their mean.")
    ] = False,
    all_pairs: Annotated[
        bool, typer.Option("--all-pairs", help="Cells: all pairs of evidence share, not just one.")
    ] = False,
    cache: Cache = None,
) -> None:
    """Compare on τ-bench and tau2-bench runs joined to long ones, cell by cell."""
    from stepwell_bench.osu import running  # noqa: PLC0415  (loaded when run)

    options = running.TauOptions(noise=noise, weak=weak)
    running.tau(run.settings(data, cache=cache), options, all_pairs=all_pairs)


@app.command()
@grouped
def toolbench(
    data: Data,
    run: _Run,
    evidence: Annotated[
        int, typer.Option("--evidence", metavar="N", min=2, help="Evidence steps per question.")
    ] = 3,
    cache: Cache = None,
) -> None:
    """Compare overlapping and disjoint units on planted ToolBench evidence."""
    from stepwell_bench.osu import running  # noqa: PLC0415  (loaded when run)

    running.toolbench(run.settings(data, cache=cache), evidence=evidence)


@app.command("stage-d")
@grouped
def stage_d(data: Data, run: _Run, noise: Noise = _PUBLISHED_NOISE, cache: Cache = None) -> None:
    """Compare on joined τ-bench runs whose evidence stands in three more places."""
    from stepwell_bench.osu import running  # noqa: PLC0415  (loaded when run)

    running.stage_d(run.settings(data, cache=cache), running.TauOptions(noise=noise))


@app.command()
@grouped
def ablation(
    run: _Run,
    on: Annotated[
        Literal["synthetic", "tau", "stage-d"],
        typer.Option("--on", help="The benchmark; all but synthetic need --data."),
    ] = "synthetic",
    data: MaybeData = None,
    noise: Noise = _PUBLISHED_NOISE,
    cache: Cache = None,
) -> None:
    """Take away overlap, views and novelty, one at a time."""
    from stepwell_bench.osu import running  # noqa: PLC0415  (loaded when run)

    settings = run.settings(data or (), cache=cache)
    running.ablation(settings, running.TauOptions(noise=noise), on=on)


@app.command()
@grouped
def sweep(
    what: Annotated[
        Literal["memberships", "beta", "evidence"],
        typer.Argument(help="What is varied; beta and evidence need ToolBench's --data."),
    ],
    run: _Run,
    data: MaybeData = None,
    cache: Cache = None,
) -> None:
    """Vary units per step, the weight of coverage, or evidence steps per question."""
    from stepwell_bench.osu import running  # noqa: PLC0415  (loaded when run)

    running.sweep(run.settings(data or (), cache=cache), what=what)


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
    out: Out = RESULTS,
) -> None:
    """Measure the time that units take to build, append to and choose by, and their bytes."""
    from stepwell_bench.osu import running  # noqa: PLC0415  (loaded when run)

    running.cost(running.Settings(out=out, seeds=_all(seed)), sizes=size, dimension=dimension)


def _all(given: list[int] | None) -> tuple[int, ...] | None:
    return tuple(given) if given else None
