"""Run the experiments from the command line: measure, save and print."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from stepwell.config import chat_model
from stepwell.config import settings as read_settings
from stepwell_bench.ctmc import audits, controls
from stepwell_bench.ctmc.figures import Report, Scale
from stepwell_bench.ctmc.show import show
from stepwell_bench.results import check_folder, commit, save
from stepwell_bench.terminal import counted, table_console

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from stepwell_bench.ctmc.figures import Findings

__all__ = ["EXPERIMENTS", "SEEDS", "Experiment", "Settings", "run"]

SEEDS: Final = (42, 43, 44)
"""Those of the paper."""

_SCHEMA: Final = 1
_FILE_COLUMNS: Final = 170
_QUICK: Final = 20
"""A quick run takes a twentieth of the steps."""

_SHORT: Final = f"Walks are {_QUICK} times shorter than published: nothing is comparable."


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What every command takes.

    Attributes:
        out: Folder for the result file.
        seeds: Of worlds and walks.
        quick: Whether walks are short, which no figure of the paper is comparable with.
    """

    out: Path
    seeds: tuple[int, ...] = SEEDS
    quick: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """A table.

    Attributes:
        title: What it is about.
        n_steps: Steps of each walk, as published.
        measure: Runs it.
    """

    title: str
    n_steps: int
    measure: Callable[[Scale], Findings]


EXPERIMENTS: Final[Mapping[str, Experiment]] = {
    "world": Experiment(title="the worlds", n_steps=100_000, measure=audits.worlds),
    "table2": Experiment(
        title="spread among the most used tenth under a random walk",
        n_steps=100_000,
        measure=audits.spread,
    ),
    "table3": Experiment(
        title="tails of use under the semantic policy", n_steps=5_000, measure=audits.tail_screen
    ),
    "table4": Experiment(
        title="memory policies, their tokens and tail errors",
        n_steps=2_000,
        measure=controls.memories,
    ),
    "table5": Experiment(
        title="graph memory and the controller by encoding",
        n_steps=2_000,
        measure=controls.encodings,
    ),
    "table6": Experiment(
        title="allocations of one budget", n_steps=2_000, measure=controls.allocations
    ),
    "table7": Experiment(
        title="concentration of use under a random walk",
        n_steps=100_000,
        measure=audits.walk_concentration,
    ),
    "table8": Experiment(
        title="designs of retrieval under a random walk", n_steps=5_000, measure=audits.ladder
    ),
    "both": Experiment(
        title="both errors at once, beyond the paper",
        n_steps=2_000,
        measure=controls.both_errors,
    ),
    "model": Experiment(
        title="memory policies with a language model as the walker",
        n_steps=2_000,
        measure=lambda scale: controls.by_model(scale, chat_model(read_settings())),
    ),
    "tau": Experiment(
        title="concentration of use by τ under the semantic policy",
        n_steps=5_000,
        measure=audits.tau_sweep,
    ),
}
"""The experiments by the name of their command."""


def run(name: str, settings: Settings) -> Path:
    """Run an experiment, save and print what it found, and return the result file.

    Raises:
        InvalidInputError: The result file cannot be written.
    """
    experiment = EXPERIMENTS[name]
    check_folder(settings.out)
    now, at = datetime.now(UTC), commit()
    n_steps = experiment.n_steps // (_QUICK if settings.quick else 1)
    with counted() as progress:
        scale = Scale(seeds=settings.seeds, n_steps=n_steps, progress=progress)
        findings = experiment.measure(scale)
    if settings.quick:
        findings = replace(findings, notices=(*findings.notices, _SHORT))
    report = Report(
        schema=_SCHEMA,
        name=f"ctmc-{name}",
        title=experiment.title,
        created=now.isoformat(),
        commit=at,
        seeds=settings.seeds,
        findings=findings,
    )
    path = save(report, settings.out, name=report.name, now=now, at=at)
    console = table_console(file_columns=_FILE_COLUMNS)
    show(report, console)
    console.print(f"Written to {path}", soft_wrap=True, markup=False)
    return path
