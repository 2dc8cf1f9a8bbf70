"""Cells and measures, by hand-made examples."""

from __future__ import annotations

import numpy as np
import pytest

from stepwell.structures.units.model import Annotation
from stepwell_bench.osu.measures import marks
from stepwell_bench.osu.world import Cell, Question, World, cell_of, relabelled, unit_rows, until

STEPS = (
    Annotation(entities=("ann",), tools=("find",)),
    Annotation(entities=("ann", "bob"), tools=("book",)),
    Annotation(entities=("bob",), tools=("find",)),
    Annotation(),
)


def question(*evidence: int, asked_at: int = 4) -> Question:
    return Question(
        name="q",
        vector=np.ones(1, dtype=np.float32),
        evidence=evidence,
        asked_at=asked_at,
        cell=cell_of(STEPS, evidence),
    )


def world(*questions: Question) -> World:
    return World(
        name="w",
        source="test",
        annotations=STEPS,
        vectors=np.ones((4, 1), dtype=np.float32),
        costs=np.asarray([1, 2, 3, 4]),
        questions=questions,
    )


@pytest.mark.parametrize(
    ("evidence", "any_pair", "all_pairs"),
    [
        ((0, 1), Cell.ENTITY, Cell.ENTITY),
        ((0, 2), Cell.TOOL, Cell.TOOL),
        ((0, 1, 2), Cell.BOTH, Cell.NEITHER),
        ((0, 3), Cell.NEITHER, Cell.NEITHER),
        ((3,), Cell.NEITHER, Cell.NEITHER),
    ],
)
def test_cells(evidence: tuple[int, ...], any_pair: Cell, all_pairs: Cell) -> None:
    assert cell_of(STEPS, evidence) == any_pair
    assert cell_of(STEPS, evidence, all_pairs=True) == all_pairs
    (found,) = relabelled(world(question(*evidence)), all_pairs=True).questions
    assert found.cell == all_pairs


def test_marks() -> None:
    found = marks(question(0, 1, 3), [3, 0, 2])
    assert found.recall == pytest.approx(2 / 3)
    assert (found.hit2, found.near, found.far) == (1.0, 1.0, 0.5)
    assert marks(question(3), [3]).far is None
    assert marks(question(3), [3]).hit2 == 0.0


def test_a_world_before_a_step_holds_only_what_was_known_then() -> None:
    early, late = question(0, 1, asked_at=3), question(0, 3)
    before = until(world(early, late), 3)
    assert len(before) == len(before.costs) == len(before.vectors) == 3
    assert before.questions == (early,)


def test_rows_of_zeros_stay() -> None:
    assert unit_rows(np.zeros((2, 3))).tolist() == [[0.0] * 3] * 2
