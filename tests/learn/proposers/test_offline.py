from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from stepwell.errors import InvalidInputError
from stepwell.learn.archive import Candidate, key_of
from stepwell.learn.failures import failure_clusters
from stepwell.learn.proposers.base import Task
from stepwell.learn.proposers.edits import as_rules
from stepwell.learn.proposers.guide import Guide, reading_at, reading_of
from stepwell.learn.proposers.offline import OfflineProposer
from stepwell.learn.ucb import DIRECTIONS, arms_of
from stepwell.policy.base import STRUCTURES
from stepwell.policy.conditions import parse_condition
from stepwell.policy.kinds import ANY, All, Fixed, Rule, Rules, Single, Table
from support.worlds import PENALTY, World, cases_of

if TYPE_CHECKING:
    from stepwell.learn.cases import Case
    from stepwell.learn.ucb import Direction
    from stepwell.policy.kinds import Kind

TRAIN, VALIDATION = cases_of(30, seed=1), cases_of(24, seed=2)
GUIDE = Guide(evaluator=World(), cases=TRAIN, penalty=PENALTY)
START = Rules(
    rules=(
        Rule(when=(parse_condition("asks steps"),), read=("episodic", "temporal", "summary")),
        Rule(when=(parse_condition("asks count"),), read=("graph",)),
    ),
    default=("vector",),
)


def task_of(
    policy: Kind,
    direction: Direction | None,
    *,
    repair: bool = False,
    cases: list[Case] = VALIDATION,
) -> Task:
    evaluation = World().evaluate(policy, cases)
    current = Candidate(
        iteration=0,
        role="start",
        direction=None,
        policy=policy,
        description="",
        evaluation=evaluation,
    )
    return Task(
        role="repair" if repair else "exploit",
        direction=direction,
        current=current,
        cluster=failure_clusters(evaluation)[0] if repair else None,
        candidates=(current,),
        arms=arms_of([]),
        penalty=PENALTY,
        rng=np.random.default_rng(0),
    )


def objective(policy: Kind, cases: list[Case] = VALIDATION) -> float:
    return World().evaluate(policy, cases).objective(PENALTY)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("repair", [False, True])
def test_each_direction_proposes_something_better(direction: Direction, repair: bool) -> None:  # noqa: FBT001
    found = OfflineProposer(guide=GUIDE).propose(task_of(START, direction, repair=repair))
    assert found.policy is not None
    assert found.description
    assert objective(found.policy) > objective(START)


def test_what_was_tried_is_not_proposed_again() -> None:
    task = task_of(START, "demand")
    seen: list[str] = []
    for _ in range(6):
        found = OfflineProposer(guide=GUIDE).propose(task)
        assert found.policy is not None
        seen.append(key_of(found.policy))
        tried = replace(task.current, policy=found.policy, evaluation=None, refused="no")
        task = replace(task, candidates=(*task.candidates, tried))
    assert len(set(seen)) == 6


def test_without_a_direction_nothing_of_rewards_is_asked() -> None:
    world = World()
    proposer = OfflineProposer(guide=Guide(evaluator=world, cases=TRAIN, penalty=PENALTY))
    assert proposer.propose(task_of(START, None)).policy is not None
    assert world.n_evaluated == 0


@pytest.mark.parametrize(
    "policy",
    [
        All(),
        Single(structure="graph"),
        Fixed(structures=("graph", "units")),
        START,
        Table(
            cells={
                ("games", ANY): ("graph",),
                (ANY, "x"): ("units",),
                ("web", "x"): ("vector",),
                ("web", ANY): ("episodic",),
            },
            default=("summary",),
        ),
    ],
)
def test_rules_choose_what_the_policy_chose(policy: Kind) -> None:
    rules = as_rules(policy, STRUCTURES)
    for number, case in zip(count(), TRAIN, strict=False):
        context = replace(case.context, kind="x" if number % 2 else "y")
        chosen = policy.select(case.question, context).structures
        assert rules.select(case.question, context).structures == chosen


def test_the_guide_knows_what_a_policy_is_worth_and_which_rule_applies() -> None:
    found = World().evaluate(START, TRAIN)
    assert GUIDE.worth_of(START) == pytest.approx(found.rewards - PENALTY * found.tokens)
    for number, case in zip(GUIDE.regions(START), TRAIN, strict=True):
        read, _ = reading_at(START, int(number))
        assert set(read) == set(START.select(case.question, case.context).structures)


def test_a_rule_without_anything_to_read_does_not_apply() -> None:
    cases = [replace(case, context=replace(case.context, available=("vector",))) for case in TRAIN]
    guide = Guide(evaluator=World(), cases=cases, penalty=PENALTY)
    assert set(guide.regions(START)) == {2}


def test_conditions_are_those_that_enough_cases_of_several_episodes_meet_and_miss() -> None:
    for condition in GUIDE.conditions():
        mask = GUIDE.holds([condition])
        assert 6 <= mask.sum() <= len(TRAIN) - 6
    said = set(map(str, GUIDE.conditions()))
    assert {"asks count", "asks why", "domain is games"} <= said


def test_what_is_known_of_few_cases_is_filled_in_carefully() -> None:
    class Sparse(World):
        def evaluate(self, policy: Any, cases: Any) -> Any:
            found = super().evaluate(policy, cases)
            weights = np.where(np.arange(len(cases)) % 4 == 0, 4.0, 0.0)
            return replace(found, weights=weights)

    guide = Guide(evaluator=Sparse(noise=0), cases=TRAIN, penalty=0.0)
    reading = reading_of(("temporal", "graph"))
    truth = World(noise=0).evaluate(Fixed(structures=reading[0]), TRAIN).reward
    assert guide.worth(reading).mean() == pytest.approx(truth, abs=0.12)


def test_a_proposer_is_named_by_what_it_considers() -> None:
    assert OfflineProposer(guide=GUIDE).name == (
        f"offline/2/asks+budget+domain+has+kind+signal+steps+tokens/{len(TRAIN)}"
    )
    less = Guide(
        evaluator=World(),
        cases=TRAIN[:9],
        penalty=PENALTY,
        reach=1,
        limits=False,
        subjects=frozenset({"asks"}),
    )
    assert OfflineProposer(guide=less).name == "offline/1/asks/9/no limits"


def test_what_training_cases_do_not_speak_for_is_not_proposed() -> None:
    class Flat(World):
        def reward(self, case: Case, names: tuple[str, ...]) -> float:  # noqa: ARG002
            return 0.5

    guide = Guide(evaluator=Flat(), cases=TRAIN, penalty=0.0)
    found = OfflineProposer(guide=guide).propose(task_of(START, "demand"))
    assert found.policy is None
    assert found.description == "training cases speak for no other change"


def test_where_a_direction_offers_nothing_the_next_one_is_taken_and_named() -> None:
    blind = Guide(
        evaluator=World(), cases=TRAIN, penalty=PENALTY, subjects=frozenset(), limits=False
    )
    start = Rules(rules=(), default=("vector",))
    found = OfflineProposer(guide=blind).propose(task_of(start, "demand"))
    assert found.policy is not None
    assert found.direction == "composition"


def test_to_exploit_the_best_is_taken_and_to_explore_one_of_eight() -> None:
    task = task_of(START, "demand")
    proposer = OfflineProposer(guide=GUIDE)
    seeds = [np.random.default_rng(seed) for seed in range(8)]
    best = {proposer.propose(replace(task, rng=rng)).description for rng in seeds}
    assert len(best) == 1
    explored = {
        proposer.propose(replace(task, role="explore", rng=rng)).description for rng in seeds
    }
    assert len(explored) > 2


def test_without_a_policy_there_is_nothing_to_change() -> None:
    task = task_of(START, "demand")
    task = replace(task, current=replace(task.current, policy=None, refused="It was refused."))
    with pytest.raises(InvalidInputError, match=r"no policy to change.*It was refused\."):
        OfflineProposer(guide=GUIDE).propose(task)


def test_rules_stay_few_enough_to_be_read() -> None:
    many = Rules(rules=START.rules * 6, default=("vector",))
    for direction in DIRECTIONS:
        found = OfflineProposer(guide=GUIDE).propose(task_of(many, direction))
        assert found.policy is None or len(found.policy.rules) <= 12  # type: ignore[union-attr]
