"""Graph worlds follow their recipes, and reservoirs keep, show and count as they say."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.errors import InvalidInputError
from stepwell_bench.ctmc.graphs import Family, make_graph
from stepwell_bench.ctmc.policies import AlwaysFirst, Place, Random, Semantic
from stepwell_bench.ctmc.reservoir import ACTIONS, Reservoir, ReservoirOptions
from stepwell_bench.ctmc.walks import random_walk, use, use_along
from stepwell_bench.ctmc.world import make_world, segments_of

families = st.sampled_from(Family)
sizes = st.integers(20, 90)
seeds = st.integers(0, 10_000)


def reachable(successors: tuple[tuple[int, ...], ...], start: int) -> set[int]:
    seen, left = {start}, [start]
    while left:
        new = [state for state in successors[left.pop()] if state not in seen]
        seen.update(new)
        left += new
    return seen


def both_ways(successors: tuple[tuple[int, ...], ...]) -> bool:
    return all(u in successors[v] for u, row in enumerate(successors) for v in row)


@settings(max_examples=60, deadline=None)
@given(families, sizes, seeds)
def test_every_graph_is_simple_and_strongly_connected(family: Family, n: int, seed: int) -> None:
    graph = make_graph(family, n, rng=np.random.default_rng(seed))
    assert len(graph) == n
    assert all(len(set(row)) == len(row) and state not in row for state, row in enumerate(graph))
    reverse: list[list[int]] = [[] for _ in range(n)]
    for state, row in enumerate(graph):
        for after in row:
            reverse[after].append(state)
    assert len(reachable(graph, 0)) == n
    assert len(reachable(tuple(map(tuple, reverse)), 0)) == n


@settings(max_examples=20, deadline=None)
@given(sizes, seeds)
def test_a_uniform_graph_has_degree_six_in_both_directions(n: int, seed: int) -> None:
    graph = make_graph(Family.UNIFORM, n, rng=np.random.default_rng(seed))
    assert both_ways(graph)
    assert {len(row) for row in graph} == {6}


def test_a_grown_graph_has_three_links_per_new_state_and_hubs_in_ascending_order() -> None:
    graph = make_graph(Family.SCALE_FREE, 100, rng=np.random.default_rng(0))
    assert sum(map(len, graph)) == 2 * 3 * 97
    assert all(list(row) == sorted(row) for row in graph)
    assert max(map(len, graph)) > 15
    assert min(map(len, graph)) >= 1


def test_a_modular_graph_links_mostly_within_its_five_blocks() -> None:
    graph = make_graph(Family.MODULAR, 500, rng=np.random.default_rng(1))
    inside = sum(u // 100 == v // 100 for u, row in enumerate(graph) for v in row)
    assert 0.7 < inside / sum(map(len, graph)) < 0.88  # .15·99 to .01·400


def test_the_halves_of_a_mixed_graph_are_joined_by_at_most_five_bridges() -> None:
    graph = make_graph(Family.MIXED, 100, rng=np.random.default_rng(2))
    across = {(min(u, v), max(u, v)) for u, r in enumerate(graph) for v in r if u < 50 <= v}
    assert 1 <= len(across) <= 6


def test_a_graph_without_room_for_its_shape_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="19 states"):
        make_graph(Family.UNIFORM, 19, rng=np.random.default_rng(0))


@settings(max_examples=30, deadline=None)
@given(families, sizes, seeds)
def test_payloads_keep_their_bounds_and_actions_cover_the_successors(
    family: Family, n: int, seed: int
) -> None:
    world = make_world(family, n, seed=seed)
    for after, one, parts in zip(world.successors, world.payloads, world.segments, strict=True):
        assert 3 <= len(set(one.entities)) == len(one.entities) <= 8
        assert 1 <= one.n_actions <= min(3, len(after))
        assert len(parts) == one.n_actions
        assert tuple(state for part in parts for state in part) == after
        assert all(parts)
        if family is not Family.SYMMETRIC:
            assert 2 <= len(one.relations) <= 6
            assert 1 <= len(one.constraints) <= 4


def test_segments_are_equal_and_the_last_takes_the_rest() -> None:
    assert segments_of((1, 2, 3, 4, 5, 6, 7, 8), 3) == ((1, 2), (3, 4), (5, 6, 7, 8))
    assert segments_of((9,), 1) == ((9,),)


def test_a_seed_gives_one_world_and_one_walk() -> None:
    first, again = (make_world(Family.MIXED, 60, seed=7) for _ in range(2))
    assert (first.successors, first.payloads) == (again.successors, again.payloads)
    assert random_walk(first, 300) == random_walk(again, 300)
    assert make_world(Family.MIXED, 60, seed=8).successors != first.successors


def test_a_walk_follows_transitions_and_records_the_action_of_the_segment() -> None:
    world = make_world(Family.EXPONENTIAL, 40, seed=3)
    steps = random_walk(world, 500)
    for (state, transition), (following, _) in pairwise(steps):
        before, action, after = transition // 120, transition // 40 % ACTIONS, transition % 40
        assert (before, after) == (state, following)
        assert after in world.segments[state][action]


@settings(max_examples=40, deadline=None)
@given(
    seeds,
    st.sampled_from(["none", "recency", "mates", "frequency", "tau"]),
    st.sampled_from(["post", "pre"]),
    st.sampled_from(["uses", "writes"]),
)
def test_a_reservoir_never_keeps_more_than_its_capacity_and_counts_every_access(
    seed: int, read: str, evict: str, frequency: str
) -> None:
    options = ReservoirOptions(capacity=9, read=read, evict=evict, frequency=frequency)  # type: ignore[arg-type]
    world = make_world(Family.SCALE_FREE, 30, seed=seed)
    memory = Reservoir(30, rng=np.random.default_rng(seed), options=options)
    n_read = 0
    for state, transition in random_walk(world, 120):
        memory.write(transition)
        found = memory.read(state)
        n_read += len(found)
        assert len(memory.kept) <= 9
        assert set(found) <= memory.kept
        assert len(set(found)) == len(found) <= 3
    assert memory.counts().sum() == 120 + n_read


def number(before: int, action: int, after: int) -> int:
    return (before * ACTIONS + action) * 30 + after


def test_a_state_reads_its_most_used_transitions_then_by_name() -> None:
    memory = Reservoir(30, rng=np.random.default_rng(0))
    for one in [(1, 0, 2), (1, 1, 3), (4, 0, 1), (5, 0, 6), (1, 1, 3)]:
        memory.write(number(*one))
    assert memory.read(1) == [number(1, 1, 3), number(1, 0, 2), number(4, 0, 1)]
    assert memory.read(5) == [number(5, 0, 6)]
    assert memory.read(29)[0] == number(1, 1, 3)  # no mates: the most used of all


def test_a_newcomer_competes_at_once_or_takes_a_place_first() -> None:
    after = Reservoir(30, rng=np.random.default_rng(0), options=ReservoirOptions(capacity=1))
    before = Reservoir(
        30, rng=np.random.default_rng(0), options=ReservoirOptions(capacity=1, evict="pre")
    )
    for memory in (after, before):
        memory.write(number(1, 0, 2))
        memory.write(number(1, 0, 2))
        memory.write(number(3, 0, 4))
    assert after.kept == {number(1, 0, 2)}
    assert before.kept == {number(3, 0, 4)}


def test_a_reservoir_that_would_keep_nothing_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="keeps nothing"):
        Reservoir(9, rng=np.random.default_rng(0), options=ReservoirOptions(capacity=0))


def test_the_use_of_a_small_walk_is_golden() -> None:
    world = make_world(Family.UNIFORM, 100, seed=42)
    counts = use(world, random_walk(world, 2_000))
    assert (len(counts), int(counts.sum())) == (575, 7_706)
    assert (use(world, random_walk(world, 2_000)) == counts).all()


def test_policies_choose_actions_that_exist_and_the_semantic_one_prefers_its_goal() -> None:
    world = make_world(Family.SCALE_FREE, 60, seed=5)
    place = Place(state=0, recent=(0,), hinted=set(), context="")
    assert AlwaysFirst(world).choose(place) == 0
    drawn = [Random(world).choose(place) for _ in range(5)]
    assert set(drawn) <= set(range(len(world.segments[0])))
    chosen = Semantic(world)
    taken = [chosen.choose(place) for _ in range(200)]
    assert max(taken.count(action) for action in set(taken)) > 170
    assert use_along(world, Semantic(world), n_steps=200).sum() > 200
