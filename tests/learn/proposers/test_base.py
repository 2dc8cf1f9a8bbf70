"""What is asked of every proposer, tried on those that need no model."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.learn.archive import Candidate, key_of
from stepwell.learn.failures import failure_clusters
from stepwell.learn.proposers.base import Proposal, Task
from stepwell.learn.proposers.guide import Guide
from stepwell.learn.proposers.offline import OfflineProposer
from stepwell.learn.ucb import DIRECTIONS, arms_of
from stepwell.policy.kinds import All
from support.worlds import PENALTY, World, cases_of

if TYPE_CHECKING:
    from stepwell.learn.archive import Role
    from stepwell.learn.proposers.base import Proposer
    from stepwell.learn.ucb import Direction

TRAIN, VALIDATION = cases_of(18, seed=1), cases_of(12, seed=2)


def proposer() -> Proposer:
    return OfflineProposer(guide=Guide(evaluator=World(), cases=TRAIN, penalty=PENALTY))


def task_of(role: Role, direction: Direction | None, seed: int = 0) -> Task:
    evaluation = World().evaluate(All(), VALIDATION)
    current = Candidate(
        iteration=0,
        role="start",
        direction=None,
        policy=All(),
        description="",
        evaluation=evaluation,
    )
    return Task(
        role=role,
        direction=direction,
        current=current,
        cluster=failure_clusters(evaluation)[0] if role == "repair" else None,
        candidates=(current,),
        arms=arms_of([]),
        penalty=PENALTY,
        rng=np.random.default_rng(seed),
    )


ROLES: tuple[Role, ...] = ("exploit", "explore", "repair")


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("direction", [*DIRECTIONS, None])
def test_a_task_and_its_generator_decide_what_is_proposed(
    role: Role, direction: Direction | None
) -> None:
    one, same = (proposer().propose(task_of(role, direction)) for _ in range(2))
    assert one == same
    assert one.policy is not None
    assert one.description
    assert one.tokens == 0


@pytest.mark.parametrize("direction", [*DIRECTIONS, None])
def test_what_was_tried_is_never_proposed(direction: Direction | None) -> None:
    task = task_of("exploit", direction)
    first = proposer().propose(task)
    tried = replace(task.current, policy=first.policy, evaluation=None, refused="tried")
    again = replace(
        task, candidates=(*task.candidates, tried), rng=task_of("exploit", direction).rng
    )
    second = proposer().propose(again)
    assert first.policy is not None
    assert second.policy is not None
    assert key_of(second.policy) not in {key_of(first.policy), key_of(All())}


def test_a_proposal_says_nothing_of_directions_or_tokens_unless_told() -> None:
    bare = Proposal(policy=None, description="nothing new")
    assert (bare.direction, bare.tokens) == (None, 0)
