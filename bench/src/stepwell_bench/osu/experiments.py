"""An experiment: worlds, methods and budgets in; rows, means, differences and tests out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stepwell_bench.osu.analysis import (
    Contrast,
    Draws,
    Effect,
    Mean,
    Pair,
    contrasts,
    effects,
    means,
)
from stepwell_bench.osu.methods import OSU
from stepwell_bench.osu.paper import (
    PublishedEffect,
    PublishedGap,
    PublishedMean,
    published_effects,
    published_facts,
    published_gaps,
    published_means,
)
from stepwell_bench.osu.rows import ask
from stepwell_bench.osu.world import Cell

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from stepwell_bench.osu.methods import Method
    from stepwell_bench.osu.rows import Row
    from stepwell_bench.osu.world import World

__all__ = [
    "Experiment",
    "Fact",
    "Report",
    "Run",
    "facts_of",
    "run",
    "standard_pairs",
    "with_published",
]

SCHEMA = 1
"""Version of the result file."""

_ADAPTIVE = "adaptive"
_DRAWS = Draws()


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """What is compared on what.

    Attributes:
        benchmark: What is asked: `synthetic`, `tau`, `stage-d` or `toolbench`.
        name: The name of the result file, such as `osu-tau`.
        methods: Who answers.
        pairs: Who is compared with whom.
        budgets: Tokens allowed.
        primary: The budget that the first table is about.
        draws: How intervals and tests are drawn.
        figures: The paper's experiment whose figures are comparable: None for that of the same
            name, empty for none.
    """

    benchmark: str
    name: str
    methods: tuple[Method, ...]
    pairs: tuple[Pair, ...]
    budgets: tuple[int, ...]
    primary: int
    draws: Draws = _DRAWS
    figures: str | None = None

    @property
    def comparable(self) -> str:
        """The name of the paper's experiment, empty for none."""
        return self.benchmark if self.figures is None else self.figures


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something about the questions themselves, and what the paper says of it."""

    name: str
    value: float
    published: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of an experiment: what was given beside the experiment itself.

    Attributes:
        created: When.
        commit: The commit it ran from; may be empty.
        encoder: The encoder's id; None for made-up vectors.
        options: Options of the worlds, by name.
        notices: What limits the run.
    """

    created: datetime
    commit: str
    encoder: str | None
    options: Mapping[str, Any]
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a run found; the result file holds exactly this."""

    schema: int
    benchmark: str
    name: str
    created: str
    commit: str
    encoder: str | None
    seeds: tuple[int, ...]
    options: dict[str, Any]
    draws: Draws
    budgets: tuple[int, ...]
    primary: int
    notices: tuple[str, ...]
    facts: tuple[Fact, ...]
    means: tuple[Mean, ...]
    contrasts: tuple[Contrast, ...]
    effects: tuple[Effect, ...]
    published_means: tuple[PublishedMean, ...]
    published_gaps: tuple[PublishedGap, ...]
    published_effects: tuple[PublishedEffect, ...]


def standard_pairs(methods: Sequence[Method]) -> tuple[Pair, ...]:
    """Return OSU-Mem against every published method, and the adaptive method against both.

    Against `flat`, and against disjoint units or OSU-Mem, cells are compared as well.
    """
    names = [method.name for method in methods if method.name != "no memory"]
    published = [name for name in names if not name.startswith(_ADAPTIVE)]
    variants = {name for name in published if name.startswith(f"{OSU} ")}
    pairs = [
        Pair(a=OSU, b=other, by_cell=other in {"flat", f"{OSU} disjoint"})
        for other in published
        if OSU in published and other != OSU
    ]
    pairs += [
        Pair(a=_ADAPTIVE, b=other, by_cell=other in {"flat", OSU})
        for other in names
        if _ADAPTIVE in names and other not in {_ADAPTIVE, *variants}
    ]
    return tuple(pairs)


def facts_of(worlds: Sequence[World], benchmark: str) -> tuple[Fact, ...]:
    """Describe the questions of worlds, beside what the paper says of its own.

    Args:
        worlds: The worlds of one seed.
        benchmark: The benchmark whose published figures apply.
    """
    questions = [(world, one) for world in worlds for one in world.questions]
    lengths = [len(world) for world in worlds]
    evidence = [len(one.evidence) for _, one in questions]
    values: dict[str, float] = {
        "episodes": len(worlds),
        "questions": len(questions),
        "steps, least": min(lengths),
        "steps, mean": float(np.mean(lengths)),
        "steps, most": max(lengths),
        "tokens per step, mean": float(np.concatenate([one.costs for one in worlds]).mean()),
        "evidence steps, mean": float(np.mean(evidence)),
    }
    for cell in Cell:
        values[f"questions {cell}"] = sum(one.cell == cell for _, one in questions)
    return with_published(values, benchmark)


def with_published(values: Mapping[str, float], benchmark: str) -> tuple[Fact, ...]:
    """Return facts beside the paper's figures of the same name."""
    known = published_facts(benchmark)
    return tuple(
        Fact(name=name, value=value, published=known.get(name)) for name, value in values.items()
    )


def run(
    experiment: Experiment,
    worlds: Mapping[int, Sequence[World]],
    given: Run,
    *,
    facts: Sequence[Fact] = (),
    progress: Callable[[str, int, int], None] = lambda _what, _done, _total: None,
) -> tuple[Report, list[Row]]:
    """Run an experiment.

    Args:
        experiment: What is compared.
        worlds: The worlds by seed.
        given: When, from which commit, with which encoder and options.
        facts: More about the questions than `facts_of` says.
        progress: Called with what is done, how much of it, and out of how much.

    Returns:
        The report, and the marks of every answer.
    """
    rows: list[Row] = []
    for seed, some in worlds.items():
        rows.extend(
            ask(some, experiment.methods, budgets=experiment.budgets, seed=seed, progress=progress)
        )
    first = next(iter(worlds.values()))
    report = Report(
        schema=SCHEMA,
        benchmark=experiment.benchmark,
        name=experiment.name,
        created=given.created.isoformat(timespec="seconds"),
        commit=given.commit,
        encoder=given.encoder,
        seeds=tuple(worlds),
        options=dict(given.options),
        draws=experiment.draws,
        budgets=experiment.budgets,
        primary=experiment.primary,
        notices=given.notices,
        facts=(*facts_of(first, experiment.comparable), *facts),
        means=tuple(means(rows, draws=experiment.draws)),
        contrasts=tuple(contrasts(rows, experiment.pairs, draws=experiment.draws)),
        effects=tuple(effects(rows, experiment.pairs, draws=experiment.draws)),
        published_means=published_means(experiment.comparable),
        published_gaps=published_gaps(experiment.comparable),
        published_effects=published_effects(experiment.comparable),
    )
    return report, rows
