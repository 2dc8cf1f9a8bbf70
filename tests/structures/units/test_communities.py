from __future__ import annotations

import random  # noqa: TID251  (it is igraph's generator that is watched here)
from itertools import pairwise

import igraph
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.structures.units.build import build_units
from stepwell.structures.units.communities import CHECKPOINTS, HORIZON, detect
from stepwell.structures.units.grid import grid_scale, on_grid
from stepwell.structures.units.growing import Growing
from stepwell.structures.units.leiden import leiden
from stepwell.structures.units.model import Annotation, UnitOptions, View
from stepwell.structures.units.nearest import earlier_neighbours, neighbours
from support import units_reference as ref

SIMILAR = UnitOptions(views=(View.SIMILARITY,))


def planted(n: int, *, size: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Return unit vectors around random topics of `size` steps each, and the topic of each."""
    rng = np.random.default_rng(7)
    topic = rng.permutation(np.arange(n) // size)
    rows = rng.normal(size=(n // size + 1, 96))[topic] + noise * rng.normal(size=(n, 96))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows.astype(np.float32), topic


@pytest.mark.parametrize("n", [90, 240])
def test_planted_topics_are_found(n: int) -> None:
    vectors, topic = planted(n, size=8, noise=0.7)
    units = build_units([Annotation()] * n, vectors, SIMILAR)
    pure = [len(set(topic[units.of(at)].tolist())) == 1 for at in range(len(units))]
    assert np.mean(pure) > 0.9
    assert len(units.members) > 0.9 * n
    assert len(units) < 1.5 * n / 8
    assert units.keys[0] == f"similar:{units.of(0)[0]}"


def test_a_topic_of_more_steps_than_a_unit_holds_is_cut_into_stretches() -> None:
    vectors = np.repeat(np.eye(1, 4, dtype=np.float32), 45, axis=0)
    scale = grid_scale(4, terms=20)
    options = UnitOptions(neighbours=40)
    groups, _ = detect(on_grid(vectors, scale=scale), scale=scale, options=options)
    sizes = [len(group) for group in groups]
    assert sum(sizes) == 45
    assert max(sizes) <= 20
    assert all(group == list(range(group[0], group[-1] + 1)) for group in groups)


def test_steps_unlike_any_other_are_in_no_unit() -> None:
    vectors = np.eye(30, dtype=np.float32)
    assert len(build_units([Annotation()] * 30, vectors, SIMILAR)) == 0


def test_the_threshold_can_come_from_the_data() -> None:
    vectors, _ = planted(60, size=10, noise=0.9)
    derived = UnitOptions(views=(View.SIMILARITY,), min_cosine=None)
    few = build_units([Annotation()] * 60, vectors, derived)
    many = build_units([Annotation()] * 60, vectors, SIMILAR)
    assert len(few.members) < len(many.members)


def test_more_steps_than_a_horizon_are_grouped_within_each() -> None:
    n = HORIZON + 60
    vectors = ref.vectors_of(n, seed=3, dimension=12, topics=500)
    units = build_units([Annotation()] * n, vectors, SIMILAR)
    spans = [units.of(at)[[0, -1]] // HORIZON for at in range(len(units))]
    assert all(first == last for first, last in spans)
    assert any(first == 1 for first, _ in spans)
    growing = Growing(SIMILAR)
    growing.extend([Annotation()] * (n - 70), vectors[: n - 70])
    growing.units()
    growing.extend([Annotation()] * 70, vectors[n - 70 :])
    ref.assert_equal(growing.units(), units)


def test_checkpoints_end_at_the_horizon() -> None:
    assert CHECKPOINTS[-1] == HORIZON
    assert all(a < b <= 1.25 * a + 1 for a, b in pairwise(CHECKPOINTS))


def test_leiden_is_the_same_each_time_and_leaves_igraphs_generator_alone() -> None:
    rng = np.random.default_rng(1)
    edges = np.unique(np.sort(rng.integers(0, 80, (400, 2)), axis=1), axis=0)
    edges = edges[edges[:, 0] != edges[:, 1]]
    weights = rng.random(len(edges))
    random.seed(5)
    before = random.getstate()
    first = leiden(100, edges, weights)
    assert random.getstate() == before
    igraph.Graph(n=5).community_leiden()  # draws from igraph's generator
    assert np.array_equal(leiden(100, edges, weights), first)
    assert first[90] == 90  # a node without edges is alone
    random.seed(5)
    one = igraph.Graph.Erdos_Renyi(n=20, p=0.5).get_edgelist()
    random.seed(5)
    assert igraph.Graph.Erdos_Renyi(n=20, p=0.5).get_edgelist() == one


def by_time(rows: np.ndarray, own: int, k: int, *, earlier: bool) -> set[int]:
    others = [at for at in range(own if earlier else len(rows)) if at != own]
    others.sort(key=lambda at: (-int(rows[at] @ rows[own]), abs(at - own), at))
    return set(others[:k])


@settings(deadline=None)
@given(st.integers(2, 30), st.integers(1, 6), st.integers(0, 50))
def test_neighbours_are_the_nearest_then_the_closest_in_time(n: int, k: int, seed: int) -> None:
    k = min(k, n - 1)
    rows = np.random.default_rng(seed).integers(-1, 2, (n, 3)).astype(np.float32)
    near, dots = neighbours(rows, k=k)
    for own in range(n):
        assert set(near[own].tolist()) == by_time(rows, own, k, earlier=False)
        assert np.array_equal(dots[own], rows[near[own]] @ rows[own])
    near, dots = earlier_neighbours(rows, k=k, first=k)
    for own in range(k, n):
        assert set(near[own - k].tolist()) == by_time(rows, own, k, earlier=True)
        assert np.array_equal(dots[own - k], rows[near[own - k]] @ rows[own])
