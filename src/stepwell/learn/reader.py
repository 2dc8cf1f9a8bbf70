"""Reward evidence by what a frozen language model answers from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from stepwell.errors import InvalidInputError, ModelUnavailableError
from stepwell.learn.answers import exact_match, locomo_f1, token_f1
from stepwell.learn.prompting import answer_in, answer_prompt, judge_prompt, verdict_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from stepwell.chat.base import Chat
    from stepwell.learn.rewards import Read
    from stepwell.trajectory.questions import Question

__all__ = ["AnswerRecord", "AnswerReward", "ByWords", "Grade", "Grader", "Judge"]

_WORD_MEASURES = {"exact": exact_match, "f1": token_f1, "locomo-f1": locomo_f1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """What an answer was worth.

    Attributes:
        value: From 0 to 1; None where the judge came to no verdict.
        raw: The judge's reply, as it came; empty without a judge.
    """

    value: float | None
    raw: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRecord:
    """One answer, with all that is needed to judge it again.

    Attributes:
        question: The question.
        gold: The gold answer.
        kind: The question's type.
        domain: What the run is about.
        evidence: The evidence as shown; blank for the arm without.
        evidence_tokens: Its tokens.
        model: Id of the answer model.
        raw: The model's reply, as it came.
        answer: The answer in it.
        finish_reason: Why the reply ended.
        grader: What graded it.
        verdict: The judge's reply, as it came.
        reward: From 0 to 1; None where the judge came to no verdict.
    """

    question: str
    gold: str
    kind: str
    domain: str
    evidence: str
    evidence_tokens: int
    model: str
    raw: str
    answer: str
    finish_reason: str
    grader: str
    verdict: str
    reward: float | None


class Grader(Protocol):
    """Says what an answer is worth."""

    @property
    def name(self) -> str:
        """Its name, such as `f1`."""
        ...

    def grade(self, question: Question, answer: str) -> Grade:
        """Compare an answer with the gold answer.

        Raises:
            ModelUnavailableError: A judge is needed and gave no reply.
        """
        ...


class ByWords:
    """Grades by words alone: `exact`, `f1` (SQuAD) or `locomo-f1`.

    Args:
        measure: One of these.

    Raises:
        InvalidInputError: It is none of them.
    """

    def __init__(self, measure: str = "f1") -> None:
        if measure not in _WORD_MEASURES:
            raise InvalidInputError(
                f"There is no measure {measure!r}.", hint=f"Use {', '.join(_WORD_MEASURES)}."
            )
        self._measure: Callable[[str, str], float] = _WORD_MEASURES[measure]
        self._name = measure

    @property
    def name(self) -> str:
        """The measure."""
        return self._name

    def grade(self, question: Question, answer: str) -> Grade:
        """Compare the words of an answer with those of the gold answer."""
        return Grade(value=self._measure(answer, question.answer))


@dataclass(frozen=True, slots=True)
class Judge:
    """Grades by a language model that says whether an answer is correct: 1 or 0.

    Attributes:
        model: The judge; take one that is stronger than the model it judges, or another.
        max_tokens: The longest reply: one word, and what some models think before it.
    """

    model: Chat
    max_tokens: int = 256

    @property
    def name(self) -> str:
        """`judge`, and its model."""
        return f"judge:{self.model.model_id}"

    def grade(self, question: Question, answer: str) -> Grade:
        """Ask the judge.

        Raises:
            ModelUnavailableError: It gave no reply.
        """
        prompt = judge_prompt(question.text, reference=question.answer, predicted=answer)
        said = self.model.complete(prompt, max_tokens=self.max_tokens).text
        verdict = verdict_in(said)
        return Grade(value=None if verdict is None else float(verdict), raw=said)


@dataclass(slots=True)
class AnswerReward:
    """What a frozen model's answer from the evidence is worth; safe to share between threads.

    Attributes:
        model: The answer model. Temperature 0 is its default; put a cache before it, and a run
            that breaks off goes on where it was.
        grader: What compares its answer with the gold answer.
        max_tokens: The longest reply.
        records: Every answer so far, for `stepwell.learn.records.write_records`.
    """

    model: Chat
    grader: Grader = field(default_factory=ByWords)
    max_tokens: int = 512
    records: list[AnswerRecord] = field(default_factory=list[AnswerRecord], repr=False)

    @property
    def name(self) -> str:
        """`answer`, its model and its grader."""
        return f"answer:{self.model.model_id}:{self.grader.name}"

    def reward(self, question: Question, evidence: Read) -> float:
        """Return what the model's answer is worth, from 0 to 1, and keep a record of it.

        Args:
            question: The question.
            evidence: What is shown; `NOTHING` for the arm without evidence.

        Raises:
            ModelUnavailableError: The model gave no answer, or the judge no verdict; an answer
                without a verdict is kept among the records, its reward None.
        """
        prompt = answer_prompt(question.text, evidence.text)
        reply = self.model.complete(prompt, max_tokens=self.max_tokens)
        answer = answer_in(reply.text)
        if not answer:
            raise ModelUnavailableError(
                f"{self.model.model_id} gave no answer ({reply.finish_reason}).",
                hint="Take a model that thinks less; what it said is in the cache of replies.",
            )
        grade = self.grader.grade(question, answer)
        self.records.append(
            AnswerRecord(
                question=question.text,
                gold=question.answer,
                kind=question.kind,
                domain=question.domain,
                evidence=evidence.text,
                evidence_tokens=evidence.tokens,
                model=self.model.model_id,
                raw=reply.text,
                answer=answer,
                finish_reason=reply.finish_reason,
                grader=self.grader.name,
                verdict=grade.raw,
                reward=grade.value,
            )
        )
        if grade.value is None:
            raise ModelUnavailableError(
                f"{self.grader.name} came to no verdict.",
                hint="Take a judge that says yes or no; small models often cannot.",
            )
        return grade.value
