"""Packing: never over budget, no repeats, and nothing left out that fits."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stepwell.recall.rank.selection.packing import Novelty, best_first, pack_novel, pack_whole

costs_and_order = st.lists(st.integers(1, 30), max_size=25).flatmap(
    lambda costs: st.tuples(st.just(costs), st.permutations(range(len(costs))))
)


def one_by_one(order: list[int], costs: list[int], budget: int) -> list[int]:
    taken: list[int] = []
    for step in order:
        if costs[step] <= budget:
            taken.append(step)
            budget -= costs[step]
    return taken


@given(costs_and_order, st.integers(0, 200))
def test_packs_what_visiting_one_by_one_would(
    drawn: tuple[list[int], list[int]], budget: int
) -> None:
    costs, order = drawn
    packed = pack_whole(order, np.asarray(costs, dtype=np.int64), budget)
    assert packed == one_by_one(order, costs, budget)


def test_equal_scores_go_by_step() -> None:
    assert best_first(np.asarray([0.5, 0.5, 0.7])).tolist() == [2, 0, 1]


def test_novelty_prefers_what_is_not_yet_said() -> None:
    vectors = np.asarray([[1, 0], [1, 0], [0.6, 0.8]], dtype=np.float32)
    scores = np.asarray([1.0, 0.9, 0.8])
    costs = np.asarray([1, 1, 1])
    taken = pack_novel(scores, costs, 2, vectors=vectors, novelty=Novelty(weight=0.5))
    assert taken == [0, 2]


def test_without_weight_novelty_is_packing_by_score() -> None:
    rng = np.random.default_rng(0)
    scores, costs = rng.normal(size=30), rng.integers(1, 9, size=30)
    vectors = rng.normal(size=(30, 4)).astype(np.float32)
    taken = pack_novel(scores, costs, 40, vectors=vectors, novelty=Novelty(weight=0.0))
    assert taken == pack_whole(best_first(scores), costs, 40)


def test_steps_marked_as_not_to_be_taken_are_not() -> None:
    scores = np.asarray([-np.inf, 0.1, -np.inf])
    vectors = np.eye(3, dtype=np.float32)
    novelty = Novelty(weight=0.1, least=0.0)
    assert pack_novel(scores, np.ones(3, dtype=np.int64), 9, vectors=vectors, novelty=novelty) == [
        1
    ]
