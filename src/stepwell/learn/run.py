"""A whole run of learning: split, search, judge on held-out questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from stepwell.config import chat_model
from stepwell.errors import NotFoundError
from stepwell.learn.archive import Archive
from stepwell.learn.controls import controls
from stepwell.learn.held_out import hold_out
from stepwell.learn.install import policy_file
from stepwell.learn.proposers.guide import SUBJECTS, Guide
from stepwell.learn.proposers.model import ModelProposer
from stepwell.learn.proposers.offline import OfflineProposer
from stepwell.learn.search import PENALTY, Search, SearchOptions
from stepwell.learn.split import split_cases
from stepwell.policy.registry import find

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from stepwell.config import Settings
    from stepwell.learn.cases import Case, Evaluator
    from stepwell.learn.held_out import HeldOut
    from stepwell.learn.search import SearchResult
    from stepwell.policy.base import Policy
    from stepwell.policy.files import PolicyFile
    from stepwell.policy.kinds import Kind

    Progress: TypeAlias = Callable[[str], None]

__all__ = ["Ground", "Learned", "Plan", "learn", "policy_in_use"]

_ROUNDS: Final[Mapping[str, int]] = {"model": 10, "offline": 40}
_PATIENCE: Final = 8
"""Rounds without a better policy after which the offline proposer has said what it knows."""

_CURRENT: Final = "the policy in use"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a policy is learned.

    Attributes:
        name: Of the policy to learn.
        state: Folder that keeps what was done, so that an interrupted run goes on.
        proposer: What proposes policies: `offline` or `model`.
        iterations: Rounds of the search; None for what the proposer needs.
        seed: Of the split and the search.
        penalty: λ, in reward per token.
        model_tokens: Most tokens of the model that proposes.
    """

    name: str
    state: Path
    proposer: Literal["offline", "model"] = "offline"
    iterations: int | None = None
    seed: int = 0
    penalty: float = PENALTY
    model_tokens: int = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What is learned on.

    Attributes:
        evaluator: Tells the worth of policies, and refuses what it cannot tell.
        guide: Tells the worth of parts of them on training cases.
        cases: All cases.
        start: Where the search starts.
        about: What the rewards depend on.
        with_controls: Whether controls can be evaluated.
        reach: Structures of the largest subsets measured in any case.
    """

    evaluator: Evaluator
    guide: Evaluator
    cases: Sequence[Case]
    start: Kind
    about: Mapping[str, str | int | float]
    with_controls: bool
    reach: int = 2  # from a log, larger ones are seldom known


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What was learned.

    Attributes:
        file: The policy.
        found: How the search went.
        test: The policy on held-out cases, against the one in use first, then controls.
    """

    file: PolicyFile
    found: SearchResult
    test: HeldOut


def learn(
    plan: Plan, ground: Ground, chosen: Settings, *, progress: Progress = lambda _what: None
) -> Learned:
    """Search for a policy on one part of the cases, and judge it on another.

    Args:
        plan: How.
        ground: On what.
        chosen: The settings of this process: its policies and, where one proposes, its model.
        progress: Called with what was done, after each candidate.

    Raises:
        InvalidInputError: There are too few runs to split.
        PolicyError: A policy cannot be evaluated, or too little is known of it.
        ModelUnavailableError: A model is to propose, and cannot be asked.
    """
    split = split_cases(ground.cases, seed=plan.seed)
    current = policy_in_use(plan.name, chosen)
    search = _search(plan, ground, chosen, split.train, split.validation)
    rounds = search.options.iterations
    with Archive(plan.state / "search.sqlite") as archive:
        found = search(
            archive,
            progress=lambda round_, candidate, best: progress(
                f"round {round_} of {rounds}, {candidate.role}: {best:.4f}"
            ),
        )
    others: dict[str, Policy] = {_CURRENT: current}
    if ground.with_controls:
        seen = (*split.train, *split.validation)
        others |= controls(
            ground.evaluator, seen, penalty=plan.penalty, seed=plan.seed, largest=ground.reach
        )
    test = hold_out(
        ground.evaluator, found.policy, others, split.test, penalty=plan.penalty, seed=plan.seed
    )
    origin = {
        **ground.about,
        "seed": plan.seed,
        "penalty": plan.penalty,
        "proposer": search.proposer.name,
        "validation_objective": found.curve[-1],
        "held_out_gain": test.against[0].objective_difference.mean,
    }
    file = policy_file(found.policy, name=plan.name, parent=current, origin=origin)
    return Learned(file=file, found=found, test=test)


def policy_in_use(name: str, chosen: Settings) -> PolicyFile:
    """Return the policy in use: the newest of this name, else the one the settings name."""
    folders = (chosen.policies,)
    try:
        return find(name, folders)
    except NotFoundError:
        return find(chosen.policy, folders)


def _search(
    plan: Plan,
    ground: Ground,
    chosen: Settings,
    train: Sequence[Case],
    validation: Sequence[Case],
) -> Search:
    by_model = plan.proposer == "model"
    guide = Guide(
        evaluator=ground.guide,
        cases=train,
        penalty=plan.penalty,
        reach=ground.reach,
        subjects=SUBJECTS - {"kind"},  # a memory does not know the types of its questions
    )
    return Search(
        evaluator=ground.evaluator,
        validation=validation,
        proposer=ModelProposer(model=chat_model(chosen), cases=train)
        if by_model
        else OfflineProposer(guide=guide),
        options=SearchOptions(
            iterations=plan.iterations or _ROUNDS[plan.proposer],
            penalty=plan.penalty,
            seed=plan.seed,
            most_model_tokens=plan.model_tokens if by_model else None,
            patience=None if by_model else _PATIENCE,
        ),
        start=ground.start,
        about=ground.about,
    )
