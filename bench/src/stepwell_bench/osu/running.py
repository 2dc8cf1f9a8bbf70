"""Run the experiments from the command line: make worlds, ask, save, print and draw."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from stepwell.encode.registry import default_encoder
from stepwell.errors import InvalidInputError, ModelUnavailableError
from stepwell_bench.osu import plots, suites
from stepwell_bench.osu.analysis import Draws
from stepwell_bench.osu.cost import COST_SIZES, CostReport, measure_cost
from stepwell_bench.osu.experiments import Run, run
from stepwell_bench.osu.rows import save_rows
from stepwell_bench.osu.show import show, show_cost
from stepwell_bench.osu.sources import (
    Recorded,
    sharing_facts,
    tau_by_seed,
    toolbench_by_seed,
    unit_facts,
)
from stepwell_bench.osu.stage_d import augmented
from stepwell_bench.osu.synthetic import SyntheticOptions, synthetic_worlds
from stepwell_bench.osu.tau import TauOptions
from stepwell_bench.osu.toolbench import ToolBenchOptions
from stepwell_bench.osu.world import relabelled
from stepwell_bench.results import check_folder, commit, save
from stepwell_bench.terminal import counted, table_console

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from stepwell.encode.base import Encoder
    from stepwell_bench.osu.experiments import Experiment, Fact
    from stepwell_bench.osu.world import World

__all__ = [
    "Settings",
    "TauOptions",
    "ablation",
    "cost",
    "stage_d",
    "sweep",
    "synthetic",
    "tau",
    "toolbench",
]

_SEEDS = (0,)
_TOOLBENCH_SEEDS = (42, 123, 456)
"""Those of the paper."""

_EVIDENCE = 3
_FILE_COLUMNS = 170
"""Width of tables that go to a file: narrower breaks rows."""

Worlds = dict[int, "list[World]"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What every command takes.

    Attributes:
        out: Folder for result files.
        data: Folders of recorded runs, where an experiment uses them.
        cache: Folder that keeps vectors; None for `out`.
        episodes: How many episodes; None for all.
        seeds: Of what is drawn; None for those of the paper, or 0.
        budgets: Tokens allowed; None for those of the paper.
        rows: Whether the marks of every answer are written as well.
        encoder: Encodes recorded runs; None for the default one.
    """

    out: Path
    data: tuple[Path, ...] = ()
    cache: Path | None = None
    episodes: int | None = None
    seeds: tuple[int, ...] | None = None
    budgets: tuple[int, ...] | None = None
    rows: bool = False
    encoder: Encoder | None = None

    @property
    def drawn(self) -> tuple[int, ...]:
        """The seeds, 0 where none is given."""
        return self.seeds or _SEEDS

    @property
    def draws(self) -> Draws:
        """Intervals and tests, from the first seed."""
        return Draws(seed=self.drawn[0])


def synthetic(settings: Settings, *, subgoals: Literal["event", "segment"]) -> Path:
    """Compare on made-up runs, and return the result file."""
    return _synthetic(suites.synthetic(settings.draws), settings, subgoals=subgoals)


def _synthetic(
    experiment: Experiment, settings: Settings, *, subgoals: Literal["event", "segment"]
) -> Path:
    options = SyntheticOptions(subgoal_scope=subgoals)
    if settings.episodes is not None:
        options = replace(options, episodes=settings.episodes)
    worlds = {seed: synthetic_worlds(options, seed=seed) for seed in settings.drawn}
    facts = sharing_facts(_together(worlds), "synthetic")
    return _finish(experiment, worlds, settings, facts=facts, options={"subgoals": subgoals})


def tau(settings: Settings, options: TauOptions, *, all_pairs: bool = False) -> Path:
    """Compare on joined τ-bench runs, and return the result file.

    Raises:
        StepwellError: There is no data, or no encoder.
    """
    worlds, recorded = _joined(settings, options)
    if all_pairs:
        worlds = {
            seed: [relabelled(world, all_pairs=True) for world in some]
            for seed, some in worlds.items()
        }
    return _finish(
        replace(suites.tau(settings.draws), figures=_figures(options, all_pairs)),
        worlds,
        settings,
        encoder=recorded.encoder,
        options={"noise": options.noise, "weak": options.weak, "all pairs": all_pairs},
    )


def _figures(options: TauOptions, all_pairs: bool) -> str:  # noqa: FBT001  (as `tau` has it)
    """Return the paper's experiment of these options, empty where it has none."""
    if options.noise != TauOptions().noise or all_pairs:
        return ""
    return "tau-weak" if options.weak else "tau"


def stage_d(settings: Settings, options: TauOptions) -> Path:
    """Compare on joined runs with copied evidence, and return the result file.

    Raises:
        StepwellError: There is no data, or no encoder.
    """
    worlds, recorded = _joined(settings, options)
    return _finish(
        suites.stage_d(settings.draws),
        _copied(worlds),
        settings,
        encoder=recorded.encoder,
        options={"noise": options.noise},
    )


def toolbench(settings: Settings, *, evidence: int = _EVIDENCE) -> Path:
    """Compare on planted ToolBench evidence, and return the result file.

    Raises:
        StepwellError: There is no data, or no encoder.
    """
    worlds, recorded = _planted(settings, evidence)
    return _finish(
        suites.toolbench(settings.draws),
        worlds,
        settings,
        facts=unit_facts(_together(worlds), "toolbench"),
        encoder=recorded.encoder,
        options={"evidence": evidence},
    )


def ablation(
    settings: Settings, options: TauOptions, *, on: Literal["synthetic", "tau", "stage-d"]
) -> Path:
    """Compare OSU-Mem with itself without one part, and return the result file.

    Raises:
        StepwellError: Recorded runs are asked for, and there is no data or no encoder.
    """
    experiment = suites.ablation(on, settings.draws)
    if on == "synthetic":
        return _synthetic(experiment, settings, subgoals="event")
    worlds, recorded = _joined(settings, options)
    return _finish(
        experiment,
        _copied(worlds) if on == "stage-d" else worlds,
        settings,
        encoder=recorded.encoder,
        options={"noise": options.noise},
    )


def sweep(settings: Settings, *, what: Literal["memberships", "beta", "evidence"]) -> list[Path]:
    """Vary one constant, and return the result files.

    Raises:
        StepwellError: Recorded runs are needed, and there is no data or no encoder.
    """
    draws = settings.draws
    if what == "memberships":
        experiment = suites.membership_sweep(draws)
        return [_synthetic(experiment, settings, subgoals="event")]
    if what == "beta":
        experiments = {_EVIDENCE: suites.beta_sweep(draws)}
    else:
        experiments = {size: suites.evidence_sweep(size, draws) for size in suites.EVIDENCE_SIZES}
    found: list[Path] = []
    for size, experiment in experiments.items():
        worlds, recorded = _planted(settings, size)
        options = {"evidence": size}
        found.append(
            _finish(experiment, worlds, settings, encoder=recorded.encoder, options=options)
        )
    return found


def _together(worlds: Mapping[int, Sequence[World]]) -> list[World]:
    return [world for some in worlds.values() for world in some]


def _joined(settings: Settings, options: TauOptions) -> tuple[Worlds, Recorded]:
    options = replace(options, episodes=settings.episodes)
    with counted() as progress:
        recorded = _recorded(settings, progress)
        return tau_by_seed(recorded, options, settings.drawn), recorded


def _planted(settings: Settings, evidence: int) -> tuple[Worlds, Recorded]:
    options = ToolBenchOptions(evidence=evidence)
    if settings.episodes is not None:
        options = replace(options, episodes=settings.episodes)
    seeds = settings.seeds or _TOOLBENCH_SEEDS
    with counted() as progress:
        recorded = _recorded(settings, progress)
        return toolbench_by_seed(recorded, options, seeds), recorded


def _copied(worlds: Mapping[int, Sequence[World]]) -> Worlds:
    return {seed: augmented(some, seed=seed) for seed, some in worlds.items()}


def _recorded(settings: Settings, progress: Callable[[str, int, int], None]) -> Recorded:
    if not settings.data:
        raise InvalidInputError(
            "This experiment is run on recorded runs.", hint="Name their folder with --data FOLDER."
        )
    encoder, reason = settings.encoder, ""
    if encoder is None:
        encoder, reason = default_encoder()
    if encoder is None:
        raise ModelUnavailableError(
            "This experiment compares vectors of steps, and there is no encoder.", hint=reason
        )
    check_folder(settings.out)
    return Recorded(
        data=settings.data,
        encoder=encoder,
        cache=settings.cache or settings.out,
        progress=progress,
    )


def cost(settings: Settings, *, sizes: Sequence[int] | None = None, dimension: int = 384) -> Path:
    """Measure what units cost, and return the result file."""
    check_folder(settings.out)
    now, at = datetime.now(UTC), commit()
    with counted() as progress:
        timings = measure_cost(
            tuple(sorted(set(sizes or COST_SIZES))),
            dimension=dimension,
            seed=settings.drawn[0],
            progress=lambda what: progress(what, 0, 1),
        )
    report = CostReport(
        schema=1,
        benchmark="osu-cost",
        created=now.isoformat(timespec="seconds"),
        commit=at,
        seed=settings.drawn[0],
        timings=tuple(timings),
    )
    path = save(report, settings.out, name=report.benchmark, now=now, at=at)
    console = table_console(file_columns=_FILE_COLUMNS)
    show_cost(report, console)
    console.print(f"Written to {path}", soft_wrap=True, markup=False)
    return path


def _finish(
    experiment: Experiment,
    worlds: Mapping[int, Sequence[World]],
    settings: Settings,
    *,
    options: Mapping[str, Any],
    facts: Sequence[Fact] = (),
    encoder: Encoder | None = None,
) -> Path:
    check_folder(settings.out)
    if settings.budgets:
        budgets = tuple(sorted(set(settings.budgets)))
        primary = experiment.primary if experiment.primary in budgets else budgets[0]
        experiment = replace(experiment, budgets=budgets, primary=primary)
    now = datetime.now(UTC)
    given = Run(
        created=now,
        commit=commit(),
        encoder=None if encoder is None else encoder.encoder_id,
        options=options,
        notices=() if plots.can_draw() else (plots.WITHOUT,),
    )
    with counted() as progress:
        report, rows = run(experiment, worlds, given, facts=facts, progress=progress)
    path = save(report, settings.out, name=report.name, now=now, at=report.commit)
    if settings.rows:
        save_rows(rows, path.with_suffix(".rows.jsonl"))
    console = table_console(file_columns=_FILE_COLUMNS)
    show(report, console)
    if plots.can_draw():
        picture = path.with_suffix(".png")
        plots.draw(report, picture)
        console.print(f"Drawn in {picture}", soft_wrap=True, markup=False)
    console.print(f"Written to {path}", soft_wrap=True, markup=False)
    return path
