"""Compare policies by the answers of a language model, beside answers without evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stepwell.errors import ModelUnavailableError
from stepwell.learn.replay.answers import NONE
from stepwell.stats.bootstrap import bootstrap_mean, paired_difference

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

    from stepwell.learn.cases import Case, Evaluation
    from stepwell.learn.replay.answers import Answering
    from stepwell.policy.base import Policy
    from stepwell.stats.bootstrap import Interval

__all__ = ["AnswersReport", "Arm", "compare_answers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """A way of choosing evidence, by the answers it led to.

    Attributes:
        name: The policy; `none` for no evidence.
        n: Questions answered.
        reward: Mean grade.
        low: Lower end of its interval, by episodes.
        high: Upper end.
        tokens: Mean tokens of evidence.
        over_none: Mean difference to the answers without evidence, with its interval.
    """

    name: str
    n: int
    reward: float
    low: float
    high: float
    tokens: float
    over_none: tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersReport:
    """What a model answered.

    Attributes:
        model: Its id.
        grader: What graded it.
        n_questions: Questions asked in each arm.
        n_failed: Replies that were no answers; such a question is left out of its arm.
        arms: One per way of choosing.
    """

    schema: int
    benchmark: str
    dataset: str
    created: str
    commit: str
    seed: int
    budget: int
    model: str
    grader: str
    n_questions: int
    n_failed: int
    arms: tuple[Arm, ...]


def compare_answers(
    answering: Answering,
    cases: Sequence[Case],
    policies: Mapping[str, Policy],
    *,
    rng: np.random.Generator,
) -> tuple[Arm, ...]:
    """Return what the answers were worth without evidence and under each policy.

    Args:
        answering: Asks and grades.
        cases: The questions.
        policies: The policies by name.
        rng: Draws the intervals.
    """
    alone = answering.without_evidence(cases)
    found = {NONE: alone}
    found |= {name: answering.evaluate(policy, cases) for name, policy in policies.items()}
    return tuple(_arm(name, one, alone, rng) for name, one in found.items())


def _arm(name: str, found: Evaluation, alone: Evaluation, rng: np.random.Generator) -> Arm:
    known = (found.weights > 0) & (alone.weights > 0)
    episodes = [case.episode for case, is_known in zip(found.cases, known, strict=True) if is_known]
    if not episodes:
        raise ModelUnavailableError(
            f"No question was answered in the arm {name}.", hint="Take another model."
        )
    mean = bootstrap_mean(found.rewards[known], episodes, rng=rng)
    more = paired_difference(found.rewards[known], alone.rewards[known], episodes, rng=rng)
    return Arm(
        name=name,
        n=len(episodes),
        reward=mean.mean,
        low=mean.low,
        high=mean.high,
        tokens=float(found.tokens[known].mean()),
        over_none=_ends(more),
    )


def _ends(interval: Interval) -> tuple[float, float, float]:
    return interval.mean, interval.low, interval.high
