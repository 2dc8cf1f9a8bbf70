"""Workers: processes that read structures for questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stepwell.learn.replay.ledger import Reading, selection_of_key
from stepwell.learn.replay.stage import Chosen, open_stage
from stepwell.policy.base import Selection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.learn.cases import Case
    from stepwell.learn.replay.stage import Stage, Workbench
    from stepwell.trajectory.questions import Question

__all__ = ["Job", "Worker", "start", "work"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A reading to be done: a case, a budget and a selection as the ledger writes them."""

    case: str
    budget: int
    selection: str


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
        chosen = Chosen(selection=Selection(structures=structures, tokens=tokens))
        evidence = self._stage.recall(case, chosen)
        worth = self._stage.bench.measure(
            question, evidence, lambda: self._stage.trajectory(case.episode)
        )
        return Reading(
            case=job.case,
            budget=job.budget,
            selection=job.selection,
            tokens=worth.tokens,
            evidence=worth.evidence,
            quoted=worth.quoted,
            literal=worth.literal,
            literals=worth.literals,
            violations=" ".join(worth.violations),
        )

    def _case(self, job: Job) -> tuple[Case, Question]:
        if job.budget != self._budget:
            cases = self._stage.cases(budget=job.budget)
            self._cases = {case.id: (case, question) for case, question in cases}
            self._budget = job.budget
        return self._cases[job.case]


_workers: list[Worker] = []  # one in each worker process, made when it starts


def start(bench: Workbench) -> None:
    """Open the stage of a worker process."""
    _workers.append(Worker(open_stage(bench)))


def work(jobs: Sequence[Job]) -> list[Reading]:
    """Do readings in a worker process."""
    return [_workers[0].read(job) for job in jobs]
