"""Answers: what a frozen language model makes of the evidence that policies choose.

The reward of MESA itself: recall, ask a model with the evidence, grade its answer. A model is slow,
so questions are sampled, replies are cached by what was asked, and equal payloads are asked once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from stepwell.errors import ModelUnavailableError
from stepwell.learn.cases import Evaluation
from stepwell.learn.replay.ledger import selection_key
from stepwell.learn.rewards import NOTHING, Asked, Read
from stepwell.recall.find.context import in_order
from stepwell.stats.bootstrap import bootstrap_mean, paired_difference
from stepwell_bench.mesa.running import open_cases

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from stepwell.learn.cases import Case
    from stepwell.learn.reader import AnswerReward
    from stepwell.learn.replay.stage import Stage
    from stepwell.policy.base import Policy, Selection
    from stepwell.stats.bootstrap import Interval
    from stepwell_bench.datasets import Question
    from stepwell_bench.mesa.running import Setting

__all__ = ["NONE", "Answering", "AnswersReport", "Arm", "compare_answers", "open_answering"]

NONE = "none"
"""The arm without evidence."""


@dataclass(slots=True)
class Answering:
    """Tells what policies are worth by the answers of a language model; one question at a time.

    Attributes:
        stage: Where recalls are made.
        reward: Asks the model and grades what it says.
        questions: The questions, by case.
        n_failed: Answers that were no answers, or got no verdict; they weigh nothing.
        progress: Called after each answer.
    """

    stage: Stage
    reward: AnswerReward
    questions: Mapping[str, Question]
    n_failed: int = 0
    progress: Callable[[], None] = lambda: None
    _known: dict[tuple[str, int, str], tuple[float | None, int]] = field(
        default_factory=dict[tuple[str, int, str], tuple[float | None, int]], repr=False
    )

    def evaluate(self, policy: Policy, cases: Sequence[Case]) -> Evaluation:
        """Return what a policy is worth on some cases.

        Raises:
            PolicyError: The policy fails on one of them.
        """
        selections = [policy.select(case.question, case.context) for case in cases]
        return _evaluation(
            cases,
            [in_order(selection.structures) for selection in selections],
            [self._told(case, one) for case, one in zip(cases, selections, strict=True)],
        )

    def without_evidence(self, cases: Sequence[Case]) -> Evaluation:
        """Return what the model is worth alone."""
        found = [self._graded((case.id, 0, NONE), NOTHING) for case in cases]
        return _evaluation(cases, [()] * len(cases), found)

    def _told(self, case: Case, selection: Selection) -> tuple[float | None, int]:
        key = (case.id, case.context.budget, selection_key(selection))
        if key in self._known:
            return self._known[key]
        chosen = _Chosen(selection=selection)
        evidence = self.stage.recall(case, chosen)
        steps = {item.step for item in evidence.items} | {note.steps[0] for note in evidence.notes}
        read = Read(text=evidence.text, steps=frozenset(steps), tokens=evidence.tokens)
        return self._graded(key, read)

    def _graded(self, key: tuple[str, int, str], read: Read) -> tuple[float | None, int]:
        if key not in self._known:
            question = self.questions[key[0]]
            asked = Asked(
                question=question.text,
                answer=question.answer,
                steps=question.gold,
                kind=question.kind,
                domain=question.domain,
            )
            try:
                value: float | None = self.reward.reward(asked, read)
            except ModelUnavailableError:
                if not self.reward.records and self.n_failed >= _FAILURES:
                    raise  # nothing ever came: it is not the question that is at fault
                value = None
                self.n_failed += 1
            self._known[key] = (value, read.tokens)
            self.progress()
        return self._known[key]


_FAILURES = 2
"""Failures in a row from the start after which a model is taken to be out of reach."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chosen:
    """A policy that has chosen."""

    selection: Selection
    name: str = "chosen"

    def select(self, question: str, context: object) -> Selection:  # noqa: ARG002  (of a Policy)
        return self.selection


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


def open_answering(
    setting: Setting, reward: AnswerReward, *, questions: int | None = None
) -> tuple[Answering, tuple[Case, ...]]:
    """Open the store of a data set for a model to answer from, and return a sample of its cases.

    Args:
        setting: The data set; its store has to be built.
        reward: Asks the model.
        questions: A random sample of so many; None for all.

    Raises:
        ModelUnavailableError: Vectors are asked for and the local encoder is not installed.
    """
    stage, pairs = open_cases(setting)
    if questions is not None and questions < len(pairs):
        rng = np.random.default_rng(setting.seed)
        drawn = np.sort(rng.choice(len(pairs), questions, replace=False))
        pairs = [pairs[int(place)] for place in drawn]
    answering = Answering(
        stage=stage, reward=reward, questions={case.id: question for case, question in pairs}
    )
    return answering, tuple(case for case, _ in pairs)


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


def _evaluation(
    cases: Sequence[Case],
    chosen: Sequence[tuple[str, ...]],
    told: Sequence[tuple[float | None, int]],
) -> Evaluation:
    return Evaluation(
        cases=cases,
        chosen=chosen,
        rewards=np.array([value or 0.0 for value, _ in told], dtype=np.float64),
        tokens=np.array([tokens for _, tokens in told], dtype=np.float64),
        weights=np.array([value is not None for value, _ in told], dtype=np.float64),
    )
