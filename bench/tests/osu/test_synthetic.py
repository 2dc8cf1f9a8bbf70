"""The synthetic episodes: shape, sharing rates, and the same episodes from the same seed."""

from __future__ import annotations

import numpy as np
import pytest

from stepwell.structures.units.model import Units
from stepwell_bench.osu.flat import Flat
from stepwell_bench.osu.measures import marks
from stepwell_bench.osu.synthetic import SyntheticOptions, synthetic_worlds
from stepwell_bench.osu.world import Cell, World, problem_of

NO_UNITS = Units(
    n_steps=0,
    views=np.empty(0, dtype=np.int8),
    keys=(),
    starts=np.zeros(1, dtype=np.int64),
    members=np.empty(0, dtype=np.int64),
    centroids=None,
)


@pytest.fixture(scope="module")
def worlds() -> list[World]:
    return synthetic_worlds(SyntheticOptions(), seed=0)


def test_episodes_have_the_published_shape(worlds: list[World]) -> None:
    assert len(worlds) == 200
    assert 840 <= sum(len(world.questions) for world in worlds) <= 960
    assert {150 <= len(world) <= 296 for world in worlds} == {True}
    costs = np.concatenate([world.costs for world in worlds])
    assert costs.min() >= 5
    assert costs.mean() == pytest.approx(15, abs=0.1)
    for world in worlds:
        assert world.vectors.shape == (len(world), 64)
        assert np.allclose(np.linalg.norm(world.vectors, axis=1), 1, atol=1e-5)


def test_evidence_shares_entity_and_subgoal_always_and_tools_as_often_as_published(
    worlds: list[World],
) -> None:
    more = synthetic_worlds(SyntheticOptions(), seed=1)
    pairs = [(world, one) for world in [*worlds, *more] for one in world.questions]
    assert {one.cell in {Cell.BOTH, Cell.ENTITY} for _, one in pairs} == {True}
    signature = np.mean([one.cell == Cell.BOTH for _, one in pairs])
    assert signature == pytest.approx(0.393, abs=0.04)
    actions = [
        [world.annotations[step].tools[0].split("(")[0] for step in one.evidence]
        for world, one in pairs
    ]
    shared = np.mean([len(set(names)) < len(names) for names in actions])
    assert shared == pytest.approx(0.834, abs=0.04)
    for world, one in pairs:
        assert len({world.annotations[step].subgoal for step in one.evidence}) == 1
        assert 2 <= len(one.evidence) <= 3


def test_flat_retrieval_recalls_as_little_as_published(worlds: list[World]) -> None:
    found = [
        marks(one, Flat().select(problem_of(world, one, NO_UNITS), 256)).recall
        for world in worlds
        for one in world.questions
    ]
    assert 0.12 <= np.mean(found) <= 0.17


def test_an_episode_depends_on_seed_and_number_only(worlds: list[World]) -> None:
    few = synthetic_worlds(SyntheticOptions(episodes=3), seed=0)
    other = synthetic_worlds(SyntheticOptions(episodes=3), seed=1)
    assert all(
        np.array_equal(one.vectors, same.vectors) for one, same in zip(few, worlds[:3], strict=True)
    )
    assert [one.annotations for one in few] == [one.annotations for one in worlds[:3]]
    assert len(other[0]) != len(few[0]) or not np.array_equal(other[0].vectors, few[0].vectors)


def test_subgoals_can_be_segments_of_the_run() -> None:
    options = SyntheticOptions(episodes=4, subgoal_scope="segment")
    for world in synthetic_worlds(options, seed=0):
        goals = [one.subgoal for one in world.annotations]
        assert len(set(goals)) == options.subgoals
        for question in world.questions:
            assert len({goals[step] for step in question.evidence}) == 1
