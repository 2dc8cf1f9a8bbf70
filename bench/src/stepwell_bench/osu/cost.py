"""What units cost: time to build, to append a step and to choose, and the bytes they take.

Steps are made up: normal unit vectors, and per step an entity out of n / 6, a tool out of 12 and a
subgoal of eight steps, which together give units of every view. Times are CPU times of this
process, and stand beside flat search in the same run: read the ratios.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.recall.rank.selection.base import Problem
from stepwell.recall.rank.selection.coarse import Coarse
from stepwell.structures.units.build import build_units
from stepwell.structures.units.growing import Growing
from stepwell.structures.units.model import Annotation
from stepwell_bench.osu.adaptive import Adaptive
from stepwell_bench.osu.flat import Flat
from stepwell_bench.osu.tree import TreeAbstraction, grow
from stepwell_bench.osu.world import unit_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from stepwell.recall.rank.selection.base import Selector
    from stepwell.structures.units.model import Units

__all__ = ["COST_SIZES", "CostReport", "Timing", "measure_cost"]

COST_SIZES = (300, 2_000)
"""Steps of a long run, and of a very long one."""

_PUBLISHED_KB = {("units", 64): 209.0, ("tree", 64): 363.0}
"""Storage of OSU-Mem and of Tree Abstraction at 64 dimensions (appendix B.3)."""

_ROUNDS = 9
_QUESTIONS = 40
_BUDGET = 1_000
_TOKENS = 70
_STEPS_PER_ENTITY = 6
_TOOLS = 12
_STEPS_PER_SUBGOAL = 8
_READ_EVERY = 10
"""Appended steps between two readings of the units: an agent acts more often than it asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """One figure.

    Attributes:
        what: What was measured.
        steps: Steps of the run.
        dimension: Of the vectors.
        unit: `ms` or `KB`.
        best: The least of all rounds.
        median: Their median.
        published: The paper's figure, where there is one.
    """

    what: str
    steps: int
    dimension: int
    unit: str
    best: float
    median: float
    published: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CostReport:
    """What a run found; the result file holds exactly this."""

    schema: int
    benchmark: str
    created: str
    commit: str
    seed: int
    timings: tuple[Timing, ...]


def measure_cost(
    sizes: Sequence[int],
    *,
    dimension: int,
    seed: int,
    progress: Callable[[str], None] = lambda _what: None,
) -> list[Timing]:
    """Measure building, appending, choosing and storage.

    Args:
        sizes: Numbers of steps.
        dimension: Of the vectors.
        seed: Of the made-up steps.
        progress: Called with what is measured next.
    """
    found: list[Timing] = []
    for n in sizes:
        rng = np.random.default_rng([seed, n])
        annotations, vectors = _steps(n, dimension, rng)
        _ = build_units(annotations[:50], vectors[:50])  # imports the library of communities
        progress(f"building units over {n} steps")
        found.append(_timing("build units", n, dimension, _building(annotations, vectors)))
        progress(f"appending to {n} steps")
        found.append(_timing("append a step", n, dimension, _appending(annotations, vectors)))
        units = build_units(annotations, vectors)
        tree = TreeAbstraction(tree=grow(vectors, rng=rng))
        for selector in (Flat(), Coarse(name="osu", mode="paper"), tree, Adaptive()):
            progress(f"choosing from {n} steps: {selector.name}")
            times = _choosing(selector, units, vectors, rng)
            found.append(_timing(f"choose: {selector.name}", n, dimension, times))
        found.append(_storage("units", n, dimension, _bytes_of(units)))
        nodes = 0 if tree.tree is None else tree.tree.centroids.nbytes + 8 * n
        found.append(_storage("tree", n, dimension, nodes))
    return found


def _steps(
    n: int, dimension: int, rng: np.random.Generator
) -> tuple[list[Annotation], NDArray[np.float32]]:
    entities = rng.integers(max(1, n // _STEPS_PER_ENTITY), size=(n, 3))
    tools = rng.integers(_TOOLS, size=n)
    annotations = [
        Annotation(
            entities=tuple(f"run::e{name}" for name in sorted(set(own.tolist()))),
            tools=(f"run::t{tool}",),
            subgoal=f"run::g{step // _STEPS_PER_SUBGOAL}",
        )
        for step, (own, tool) in enumerate(zip(entities, tools.tolist(), strict=True))
    ]
    themes = rng.normal(size=(max(1, n // _STEPS_PER_SUBGOAL), dimension))
    rows: NDArray[np.float64] = themes[rng.integers(len(themes), size=n)] + rng.normal(
        size=(n, dimension)
    )
    return annotations, unit_rows(rows)


def _building(annotations: Sequence[Annotation], vectors: NDArray[np.float32]) -> list[float]:
    times: list[float] = []
    for _ in range(_ROUNDS):
        started = time.process_time()
        build_units(annotations, vectors)
        times.append(1_000 * (time.process_time() - started))
    return times


def _appending(annotations: Sequence[Annotation], vectors: NDArray[np.float32]) -> list[float]:
    """Return milliseconds per appended step over the second half, readings among them."""
    half = len(annotations) // 2
    growing = Growing()
    growing.extend(annotations[:half], vectors[:half])
    growing.units()
    started = time.process_time()
    for step in range(half, len(annotations)):
        growing.append(annotations[step], vectors[step])
        if step % _READ_EVERY == 0:
            growing.units()
    return [1_000 * (time.process_time() - started) / max(1, len(annotations) - half)]


def _choosing(
    selector: Selector, units: Units, vectors: NDArray[np.float32], rng: np.random.Generator
) -> list[float]:
    """Return milliseconds per question, its scores among them."""
    costs = np.maximum(5, np.rint(rng.normal(_TOKENS, _TOKENS / 3, size=len(vectors))))
    times: list[float] = []
    width: int = vectors.shape[1]
    for _ in range(_QUESTIONS):
        evidence = rng.integers(len(vectors), size=3)
        noise = rng.normal(scale=0.05, size=width)
        middle: NDArray[np.float64] = vectors[evidence].mean(axis=0) + noise
        query = unit_rows(middle)
        started = time.process_time()
        problem = Problem(
            scores=(vectors @ query).astype(np.float64),
            costs=costs.astype(np.int64),
            units=units,
            vectors=vectors,
            query=query,
        )
        selector.select(problem, _BUDGET)
        times.append(1_000 * (time.process_time() - started))
    return times


def _bytes_of(units: Units) -> int:
    """Return what units take: centroids, members, starts, views, coherence and keys."""
    arrays = (units.views, units.starts, units.members, units.centroids, units.coherence)
    n_bytes = sum(0 if one is None else one.nbytes for one in arrays)
    return n_bytes + sum(len(key.encode()) for key in units.keys)


def _timing(what: str, steps: int, dimension: int, times: Sequence[float]) -> Timing:
    return Timing(
        what=what,
        steps=steps,
        dimension=dimension,
        unit="ms",
        best=min(times),
        median=float(np.median(times)),
    )


def _storage(what: str, steps: int, dimension: int, n_bytes: int) -> Timing:
    kilobytes = n_bytes / 1_000
    return Timing(
        what=f"bytes of {what}",
        steps=steps,
        dimension=dimension,
        unit="KB",
        best=kilobytes,
        median=kilobytes,
        published=_PUBLISHED_KB.get((what, dimension)),
    )
