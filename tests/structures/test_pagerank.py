"""PageRank: mass adds up, stays near the start, and knows no edge of weight 0."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stepwell.structures.pagerank import pagerank, undirected


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20), st.integers(0, 7))
def test_mass_adds_up_to_one(pairs: list[tuple[int, int]], start: int) -> None:
    edges = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    reset = np.zeros(8)
    reset[start] = 1
    mass = pagerank(undirected(8, edges), weights=np.ones(len(edges)), reset=reset, restart=0.5)
    assert np.isclose(mass.sum(), 1)
    assert mass.argmax() == start or np.isclose(mass[start], mass.max())


def test_an_edge_of_weight_0_is_not_there() -> None:
    graph = undirected(3, np.array([[0, 1], [1, 2]]))
    reset = np.array([1.0, 0, 0])
    mass = pagerank(graph, weights=np.array([1.0, 0.0]), reset=reset, restart=0.5)
    assert mass[1] > 0
    assert mass[2] == 0
