"""Propose policies without a model: change rules in a direction, as training cases advise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from stepwell.errors import InvalidInputError
from stepwell.learn.archive import key_of
from stepwell.learn.proposers.base import Proposal
from stepwell.learn.proposers.blind import blind_variants
from stepwell.learn.proposers.cells import lower_gain
from stepwell.learn.proposers.composition import composition_variants
from stepwell.learn.proposers.demand import demand_variants
from stepwell.learn.proposers.edits import as_rules
from stepwell.learn.proposers.guide import reading_at
from stepwell.learn.proposers.robustness import robustness_variants
from stepwell.learn.proposers.utility import utility_variants
from stepwell.learn.ucb import means
from stepwell.policy.kinds import Program

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from stepwell.learn.proposers.base import Task
    from stepwell.learn.proposers.edits import Variant
    from stepwell.learn.proposers.guide import Guide, Reading
    from stepwell.learn.ucb import Direction
    from stepwell.policy.conditions import Condition
    from stepwell.policy.kinds import Rules

__all__ = ["OfflineProposer"]

_MOST_RULES: Final = 12
"""More than a person reads."""

_EXPLORED: Final = 8
"""Of the best variants, so many may be drawn to explore."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfflineProposer:
    """Changes rules in a direction and proposes what training cases speak for.

    A direction gives many variants of the current rules. They are ranked by what they add on the
    training cases, less one standard error by episode; the best one that was not tried is
    proposed, or to explore, one of the best few. Where training cases speak for none, the next
    direction is taken, and in the end nothing proposed: a change they do not speak for would only
    be chosen for its luck on validation cases. Without a direction a random change is proposed.

    Attributes:
        guide: The training cases.
    """

    guide: Guide

    @property
    def name(self) -> str:
        """`offline`, with what it considers."""
        subjects = "+".join(sorted(self.guide.subjects))
        limits = "" if self.guide.limits else "/no limits"
        return f"offline/{self.guide.reach}/{subjects}/{len(self.guide.cases)}{limits}"

    def propose(self, task: Task) -> Proposal:
        """Return a change of the current rules.

        Raises:
            InvalidInputError: The current policy is a program.
            PolicyError: A training case has nothing to read.
        """
        if task.current.policy is None:
            raise InvalidInputError("There is no policy to change.", hint=task.current.refused)
        rules = as_rules(task.current.policy, self.guide.structures)
        tried = {key_of(one.policy) for one in task.candidates if one.policy is not None}
        tried |= {key_of(rules)}
        if task.direction is None:
            return _first(blind_variants(rules, self.guide, task.rng), tried)
        current = self.guide.worth_of(rules)
        for direction in _order(task):
            ranked = self._ranked(self._variants(rules, task, direction), current)
            best = _fresh(ranked, tried, most=_EXPLORED if task.role == "explore" else 1)
            if best:
                chosen = best[int(task.rng.integers(len(best)))]
                return Proposal(
                    policy=chosen.rules, description=chosen.description, direction=direction
                )
        return Proposal(policy=None, description="training cases speak for no other change")

    def _variants(self, rules: Rules, task: Task, direction: Direction) -> Iterator[Variant]:
        focus = self._focus(task)
        match direction:
            case "demand":
                return demand_variants(rules, self.guide, focus, self._readings(rules, task))
            case "utility":
                return utility_variants(rules, self.guide, focus, self._readings(rules, task))
            case "composition":
                return composition_variants(rules, self.guide, focus, task.rng)
            case _:
                return robustness_variants(rules, self.guide, focus, task.rng)

    def _readings(self, rules: Rules, task: Task) -> list[Reading]:
        """Return what can be read: small subsets, and what the best candidates read."""
        known = [one for one in task.candidates if one.evaluation is not None]
        best = sorted(known, key=lambda one: -one.objective(task.penalty))[:_EXPLORED]
        lists = [
            as_rules(one.policy, self.guide.structures)
            for one in best
            if one.policy is not None and not isinstance(one.policy, Program)
        ]
        used = [
            reading_at(one, number)
            for one in (rules, *lists)
            for number in range(len(one.rules) + 1)
        ]
        return self.guide.readings(used)

    def _focus(self, task: Task) -> tuple[Condition, ...]:
        """Return what the cases to repair have in common, as far as training cases have it too."""
        if task.cluster is None:
            return ()
        focus = tuple(one for one in task.cluster.conditions if one.subject in self.guide.subjects)
        while focus and not self.guide.is_supported(self.guide.holds(focus)):
            focus = focus[1:]
        return focus

    def _ranked(self, variants: Iterable[Variant], current: NDArray[np.float64]) -> list[Variant]:
        """Return the variants that training cases speak for, the best first."""
        found: list[tuple[float, Variant]] = []
        for one in variants:
            if len(one.rules.rules) <= _MOST_RULES:
                gain = lower_gain(self.guide, self.guide.worth_of(one.rules) - current)
                found.append((gain, one))
        found.sort(key=lambda pair: -pair[0])
        return [one for gain, one in found if gain > 0]


def _order(task: Task) -> list[Direction]:
    """Return the directions to try: the task's, then the others, the best so far first."""
    score = means(task.arms, prior=task.candidates[0].objective(task.penalty))
    rest = sorted(score, key=lambda name: -score[name])
    return sorted(rest, key=lambda name: name != task.direction)


def _fresh(variants: Iterable[Variant], tried: set[str], *, most: int) -> list[Variant]:
    """Return the first variants that were not tried."""
    found: dict[str, Variant] = {}
    for one in variants:
        key = key_of(one.rules)
        if key not in tried:
            found.setdefault(key, one)
        if len(found) == most:
            break
    return list(found.values())


def _first(variants: Iterable[Variant], tried: set[str]) -> Proposal:
    for one in _fresh(variants, tried, most=1):
        return Proposal(policy=one.rules, description=one.description)
    return Proposal(policy=None, description="every change was tried")
