"""The tree baseline: steps clustered again and again, and a descent that widens until it fills."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.recall.rank.selection.packing import best_first, pack_whole
from stepwell_bench.osu.baselines import needed_vectors
from stepwell_bench.osu.world import unit_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stepwell.recall.rank.selection.base import Problem

__all__ = ["BRANCHING", "StepTree", "TreeAbstraction", "grow"]

BRANCHING = 8
"""Children of a node, and most steps of a bottom node: two levels above 300 steps."""

_ROUNDS = 10
"""Rounds of k-means; assignments of a few hundred points have settled by then."""

_SEED = 0
"""Of the starting points, where a tree is grown for one question."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StepTree:
    """A tree over steps; node 0 is the root.

    Attributes:
        centroids: Unit mean vector of the steps below each node, shape (nodes, d).
        children: The nodes below each node; none for a bottom node.
        steps: The steps of each bottom node, none for another.
    """

    centroids: NDArray[np.float32]
    children: tuple[tuple[int, ...], ...]
    steps: tuple[tuple[int, ...], ...]


def grow(vectors: NDArray[np.float32], *, rng: np.random.Generator) -> StepTree:
    """Cluster steps into `BRANCHING` groups, and each group again, until groups are that small.

    RAPTOR (Sarthi et al., 2024) summarises clusters with a language model; here a cluster's mean
    vector stands for its summary, so that the baseline needs no model.

    Args:
        vectors: Unit vectors of the steps, shape (n, d).
        rng: Where k-means starts.
    """
    members = [np.arange(len(vectors))]
    children: list[tuple[int, ...]] = []
    while len(children) < len(members):
        own = members[len(children)]
        parts = [] if len(own) <= BRANCHING else _clusters(vectors[own], rng)
        children.append(tuple(range(len(members), len(members) + len(parts))))
        members.extend(own[part] for part in parts)
    return StepTree(
        centroids=unit_rows(np.stack([vectors[own].sum(axis=0) for own in members])),
        children=tuple(children),
        steps=tuple(
            () if below else tuple(own.tolist())
            for own, below in zip(members, children, strict=True)
        ),
    )


def _clusters(vectors: NDArray[np.float32], rng: np.random.Generator) -> list[NDArray[np.int64]]:
    """Return the places of each of at most `BRANCHING` clusters by cosine; always at least two."""
    centers = vectors[rng.choice(len(vectors), size=BRANCHING, replace=False)]
    nearest = np.zeros(len(vectors), dtype=np.int64)
    for _ in range(_ROUNDS):
        nearest = np.argmax(vectors @ centers.T, axis=1)
        sums = np.zeros_like(centers)
        np.add.at(sums, nearest, vectors)
        filled = np.bincount(nearest, minlength=len(centers)) > 0
        centers = np.where(filled[:, None], unit_rows(sums), centers)
    parts = [np.flatnonzero(nearest == number) for number in range(len(centers))]
    parts = [part for part in parts if len(part) > 0]
    if len(parts) == 1:  # equal vectors: any split is as good
        return np.array_split(parts[0], BRANCHING)
    return parts


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeAbstraction:
    """Descend the tree by centroid, keeping the best w nodes per level; double w until B is filled.

    Attributes:
        tree: The tree over the steps asked about; None grows one for every question.
    """

    name: str = "tree"
    tree: StepTree | None = None

    def select(self, problem: Problem, budget: int) -> list[int]:
        """Return the chosen steps: the best of those reached, by cosine."""
        vectors = needed_vectors(problem, self.name)
        if len(vectors) == 0 or problem.query is None:
            return []
        tree = self.tree or grow(vectors, rng=np.random.default_rng(_SEED))
        scores: list[float] = (tree.centroids @ problem.query).tolist()
        width = 1
        while True:
            reached = np.asarray(_reached(tree, scores, width), dtype=np.int64)
            if width >= len(scores) or int(problem.costs[reached].sum()) >= budget:
                break
            width *= 2
        order = reached[best_first(problem.scores[reached])]
        return pack_whole(order, problem.costs, budget)


def _reached(tree: StepTree, scores: list[float], width: int) -> list[int]:
    """Return the steps below the `width` best nodes of every level, ascending."""
    frontier = [0]
    while any(tree.children[node] for node in frontier):
        below = [child for node in frontier for child in (tree.children[node] or (node,))]
        frontier = sorted(below, key=lambda node: (-scores[node], node))[:width]
    return sorted(step for node in frontier for step in tree.steps[node])
