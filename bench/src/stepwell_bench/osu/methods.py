"""The methods compared: a selector each, and the units it selects by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from stepwell.recall.rank.selection.base import Selector
from stepwell.recall.rank.selection.coarse import Coarse
from stepwell.recall.rank.selection.coverage import Coverage
from stepwell.structures.units.model import UnitOptions, Units, View
from stepwell_bench.osu.adaptive import Adaptive
from stepwell_bench.osu.baselines import (
    SUBGOALS,
    CoverageAware,
    DisjointHierarchy,
    NoMemory,
    PeriodicSummary,
    Replay,
    SlidingWindow,
)
from stepwell_bench.osu.flat import Flat, Mmr
from stepwell_bench.osu.tree import TreeAbstraction, grow
from stepwell_bench.osu.world import Question, World

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "OSU",
    "Bind",
    "Method",
    "ablations",
    "adaptive",
    "baselines",
    "coverage_guided",
    "fixed",
    "oracle",
    "osu",
]

OSU = "osu"
"""OSU-Mem's default method: overlapping units, coarse-to-fine as in the paper."""

_OVERLAPPING = UnitOptions()

DISJOINT = UnitOptions(max_memberships=1)
"""Every step in one unit at most."""

Bind = Callable[[World, Units], Callable[[Question], Selector]]
"""Prepares a selector for a world: what does not depend on the question is done once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A row of a table.

    Attributes:
        name: Its name there.
        bind: Prepares its selector.
        units: The units it selects by.
    """

    name: str
    bind: Bind
    units: UnitOptions = _OVERLAPPING


def fixed(selector: Selector, *, units: UnitOptions | None = None) -> Method:
    """Return the method that uses one selector for every question, under its own name."""
    return Method(
        name=selector.name,
        bind=lambda _world, _units: lambda _question: selector,
        units=units or _OVERLAPPING,
    )


def baselines() -> tuple[Method, ...]:
    """Return OSU-Mem's baselines (section 5.1)."""
    return (
        fixed(NoMemory()),
        fixed(Replay()),
        fixed(SlidingWindow()),
        fixed(PeriodicSummary()),
        fixed(Flat()),
        fixed(Mmr()),
        fixed(CoverageAware(), units=SUBGOALS),
        fixed(DisjointHierarchy(), units=SUBGOALS),
        Method(name=TreeAbstraction().name, bind=_with_tree),
    )


def _with_tree(world: World, _units: Units) -> Callable[[Question], Selector]:
    found = TreeAbstraction(tree=grow(world.vectors, rng=np.random.default_rng(0)))
    return lambda _question: found


def osu() -> Method:
    """Return OSU-Mem itself."""
    return fixed(_PAPER)


_PAPER = Coarse(name=OSU, mode="paper")


def oracle() -> Method:
    """Return OSU-Mem with ground-truth filtering: routed only to units that hold evidence."""

    def bind(_world: World, units: Units) -> Callable[[Question], Selector]:
        return lambda question: replace(
            _PAPER,
            routing=replace(_PAPER.routing, allowed=_holding(units, question.evidence)),
        )

    return Method(name=f"{OSU} + ground truth", bind=bind)


def _holding(units: Units, steps: Iterable[int]) -> frozenset[int]:
    wanted = list(steps)
    return frozenset(
        unit for unit in range(len(units)) if bool(np.isin(units.of(unit), wanted).any())
    )


def ablations() -> tuple[Method, ...]:
    """Return OSU-Mem without overlap, with one view only, without each view, without novelty."""
    alone = [
        fixed(replace(_PAPER, name=f"{OSU} {view} only"), units=UnitOptions(views=(view,)))
        for view in View
    ]
    without = [
        fixed(
            replace(_PAPER, name=f"{OSU} without {view}"),
            units=UnitOptions(views=tuple(other for other in View if other != view)),
        )
        for view in View
    ]
    return (
        fixed(replace(_PAPER, name=f"{OSU} disjoint"), units=DISJOINT),
        *alone,
        *without,
        fixed(replace(_PAPER, name=f"{OSU} without novelty", novelty=0.0)),
        fixed(replace(_PAPER, name=f"{OSU} plus", mode="plus")),
    )


def coverage_guided(beta: float | None = None) -> tuple[Method, ...]:
    """Return coverage-guided selection by overlapping and by disjoint units.

    Args:
        beta: Weight of coverage, which then is part of the names; None for the published one.
    """
    selector = Coverage() if beta is None else Coverage(beta=beta)
    suffix = "" if beta is None else f" β={beta:g}"
    return (
        fixed(replace(selector, name=f"coverage{suffix}")),
        fixed(replace(selector, name=f"coverage{suffix} disjoint"), units=DISJOINT),
    )


def adaptive() -> tuple[Method, ...]:
    """Return Stepwell's own adaptive selection, by overlapping and by disjoint units.

    It is kept apart from the published methods, so that a table can be made without it.
    """
    selector = Adaptive()
    return (
        fixed(selector),
        fixed(replace(selector, name=f"{selector.name} disjoint"), units=DISJOINT),
    )
