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
from stepwell.learn.replay.stage import Chosen, open_stage
from stepwell.learn.rewards import NOTHING, Read
from stepwell.recall.find.context import in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from stepwell.learn.cases import Case
    from stepwell.learn.reader import AnswerReward
    from stepwell.learn.replay.stage import Stage, Workbench
    from stepwell.policy.base import Policy, Selection
    from stepwell.trajectory.questions import Question

__all__ = ["NONE", "Answering", "open_answering"]

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
        evidence = self.stage.recall(case, Chosen(selection=selection))
        steps = {item.step for item in evidence.items} | {note.steps[0] for note in evidence.notes}
        read = Read(text=evidence.text, steps=frozenset(steps), tokens=evidence.tokens)
        return self._graded(key, read)

    def _graded(self, key: tuple[str, int, str], read: Read) -> tuple[float | None, int]:
        if key not in self._known:
            try:
                value: float | None = self.reward.reward(self.questions[key[0]], read)
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


def open_answering(bench: Workbench, reward: AnswerReward) -> Answering:
    """Open a store for a model to answer from.

    Args:
        bench: The store and the questions.
        reward: Asks the model, and grades what it says.
    """
    questions = {question.id: question for question in bench.questions}
    return Answering(stage=open_stage(bench), reward=reward, questions=questions)


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
