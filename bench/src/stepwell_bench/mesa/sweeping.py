"""Run the sweep: read every subset for every question, and say what follows."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.learn.replay.readings import REWARDS
from stepwell_bench.mesa.claims import claims_of
from stepwell_bench.mesa.grid import FIVE, asked, at_budget, read_grid
from stepwell_bench.mesa.paper import NOTE, PUBLISHED
from stepwell_bench.mesa.running import Setting, prepare
from stepwell_bench.mesa.sweep import find_sweep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from stepwell.learn.cases import Case
    from stepwell.learn.replay.ledger import Reading
    from stepwell_bench.datasets import Dataset
    from stepwell_bench.mesa.claims import Claim
    from stepwell_bench.mesa.grid import Grid
    from stepwell_bench.mesa.paper import Published
    from stepwell_bench.mesa.sweep import SweepFindings
    from stepwell_bench.scoring import Mode

__all__ = ["BUDGET", "MODES", "Found", "Place", "SweepReport", "SweepSettings", "run_sweep"]

BUDGET: Final = 4_000
"""Tokens of a payload, where none are given."""

MODES: Final[tuple[Mode, ...]] = ("as-asked", "stripped")
"""Ways of asking."""

_SCHEMA: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an experiment reads and writes.

    Attributes:
        dataset: The data set.
        data: Its folder.
        state: Folder that keeps the store, the vectors and the readings between runs.
        out: Folder for result files.
        with_vectors: Whether meanings are searched.
        episodes: A random sample of so many episodes; None for all.
        workers: Processes that read.
    """

    dataset: Dataset
    data: Path
    state: Path
    out: Path
    with_vectors: bool = True
    episodes: int | None = None
    workers: int = 2

    def setting(self, *, budget: int, seed: int) -> Setting:
        """Return the setting of questions asked in both ways, under a budget."""
        return Setting(
            dataset=self.dataset,
            data=self.data,
            state=self.state,
            budget=budget,
            modes=MODES,
            with_vectors=self.with_vectors,
            episodes=self.episodes,
            seed=seed,
            workers=self.workers,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepSettings:
    """What is swept.

    Attributes:
        budgets: Tokens of a payload.
        modes: Ways of asking.
        rewards: What counts: `evidence`, `literal`.
        structures: Those whose subsets are read.
        seed: Of the sample, the halves and the intervals.
    """

    budgets: tuple[int, ...] = (BUDGET,)
    modes: tuple[Mode, ...] = MODES
    rewards: tuple[str, ...] = REWARDS
    structures: tuple[str, ...] = FIVE
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a sweep found for one reward, way of asking and budget.

    Attributes:
        findings: The figures.
        claims: What they say of the paper's two findings.
    """

    findings: SweepFindings
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepReport:
    """What a sweep found; the result file holds exactly this.

    Attributes:
        violations: How often each rule was broken, over all readings; empty where none was.
        n_readings: How many readings there are.
        published: The paper's figures, which `note` says how to take.
    """

    schema: int
    benchmark: str
    created: str
    commit: str
    dataset: str
    seed: int
    with_vectors: bool
    structures: tuple[str, ...]
    n_episodes: int
    n_readings: int
    violations: dict[str, int]
    found: tuple[Found, ...]
    published: tuple[Published, ...]
    note: str
    notices: tuple[str, ...]


def run_sweep(
    place: Place,
    settings: SweepSettings,
    *,
    created: str,
    commit: str,
    progress: Callable[[str, int, int], None] = lambda _w, _d, _t: None,
) -> tuple[SweepReport, list[Reading]]:
    """Read every subset for every question, and return what was found with every reading.

    Args:
        place: Where the data are.
        settings: What is swept.
        created: The time of the run.
        commit: The commit it runs from.
        progress: Called with what is done, how much of it, and out of how much.

    Raises:
        NotFoundError: There is no such data.
        InvalidInputError: It is no such data set.
        ModelUnavailableError: Vectors are asked for and the local encoder is not installed.
    """
    first = place.setting(budget=settings.budgets[0], seed=settings.seed)
    prepared = prepare(first, progress=progress)
    cases = _wanted(prepared.cases, settings.modes)
    with closing(prepared.readings):
        grids = [
            read_grid(prepared.readings, at_budget(cases, budget), structures=settings.structures)
            for budget in settings.budgets
        ]
    rows = [one for grid in grids for row in grid.readings for one in row]
    violations = Counter[str]()
    for grid in grids:
        violations.update(grid.violations)
    names = tuple(dict.fromkeys(name for subset in grids[0].subsets for name in subset))
    report = SweepReport(
        schema=_SCHEMA,
        benchmark="mesa-sweep",
        created=created,
        commit=commit,
        dataset=place.dataset,
        seed=settings.seed,
        with_vectors=place.with_vectors,
        structures=names,
        n_episodes=len({case.episode for case in cases}),
        n_readings=len(rows),
        violations=dict(violations),
        found=tuple(_found(grids, settings)),
        published=PUBLISHED[place.dataset],
        note=NOTE,
        notices=tuple(
            f"{name} is not available here; subsets with it are left out."
            for name in settings.structures
            if name not in names
        ),
    )
    return report, rows


def _wanted(cases: tuple[Case, ...], modes: tuple[Mode, ...]) -> tuple[Case, ...]:
    ids = {case.id for mode in modes for case in asked(cases, mode)}
    return tuple(case for case in cases if case.id in ids)


def _found(grids: list[Grid], settings: SweepSettings) -> Iterator[Found]:
    for budget, grid in zip(settings.budgets, grids, strict=True):
        for mode in settings.modes:
            for reward in settings.rewards:
                table = grid.table(reward, mode)
                if not table.weights.any():  # no answer has words to look for
                    continue
                rng = np.random.default_rng(settings.seed)
                findings = find_sweep(table, reward=reward, mode=mode, budget=budget, rng=rng)
                yield Found(findings=findings, claims=claims_of(findings))
