from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.errors import InvalidInputError, PolicyError, StoreError
from stepwell.learn.archive import Archive, Candidate, key_of
from stepwell.learn.controls import controls
from stepwell.learn.failures import failure_clusters
from stepwell.learn.held_out import hold_out
from stepwell.learn.proposers.base import Proposal, Task
from stepwell.learn.proposers.guide import Guide
from stepwell.learn.proposers.offline import OfflineProposer
from stepwell.learn.search import Search, SearchOptions, SearchResult
from stepwell.learn.split import Split, split_cases
from stepwell.learn.tables import subset_table, subsets_of
from stepwell.policy.base import STRUCTURES
from stepwell.policy.kinds import Fixed, Program, Rules
from support.worlds import PENALTY, World, cases_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def split_of(seed: int, n_episodes: int = 60) -> Split:
    return split_cases(cases_of(n_episodes, seed=seed), seed=seed)


def search_of(split: Split, **options: object) -> Search:
    world = World()
    guide = Guide(evaluator=world, cases=split.train, penalty=PENALTY)
    given = SearchOptions(**{"iterations": 15, "penalty": PENALTY, **options})  # type: ignore[arg-type]
    return Search(
        evaluator=world,
        validation=split.validation,
        proposer=OfflineProposer(guide=guide),
        options=given,
    )


def trace(found: SearchResult) -> list[tuple[object, ...]]:
    return [
        (
            one.iteration,
            one.role,
            one.direction,
            None if one.policy is None else key_of(one.policy),
            one.description,
            one.objective(PENALTY),
        )
        for one in found.archive
    ]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_planted_policy_is_found_and_beats_the_controls_on_other_episodes(seed: int) -> None:
    split, world = split_of(seed), World()
    found = search_of(split, seed=seed, iterations=20)()
    others = controls(world, split.train + split.validation, penalty=PENALTY)
    result = hold_out(world, found.policy, others, split.test, penalty=PENALTY)
    assert all(one.beats for one in result.against)
    table = subset_table(world, split.test, subsets_of(STRUCTURES))
    best = (table.rewards - PENALTY * table.tokens).max(axis=1).mean()
    assert result.objective > best - 0.05


def test_the_curve_never_falls_and_ends_at_the_best() -> None:
    found = search_of(split_of(0), iterations=6)()
    assert list(found.curve) == sorted(found.curve)
    assert found.curve[-1] == found.best.objective(PENALTY)
    assert len(found.curve) == 7


@dataclass
class Interrupted:
    """An evaluator that is killed after so many evaluations of validation cases."""

    inner: World
    left: int
    n_validation: int

    def evaluate(self, policy, cases):  # type: ignore[no-untyped-def]
        if len(cases) == self.n_validation:
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
        return self.inner.evaluate(policy, cases)


@pytest.mark.parametrize("survived", [0, 1, 2, 5, 9])
def test_an_interrupted_search_ends_where_it_would_have_ended(
    survived: int, tmp_path: Path
) -> None:
    split = split_of(1, 45)
    whole = search_of(split, iterations=5)()
    broken = search_of(split, iterations=5)
    n = len(split.validation)
    with Archive(tmp_path / "state.sqlite") as archive, pytest.raises(KeyboardInterrupt):
        replace(broken, evaluator=Interrupted(World(), survived, n))(archive)
    with Archive(tmp_path / "state.sqlite") as archive:
        stored = archive.load(broken.run, split.validation)
        assert len(stored) == survived
        assert trace(search_of(split, iterations=5)(archive)) == trace(whole)
        # Nothing is evaluated twice: an evaluator that dies at once is not asked.
        again = replace(search_of(split, iterations=5), evaluator=Interrupted(World(), 0, n))
        assert trace(again(archive)) == trace(whole)


def test_a_longer_search_goes_on_from_a_shorter_one(tmp_path: Path) -> None:
    split = split_of(2, 45)
    with Archive(tmp_path / "state.sqlite") as archive:
        search_of(split, iterations=2)(archive)
        found = search_of(split, iterations=4)(archive)
    assert trace(found) == trace(search_of(split, iterations=4)())


def test_searches_that_differ_are_kept_apart(tmp_path: Path) -> None:
    split = split_of(2, 45)
    one, other = search_of(split), search_of(split, seed=1)
    assert one.run != other.run != replace(one, about={"reward": "evidence"}).run
    with Archive(tmp_path / "state.sqlite") as archive:
        search_of(split, iterations=1)(archive)
        assert archive.load(other.run, split.validation) == []
        with pytest.raises(StoreError, match="not of these"):
            archive.load(one.run, split.validation[1:])


def test_what_is_stored_comes_back_as_it_was(tmp_path: Path) -> None:
    split = split_of(0, 45)
    with Archive(tmp_path / "state.sqlite") as archive:
        search = search_of(split, iterations=1)
        found = search(archive).archive
        for one, other in zip(found, archive.load(search.run, split.validation), strict=True):
            assert one.evaluation is not None
            assert other.evaluation is not None
            assert np.array_equal(one.evaluation.rewards, other.evaluation.rewards)
            assert list(one.evaluation.chosen) == list(other.evaluation.chosen)
            assert one.policy == other.policy


@pytest.mark.parametrize("off", ["use_ucb", "use_prior", "use_repair"])
def test_each_part_can_be_switched_off(off: str) -> None:
    found = search_of(split_of(0, 45), iterations=3, **{off: False})()
    roles = {one.role for one in found.archive}
    directions = {one.direction for one in found.archive[1:]}
    assert ("repair" in roles) == (off != "use_repair")
    assert (directions == {None}) == (off == "use_prior")


def test_a_search_keeps_to_its_limits() -> None:
    split = split_of(0, 45)
    found = search_of(split, most_evaluations=5)()
    assert len(found.archive) == 5
    assert "5 candidates" in found.stopped


@dataclass
class Scripted:
    """A proposer that proposes given policies, each for ten tokens."""

    policies: Iterator[Fixed | Program | None]
    name: str = "scripted"

    def propose(self, task: Task) -> Proposal:
        assert task.candidates
        return Proposal(policy=next(self.policies, None), description="as given", tokens=10)


def scripted(*policies: Fixed | Program | None, **options: object) -> SearchResult:
    split = split_of(0, 45)
    search = search_of(split, **options)
    return replace(search, proposer=Scripted(iter(policies)))()


def test_a_policy_that_fails_is_refused_and_the_search_goes_on() -> None:
    bad = Program(source="def select(question, context):\n    return []")
    found = scripted(bad, Fixed(structures=("temporal", "graph")), iterations=1)
    refused = [one for one in found.archive if one.refused]
    assert refused[0].policy == bad
    assert refused[0].objective(PENALTY) == -np.inf
    assert found.policy == Fixed(structures=("temporal", "graph"))


def test_a_search_stops_when_nothing_new_is_proposed() -> None:
    found = scripted(iterations=9)
    assert found.stopped == "nothing new was proposed"
    assert len(found.curve) == 4


def test_a_search_stops_when_nothing_gets_better() -> None:
    policies = [Fixed(structures=subset) for subset in subsets_of(STRUCTURES)]
    found = scripted(*policies, iterations=9, patience=2)
    assert "no better policy in 2 rounds" in found.stopped


def test_with_caution_a_better_policy_may_not_be_better_enough() -> None:
    better = Fixed(structures=("temporal", "graph"))
    assert scripted(better, iterations=1).policy == better
    assert scripted(better, iterations=1, caution=1000.0).best.role == "start"


def test_a_search_stops_at_the_tokens_of_a_model() -> None:
    policies = [Fixed(structures=subset) for subset in subsets_of(STRUCTURES)]
    found = scripted(*policies, iterations=9, most_model_tokens=25)
    assert "30 tokens" in found.stopped


def test_a_start_that_cannot_be_evaluated_is_told() -> None:
    search = search_of(split_of(0, 45))
    bad = Program(source="def select(question, context):\n    return 1 // 0")
    with pytest.raises(PolicyError):
        replace(search, start=bad)()


def test_rules_are_not_made_of_a_program() -> None:
    search = search_of(split_of(0, 45))
    program = Program(source='def select(question, context):\n    return ["vector"]')
    with pytest.raises(InvalidInputError, match="program"):
        replace(search, start=program)()


def test_progress_tells_each_new_candidate() -> None:
    told: list[tuple[int, str, float]] = []

    def note(iteration: int, candidate: Candidate, best: float) -> None:
        told.append((iteration, candidate.role, best))

    found = search_of(split_of(0, 45), iterations=2)(progress=note)
    assert len(told) == len(found.archive)
    assert told[0][:2] == (0, "start")
    assert told[-1][2] == found.curve[-1]
    assert isinstance(found.policy, Rules)


def test_a_run_is_named_by_all_that_its_result_depends_on_and_not_by_limits() -> None:
    split = split_of(0, 45)
    run = search_of(split).run
    limits: tuple[dict[str, object], ...] = (
        {"iterations": 99},
        {"most_evaluations": 3},
        {"most_model_tokens": 3},
        {"patience": 1},
    )
    for options in limits:
        assert search_of(split, **options).run == run
    others: tuple[dict[str, object], ...] = (
        {"penalty": 0.5},
        {"beta": 0.5},
        {"seed": 5},
        {"caution": 1.0},
        {"use_ucb": False},
        {"use_prior": False},
        {"use_repair": False},
    )
    for options in others:
        assert search_of(split, **options).run != run
    other = replace(search_of(split), validation=split.validation[1:])
    assert other.run != run
    assert replace(search_of(split), start=Fixed(structures=("graph",))).run != run
    assert replace(search_of(split), about={"a": 1, "b": 2}).run == (
        replace(search_of(split), about={"b": 2, "a": 1}).run
    )
    assert len(run) == 16


@dataclass
class Noted:
    """A proposer that notes its tasks, and proposes the subsets of structures in turn."""

    tasks: list[Task]
    name: str = "noted"

    def propose(self, task: Task) -> Proposal:
        subset = subsets_of(STRUCTURES)[len(self.tasks)]
        self.tasks.append(task)
        return Proposal(policy=Fixed(structures=subset), description="as it comes")


def tasks_of(**options: object) -> tuple[list[Task], SearchResult]:
    tasks: list[Task] = []
    found = replace(search_of(split_of(0, 45), **options), proposer=Noted(tasks))()
    return tasks, found


def test_a_round_asks_to_exploit_to_explore_and_to_repair() -> None:
    tasks, found = tasks_of(iterations=2)
    assert [task.role for task in tasks] == ["exploit", "explore", "repair"] * 2
    assert [(one.iteration, one.role) for one in found.archive[1:]] == [
        (iteration, role) for iteration in (1, 2) for role in ("exploit", "explore", "repair")
    ]
    exploit, explore, repair = tasks[:3]
    assert exploit.direction != explore.direction
    assert (exploit.cluster, explore.cluster) == (None, None)
    assert repair.cluster is not None
    assert repair.direction == repair.cluster.direction
    assert {len(task.candidates) for task in tasks[:3]} == {1, 2, 3}
    assert {task.penalty for task in tasks} == {PENALTY}


def test_all_of_a_round_improve_the_best_at_its_beginning() -> None:
    tasks, found = tasks_of(iterations=3)
    for number in range(3):
        currents = {id(task.current) for task in tasks[3 * number : 3 * number + 3]}
        assert len(currents) == 1
        assert tasks[3 * number].current.objective(PENALTY) == found.curve[number]


def test_what_came_of_a_direction_is_known_to_the_next_round() -> None:
    tasks, _ = tasks_of(iterations=2)
    assert sum(arm.n for arm in tasks[0].arms.values()) == 0
    assert sum(arm.n for arm in tasks[3].arms.values()) == 3


def test_each_task_draws_from_a_generator_of_its_own() -> None:
    one, same, other = (tasks_of(iterations=2, seed=seed)[0] for seed in (0, 0, 1))
    drawn = [[task.rng.integers(2**60) for task in tasks] for tasks in (one, same, other)]
    assert drawn[0] == drawn[1]
    assert len({*drawn[0], *drawn[2]}) == 12


def test_while_nothing_helps_the_next_cluster_of_failures_is_repaired() -> None:
    worst = [Fixed(structures=("summary",))] * 9
    tasks: list[Task] = []

    class Same(Noted):
        def propose(self, task: Task) -> Proposal:
            self.tasks.append(task)
            return Proposal(policy=worst[0], description="no better")

    replace(search_of(split_of(0, 45), iterations=3), proposer=Same(tasks))()
    repairs = [task.cluster for task in tasks if task.role == "repair"]
    clusters = failure_clusters(tasks[0].current.evaluation)  # type: ignore[arg-type]
    assert repairs == [clusters[n % len(clusters)] for n in range(3)]


def test_without_failures_nothing_is_repaired() -> None:
    class Perfect(World):
        def reward(self, case: object, names: tuple[str, ...]) -> float:  # noqa: ARG002
            return 1.0

    tasks: list[Task] = []
    search = replace(search_of(split_of(0, 45), iterations=1), evaluator=Perfect())
    replace(search, proposer=Noted(tasks))()
    assert [task.role for task in tasks] == ["exploit", "explore"]


@pytest.mark.parametrize(("most", "n"), [(1, 1), (2, 2), (4, 4), (100, 7)])
def test_evaluations_are_limited_in_the_midst_of_a_round_the_start_included(
    most: int, n: int
) -> None:
    _, found = tasks_of(iterations=2, most_evaluations=most)
    assert len(found.archive) == n
    said = f"{most} candidates are evaluated" if n == most else "all 2 rounds are done"
    assert found.stopped == said


def test_of_equal_policies_the_first_stays_the_best() -> None:
    same = Fixed(structures=("temporal", "graph"))
    found = scripted(same, same, same, iterations=1)
    assert (found.best.iteration, found.best.role) == (1, "exploit")


def test_a_round_without_a_proposal_is_waited_for_twice() -> None:
    better = Fixed(structures=("temporal", "graph"))
    found = scripted(*[None] * 6, better, iterations=9)
    assert found.policy == better  # it came in the third round
    assert found.stopped == "nothing new was proposed"
    assert len(found.curve) == 1 + 3 + 3


def test_a_candidate_without_a_policy_is_no_result() -> None:
    none = Candidate(
        iteration=1,
        role="exploit",
        direction=None,
        policy=None,
        description="",
        evaluation=None,
        refused="It said nothing.",
    )
    result = SearchResult(best=none, archive=(none,), curve=(0.0,), stopped="")
    with pytest.raises(PolicyError, match=r"has no policy\. It said nothing\."):
        _ = result.policy
