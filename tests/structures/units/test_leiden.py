"""Communities: found where they were planted, and the same in every process."""

from __future__ import annotations

import random  # noqa: TID251  (read, to see that it is left alone)
from itertools import combinations

import numpy as np

from stepwell.structures.units.leiden import leiden


def graph_of(*groups: list[int]) -> tuple[np.ndarray, np.ndarray]:
    edges = np.array([pair for group in groups for pair in combinations(group, 2)])
    return edges, np.ones(len(edges))


def together(labels: np.ndarray) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(labels == label).tolist()) for label in set(labels.tolist())}


def test_groups_that_no_edge_joins_are_communities() -> None:
    edges, weights = graph_of([0, 1, 2, 3], [4, 5, 6])
    assert together(leiden(7, edges, weights)) == {frozenset({0, 1, 2, 3}), frozenset({4, 5, 6})}


def test_a_weak_bridge_joins_no_communities() -> None:
    edges, weights = graph_of([0, 1, 2, 3], [4, 5, 6, 7])
    edges, weights = np.vstack([edges, [3, 4]]), np.append(weights, 0.1)
    found = together(leiden(8, edges, weights))
    assert found == {frozenset({0, 1, 2, 3}), frozenset({4, 5, 6, 7})}


def test_nodes_without_edges_stand_alone() -> None:
    edges, weights = graph_of([1, 3])
    labels = leiden(5, edges, weights)
    assert together(labels) == {frozenset({1, 3}), frozenset({0}), frozenset({2}), frozenset({4})}


def test_without_edges_every_node_stands_alone() -> None:
    labels = leiden(3, np.empty((0, 2), dtype=np.int64), np.empty(0))
    assert labels.tolist() == [0, 1, 2]


def test_the_same_graph_gives_the_same_labels_and_leaves_python_s_draws_alone() -> None:
    rng = np.random.default_rng(1)
    edges = np.unique(np.sort(rng.integers(60, size=(300, 2)), axis=1), axis=0)
    edges = edges[edges[:, 0] < edges[:, 1]]
    weights = rng.random(len(edges))
    before = random.getstate()
    first = leiden(60, edges, weights)
    assert random.getstate() == before
    assert np.array_equal(leiden(60, edges, weights), first)
