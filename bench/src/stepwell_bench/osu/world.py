"""One long run with questions whose evidence is known: what every OSU-Mem benchmark is made of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from stepwell.recall.rank.selection.base import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from stepwell.structures.units.model import Annotation, Units

__all__ = [
    "Cell",
    "Question",
    "World",
    "cell_of",
    "problem_of",
    "relabelled",
    "unit_rows",
    "until",
]


class Cell(StrEnum):
    """Whether evidence steps share a tool signature (T) and an entity (E)."""

    BOTH = "T+E+"
    TOOL = "T+E-"
    ENTITY = "T-E+"
    NEITHER = "T-E-"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Question:
    """A question about a run.

    Attributes:
        name: Unique within its benchmark.
        vector: The question's unit vector, shape (d,), float32.
        evidence: The steps that answer it, ascending, at least one.
        asked_at: t_q: only steps before this one may be retrieved.
        cell: What binds the evidence.
    """

    name: str
    vector: NDArray[np.float32]
    evidence: tuple[int, ...]
    asked_at: int
    cell: Cell


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class World:
    """A run of n steps and the questions about it.

    Attributes:
        name: What it is about; intervals and tests draw all questions of a name together.
        source: The benchmark.
        annotations: What each step is about, n of them.
        vectors: Unit vectors of the steps, shape (n, d), float32.
        costs: Tokens of each step, at least 1, shape (n,), int64.
        questions: What is asked.
        min_cosine: Least cosine of an edge of the similarity view; None keeps that of the options.
    """

    name: str
    source: str
    annotations: tuple[Annotation, ...]
    vectors: NDArray[np.float32]
    costs: NDArray[np.int64]
    questions: tuple[Question, ...]
    min_cosine: float | None = None

    def __len__(self) -> int:
        return len(self.annotations)


def cell_of(
    annotations: Sequence[Annotation], evidence: Iterable[int], *, all_pairs: bool = False
) -> Cell:
    """Return the cell of a set of evidence steps (OSU-Mem, section 6.2).

    T+ and E+ hold when some pair shares; that is the one definition under which copies of a single
    annotated step make any question T+E+, as the paper's Stage D says. With `all_pairs`, when every
    pair does.
    """
    pairs = list(combinations([annotations[step] for step in evidence], 2))
    quantifier = all if all_pairs else any
    tools = bool(pairs) and quantifier(set(a.tools) & set(b.tools) for a, b in pairs)
    entities = bool(pairs) and quantifier(set(a.entities) & set(b.entities) for a, b in pairs)
    return {
        (True, True): Cell.BOTH,
        (True, False): Cell.TOOL,
        (False, True): Cell.ENTITY,
        (False, False): Cell.NEITHER,
    }[tools, entities]


def relabelled(world: World, *, all_pairs: bool) -> World:
    """Return the world with the cells of its questions worked out anew."""
    questions = tuple(
        replace(one, cell=cell_of(world.annotations, one.evidence, all_pairs=all_pairs))
        for one in world.questions
    )
    return replace(world, questions=questions)


def until(world: World, asked_at: int) -> World:
    """Return the world as it was before a step, with the questions asked then."""
    return replace(
        world,
        annotations=world.annotations[:asked_at],
        vectors=world.vectors[:asked_at],
        costs=world.costs[:asked_at],
        questions=tuple(one for one in world.questions if one.asked_at == asked_at),
    )


def problem_of(world: World, question: Question, units: Units) -> Problem:
    """Return what a selector is given: cosines to the question over all steps of the world."""
    return Problem(
        scores=(world.vectors @ question.vector).astype(np.float64),
        costs=world.costs,
        units=units,
        vectors=world.vectors,
        query=question.vector,
    )


def unit_rows(rows: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return rows scaled to length 1, float32; a row of zeros stays.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
