"""Stage D: every evidence step comes back three times, so that tool and entity bind all evidence.

The test of OSU-Mem's claim at scale (section 6.3, appendix D): copies inherit the annotations of
their step, which puts every question into T+E+, for any method alike.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from stepwell_bench.osu.world import cell_of, unit_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from stepwell_bench.osu.world import Question, World

__all__ = ["COPIES", "augmented"]

COPIES = 3
"""Copies of each evidence step (OSU-Mem, section 6.3)."""

_LIKENESS = 0.95
"""Cosine of a copy and its step: the "small embedding noise" of the paper, in any dimension."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Order:
    """Where the steps of a world with copies come from.

    Attributes:
        source: The step that each new step is, or is a copy of, shape (m,).
        is_copy: Which are copies, shape (m,).
        times: Where each stands among the old steps: i + .5 for step i, p for a copy just before
            step p; ascending, shape (m,).
    """

    source: NDArray[np.int64]
    is_copy: NDArray[np.bool_]
    times: NDArray[np.float64]


def augmented(worlds: Sequence[World], *, seed: int) -> list[World]:
    """Return worlds whose evidence steps stand in three more, random places each.

    A copy costs what its step costs, and is evidence of every question its step is evidence of.

    Args:
        worlds: The worlds; they stay as they are.
        seed: Of the places and the noise.
    """
    return [
        _augmented(world, np.random.default_rng([seed, number]))
        for number, world in enumerate(worlds)
    ]


def _augmented(world: World, rng: np.random.Generator) -> World:
    anchors = np.asarray(
        sorted({step for one in world.questions for step in one.evidence}), dtype=np.int64
    )
    copied = np.repeat(anchors, COPIES)
    order = _ordered(len(world), copied, rng)
    vectors = world.vectors[order.source]
    vectors[order.is_copy] = _noisy(vectors[order.is_copy], rng)
    annotations = tuple(world.annotations[int(step)] for step in order.source)
    questions = tuple(_moved(one, order) for one in world.questions)
    return replace(
        world,
        source=f"{world.source}, stage D",
        annotations=annotations,
        vectors=vectors,
        costs=world.costs[order.source],
        questions=tuple(replace(one, cell=cell_of(annotations, one.evidence)) for one in questions),
    )


def _ordered(n: int, copied: NDArray[np.int64], rng: np.random.Generator) -> _Order:
    source = np.concatenate([np.arange(n, dtype=np.int64), copied])
    places = rng.integers(n + 1, size=len(copied)).astype(np.float64)
    times = np.concatenate([np.arange(n, dtype=np.float64) + 0.5, places])
    order = np.argsort(times, kind="stable")
    return _Order(source=source[order], is_copy=order >= n, times=times[order])


def _noisy(vectors: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Return unit vectors at a cosine of `_LIKENESS` to the given ones."""
    drawn = rng.normal(size=vectors.shape)
    across = unit_rows(drawn - (drawn * vectors).sum(axis=1, keepdims=True) * vectors)
    return unit_rows(_LIKENESS * vectors + math.sqrt(1 - _LIKENESS**2) * across)


def _moved(question: Question, order: _Order) -> Question:
    asked_at = int(np.searchsorted(order.times, question.asked_at))
    is_evidence = np.isin(order.source[:asked_at], question.evidence)
    return replace(
        question,
        evidence=tuple(int(step) for step in np.flatnonzero(is_evidence)),
        asked_at=asked_at,
    )
