"""Workers: processes that read structures for the questions of a data set."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from stepwell.errors import InvalidInputError
from stepwell.learn.replay.ledger import Reading, selection_of_key
from stepwell.learn.replay.stage import open_stage
from stepwell.learn.rewards import Asked, LiteralReward, Read
from stepwell.policy.base import Selection
from stepwell_bench.gold import holds
from stepwell_bench.scoring import shown_by_evidence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from stepwell.learn.cases import Case
    from stepwell.learn.replay.stage import Stage, Workbench
    from stepwell.policy.base import Context
    from stepwell_bench.datasets import Question
    from stepwell_bench.scoring import Mode, Shown

__all__ = ["Job", "Worker", "start", "work"]

_MODES: tuple[Mode, ...] = ("as-asked", "stripped")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A reading to be done: a case, a budget and a selection as the ledger writes them."""

    case: str
    budget: int
    selection: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chosen:
    """A policy that chooses what a job says."""

    structures: tuple[str, ...]
    tokens: Mapping[str, int]
    name: str = "job"

    def select(self, question: str, context: Context) -> Selection:  # noqa: ARG002  (of a Policy)
        return Selection(structures=self.structures, tokens=self.tokens)


class Worker:
    """Does readings on an opened stage."""

    def __init__(self, stage: Stage) -> None:
        """Prepare the questions."""
        self._stage = stage
        self._budget = 0
        self._cases: dict[str, tuple[Case, Question]] = {}

    def read(self, job: Job) -> Reading:
        """Return what comes of a job."""
        case, question = self._case(job)
        structures, tokens = selection_of_key(job.selection)
        evidence = self._stage.recall(case, _Chosen(structures=structures, tokens=tokens))
        shown = shown_by_evidence(
            evidence,
            trajectory=self._stage.trajectory(case.episode),
            counter=self._stage.counter,
        )
        gold = frozenset(question.gold)
        return Reading(
            case=job.case,
            budget=job.budget,
            selection=job.selection,
            tokens=shown.tokens,
            evidence=len(shown.steps & gold) / len(gold),
            quoted=len((shown.steps - shown.told) & gold) / len(gold),
            literal=_literal(question, shown, cap=job.budget),
            literals=_literals(question, shown),
            violations=" ".join(shown.violations),
        )

    def _case(self, job: Job) -> tuple[Case, Question]:
        if job.budget != self._budget:
            # Each way of asking by itself: together, a question without numbers comes in one only.
            cases = (self._stage.cases(budget=job.budget, modes=(mode,)) for mode in _MODES)
            self._cases = {case.id: (case, question) for case, question in chain(*cases)}
            self._budget = job.budget
        return self._cases[job.case]


def _literal(question: Question, shown: Shown, *, cap: int) -> float | None:
    asked = Asked(question=question.text, answer=question.answer, steps=question.gold)
    read = Read(text=shown.text, steps=shown.steps, tokens=shown.tokens)
    try:
        return LiteralReward(cap=cap).reward(asked, read)
    except InvalidInputError:  # the answer has no words
        return None


def _literals(question: Question, shown: Shown) -> float | None:
    if not question.literals:
        return None
    text = shown.text.lower()
    return sum(holds(text, one) for one in question.literals) / len(question.literals)


_workers: list[Worker] = []  # one in each worker process, made when it starts


def start(bench: Workbench) -> None:
    """Open the stage of a worker process."""
    _workers.append(Worker(open_stage(bench)))


def work(jobs: Sequence[Job]) -> list[Reading]:
    """Do readings in a worker process."""
    return [_workers[0].read(job) for job in jobs]
