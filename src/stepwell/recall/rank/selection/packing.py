"""Packing whole steps in rank order under a token budget, with or without a push for novelty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Novelty", "best_first", "pack_novel", "pack_whole"]


def best_first(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return steps by descending score, ties by step, shape (n,).

    >>> best_first(np.array([0.1, 0.9, 0.9]))
    array([1, 2, 0])
    """
    return np.argsort(-scores, kind="stable")


def pack_whole(order: ArrayLike, costs: NDArray[np.int64], budget: int) -> list[int]:
    """Take steps in rank order while they fit; one that does not is skipped, and the next tried.

    Runs of steps that fit are taken at once, so the time is that of a few passes over `order`.

    Args:
        order: Steps, best first, without repeats.
        costs: Tokens of every step of the trajectory, at least 1, shape (n,).
        budget: Tokens in all, at most.

    >>> pack_whole([2, 0, 1], np.array([4, 1, 9]), 12)
    [2, 1]
    """
    rest = np.asarray(order, dtype=np.int64)
    left, taken = budget, list[int]()
    while True:
        # What does not fit now never fits later: what is left only shrinks.
        rest = rest[costs[rest] <= left]
        if len(rest) == 0:
            return taken
        sums = np.cumsum(costs[rest])
        n_fitting = int(np.searchsorted(sums, left, side="right"))
        taken.extend(rest[:n_fitting].tolist())
        left -= int(sums[n_fitting - 1])
        rest = rest[n_fitting:]


@dataclass(frozen=True, slots=True, kw_only=True)
class Novelty:
    """How much a step loses for being like one that is taken already.

    Attributes:
        weight: Loss per unit of cosine to the most similar step taken.
        least: Cosines below this count as this: 0 never rewards a step for being unlike.
    """

    weight: float
    least: float = -1.0


def pack_novel(
    scores: NDArray[np.float64],
    costs: NDArray[np.int64],
    budget: int,
    *,
    vectors: NDArray[np.float32],
    novelty: Novelty,
) -> list[int]:
    """Take, again and again, the fitting step with the best score less what it repeats.

    The value of step i after the steps S is s_i - w·max(l, max_{j∈S} h_i·h_j), for an empty S just
    s_i (Carbonell and Goldstein, 1998; OSU-Mem's novelty term with l = 0). Ties by step.

    Args:
        scores: Score of each step, shape (n,); minus infinity marks what must not be taken.
        costs: Tokens of each step, shape (n,).
        budget: Tokens in all, at most.
        vectors: Unit vectors of the steps, shape (n, d).
        novelty: The weight w and the floor l.
    """
    values = scores.astype(np.float64)  # a copy: what is taken, or fits no more, is struck out
    nearest = np.full(len(scores), novelty.least)
    left, taken = budget, list[int]()
    while True:
        values[costs > left] = -np.inf
        worth = values - novelty.weight * nearest
        step = int(np.argmax(worth)) if len(worth) else -1
        if step < 0 or np.isneginf(worth[step]):
            return taken
        taken.append(step)
        left -= int(costs[step])
        values[step] = -np.inf
        np.maximum(nearest, vectors @ vectors[step], out=nearest)
