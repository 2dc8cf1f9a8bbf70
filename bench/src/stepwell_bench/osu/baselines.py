"""OSU-Mem's baselines (section 5.1) as selectors, under the same costs and packing as the rest.

`Flat` and `Mmr` are in `stepwell_bench.osu.flat`, `TreeAbstraction` is in `tree`.
Where a baseline needs subgoals, it reads them off units of that view; build those with `SUBGOALS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.errors import InvalidInputError
from stepwell.recall.rank.selection.packing import best_first, pack_whole
from stepwell.recall.rank.selection.routing import Routing, owners, route, unit_scores
from stepwell.structures.units.model import PRIORITY, UnitOptions, View

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stepwell.recall.rank.selection.base import Problem

__all__ = [
    "SUBGOALS",
    "CoverageAware",
    "DisjointHierarchy",
    "NoMemory",
    "PeriodicSummary",
    "Replay",
    "SlidingWindow",
]

SUBGOALS = UnitOptions(views=(View.SUBGOAL,), min_size=1, max_memberships=1)
"""A disjoint partition by subgoal that leaves no labelled step out."""

_CHUNK = 20
"""Steps per summary of `PeriodicSummary`: as many as the largest unit holds."""

_ROUTING = Routing(share=0.10, views=(View.SUBGOAL,))
"""Partitions looked into: the same share as OSU-Mem's coarse stage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoMemory:
    """No long-term memory: nothing is retrieved."""

    name: str = "no memory"

    def select(self, problem: Problem, budget: int) -> list[int]:
        """Return nothing."""
        del problem, budget
        return []


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """Budget-truncated replay: the most recent steps that fit, walking backwards."""

    name: str = "replay"

    def select(self, problem: Problem, budget: int) -> list[int]:
        """Return the chosen steps, latest first."""
        return pack_whole(_backwards(problem), problem.costs, budget)


@dataclass(frozen=True, slots=True, kw_only=True)
class SlidingWindow:
    """The last W steps, W = ⌊budget / median cost⌋, as far as they fit.

    Unlike `Replay` it never reaches beyond the window when a dear step is skipped.
    """

    name: str = "sliding window"

    def select(self, problem: Problem, budget: int) -> list[int]:
        """Return the chosen steps, latest first."""
        if len(problem.costs) == 0:
            return []
        window = int(budget // np.median(problem.costs))
        return pack_whole(_backwards(problem)[:window], problem.costs, budget)


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodicSummary:
    """Half the budget for the most recent steps, half for what stands for the chunks before them.

    Without a language model a chunk of 20 steps is summarised by the steps nearest to its mean, the
    nearest of every chunk first, later chunks first. The question is not looked at.
    """

    name: str = "periodic summary"

    def select(self, problem: Problem, budget: int) -> list[int]:
        """Return the recent steps, latest first, then the summaries."""
        recent = pack_whole(_backwards(problem), problem.costs, budget // 2)
        vectors = needed_vectors(problem, self.name)
        older = np.setdiff1d(np.arange(len(problem.costs)), recent)
        left = budget - int(problem.costs[recent].sum())
        return recent + pack_whole(_summaries(older, vectors), problem.costs, left)


def _summaries(steps: NDArray[np.int64], vectors: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return steps by their rank within their chunk, later chunks first."""
    chunks = [steps[at : at + _CHUNK] for at in range(0, len(steps), _CHUNK)]
    found: list[tuple[int, int, int]] = []
    for number, chunk in enumerate(chunks):
        order = best_first((vectors[chunk] @ vectors[chunk].mean(axis=0)).astype(np.float64))
        ranked: list[int] = chunk[order].tolist()
        found.extend((rank, -number, step) for rank, step in enumerate(ranked))
    return np.asarray([step for _, _, step in sorted(found)], dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageAware:
    """Greedy on s_i + β·1[no step of i's subgoal is taken yet]; needs units of `SUBGOALS`.

    Attributes:
        beta: β, as in OSU-Mem's own coverage-guided variant.
    """

    name: str = "coverage-aware"
    beta: float = 0.12

    def select(self, problem: Problem, budget: int) -> list[int]:
        """Return the chosen steps, in the order of the picks."""
        goal_of = _subgoals(problem)
        covered = np.zeros(len(problem.units) + 1, dtype=np.bool_)
        covered[-1] = True  # a step without a subgoal covers none
        rest, left, taken = np.arange(len(problem.costs)), budget, list[int]()
        while True:
            rest = rest[problem.costs[rest] <= left]
            if len(rest) == 0:
                return taken
            bonus = np.where(covered[goal_of[rest]], 0.0, self.beta)
            place = int(np.argmax(problem.scores[rest] + bonus))
            step = int(rest[place])
            taken.append(step)
            left -= int(problem.costs[step])
            covered[goal_of[step]] = True
            rest = np.delete(rest, place)


@dataclass(frozen=True, slots=True, kw_only=True)
class DisjointHierarchy:
    """Route to the best subgoal partitions by centroid, then rank the steps inside by cosine."""

    name: str = "disjoint hierarchy"

    def select(self, problem: Problem, budget: int) -> list[int]:
        """Return the chosen steps, best first; steps of other partitions are out of reach."""
        routed = route(problem.units, unit_scores(problem), routing=_ROUTING)
        inside = np.isin(_subgoals(problem), routed)
        order = best_first(problem.scores)
        return pack_whole(order[inside[order]], problem.costs, budget)


def _subgoals(problem: Problem) -> NDArray[np.int64]:
    """Return the subgoal unit of each step, -1 for none, shape (n,)."""
    units = problem.units
    is_subgoal = (units.views == PRIORITY.index(View.SUBGOAL))[owners(units)]
    found = np.full(len(problem.costs), -1, dtype=np.int64)
    found[units.members[is_subgoal]] = owners(units)[is_subgoal]
    return found


def _backwards(problem: Problem) -> NDArray[np.int64]:
    return np.arange(len(problem.costs), dtype=np.int64)[::-1]


def needed_vectors(problem: Problem, name: str) -> NDArray[np.float32]:
    """Return the vectors of the steps.

    Raises:
        InvalidInputError: There are none.
    """
    if problem.vectors is None:
        raise InvalidInputError(
            f"The baseline {name!r} needs the vectors of the steps.",
            hint="Run the benchmark with an encoder.",
        )
    return problem.vectors
