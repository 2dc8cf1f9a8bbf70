"""Every method keeps its budget; baselines do what they are named after."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.errors import InvalidInputError
from stepwell_bench.osu.baselines import (
    SUBGOALS,
    CoverageAware,
    DisjointHierarchy,
    NoMemory,
    PeriodicSummary,
    Replay,
    SlidingWindow,
)
from stepwell_bench.osu.methods import (
    OSU,
    ablations,
    adaptive,
    baselines,
    coverage_guided,
    oracle,
    osu,
)
from stepwell_bench.osu.rows import ask, units_of
from stepwell_bench.osu.synthetic import SyntheticOptions, synthetic_worlds
from stepwell_bench.osu.tree import BRANCHING, TreeAbstraction, grow
from stepwell_bench.osu.world import World, problem_of, unit_rows

if TYPE_CHECKING:
    from stepwell.recall.rank.selection.base import Problem, Selector

METHODS = (*baselines(), osu(), oracle(), *ablations(), *coverage_guided(), *adaptive())


@pytest.fixture(scope="module")
def world() -> World:
    return synthetic_worlds(SyntheticOptions(episodes=1), seed=5)[0]


@pytest.fixture(scope="module")
def problem(world: World) -> Problem:
    return problem_of(world, world.questions[0], units_of(world, SUBGOALS))


def test_names_are_told_apart() -> None:
    names = [one.name for one in METHODS]
    assert len(set(names)) == len(names)


def test_every_method_keeps_every_budget(world: World) -> None:
    rows = ask([world], METHODS, budgets=(3, 64, 256, 10_000), seed=5)
    assert len(rows) == len(METHODS) * 4 * len(world.questions)
    assert all(row.tokens <= row.budget for row in rows)
    everything = [row for row in rows if (row.method, row.budget) == ("flat", 10_000)]
    assert {row.recall for row in everything} == {1.0}
    assert {row.tokens for row in rows if row.method == "no memory"} == {0}


def test_only_steps_before_the_question_are_retrieved(world: World) -> None:
    (question, *_) = world.questions
    early = replace(question, asked_at=max(question.evidence) + 1)
    rows = ask([replace(world, questions=(early,))], [osu()], budgets=(10_000,), seed=5)
    assert rows[0].tokens <= int(world.costs[: early.asked_at].sum())


def test_the_oracle_finds_at_least_as_much(world: World) -> None:
    rows = ask([world], [osu(), oracle()], budgets=(256,), seed=5)
    mean = {
        name: np.mean([row.recall for row in rows if row.method == name])
        for name in (OSU, oracle().name)
    }
    assert mean[oracle().name] >= mean[OSU]


def test_recent_methods_walk_backwards(problem: Problem) -> None:
    n = len(problem.costs)
    assert Replay().select(problem, 100)[:3] == [n - 1, n - 2, n - 3]
    window = SlidingWindow().select(problem, 100)
    assert min(window) >= n - 100 // np.median(problem.costs)
    assert NoMemory().select(problem, 100) == []


def test_periodic_summaries_reach_back(problem: Problem) -> None:
    taken = PeriodicSummary().select(problem, 600)
    recent = Replay().select(problem, 300)
    assert taken[: len(recent)] == recent
    assert min(taken) < len(problem.costs) // 2


def test_coverage_takes_one_step_of_every_subgoal_first(problem: Problem) -> None:
    taken = CoverageAware(beta=10.0).select(problem, 10_000)
    units = problem.units
    first = taken[: len(units)]
    assert all(len(set(units.of(unit).tolist()) & set(first)) == 1 for unit in range(len(units)))


def test_the_hierarchy_stays_within_few_partitions(problem: Problem) -> None:
    taken = DisjointHierarchy().select(problem, 10_000)
    assert 0 < len(taken) < len(problem.costs)
    for unit in range(len(problem.units)):
        inside = set(problem.units.of(unit).tolist())
        assert inside <= set(taken) or inside.isdisjoint(taken)


@pytest.mark.parametrize("n", [1, BRANCHING, BRANCHING + 1, 300])
def test_a_tree_holds_every_step_once(n: int) -> None:
    vectors = unit_rows(np.random.default_rng(n).normal(size=(n, 4)))
    tree = grow(vectors, rng=np.random.default_rng(0))
    held = [step for steps in tree.steps for step in steps]
    assert sorted(held) == list(range(n))
    assert all(len(steps) <= BRANCHING for steps in tree.steps)
    assert all(len(children) <= BRANCHING for children in tree.children)


def test_a_tree_over_equal_steps_ends() -> None:
    vectors = np.tile(np.asarray([[1.0, 0.0]], dtype=np.float32), (100, 1))
    held = [step for steps in grow(vectors, rng=np.random.default_rng(0)).steps for step in steps]
    assert sorted(held) == list(range(100))


def test_the_tree_widens_until_the_budget_is_filled(problem: Problem) -> None:
    taken = TreeAbstraction().select(problem, int(problem.costs.sum()))
    assert sorted(taken) == list(range(len(problem.costs)))


@pytest.mark.parametrize("selector", [PeriodicSummary(), TreeAbstraction()])
def test_baselines_that_compare_steps_ask_for_vectors(selector: Selector, problem: Problem) -> None:
    with pytest.raises(InvalidInputError, match="encoder"):
        selector.select(replace(problem, vectors=None, query=None), 100)
