"""Readings: what came of reading some structures for a question, each done once and kept.

A subset of structures is read for a question by the recall itself, over a store built from the data
set; the rewards that need no model are taken at once. Everything is kept in one SQLite file by
question, budget and selection, so that the sweep, the search and the ablations share readings and
an interrupted run goes on.
"""

from __future__ import annotations

from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import TYPE_CHECKING

import numpy as np

from stepwell.learn.cases import Evaluation
from stepwell.learn.replay.ledger import selection_key
from stepwell.learn.replay.workers import Job, start, work
from stepwell.recall.find.context import in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from stepwell.learn.cases import Case
    from stepwell.learn.replay.ledger import Ledger, Reading
    from stepwell.learn.replay.stage import Workbench
    from stepwell.policy.base import Policy, Selection

__all__ = ["REWARDS", "Readings"]

REWARDS = ("evidence", "literal")
"""Rewards that need no language model."""

_PORTION = 64
"""Readings that a worker does before it reports: about a second's work."""


@dataclass(slots=True)
class Readings:
    """What policies are worth on the questions of a data set, by reading what they choose.

    Attributes:
        bench: Where readings are done.
        ledger: Where they are kept.
        reward: `evidence` or `literal`.
        workers: Processes that read.
        progress: Called with what is done, how much of it, and out of how much.
        n_read: Readings done by this object, not found in the ledger.
    """

    bench: Workbench
    ledger: Ledger
    reward: str = "evidence"
    workers: int = 2
    progress: Callable[[str, int, int], None] = lambda _what, _done, _total: None
    n_read: int = 0
    _pool: ProcessPoolExecutor | None = field(default=None, repr=False)

    def evaluate(self, policy: Policy, cases: Sequence[Case]) -> Evaluation:
        """Return what a policy is worth on some cases.

        Raises:
            PolicyError: The policy fails on one of them.
        """
        selections = [policy.select(case.question, case.context) for case in cases]
        found = self.read(list(zip(cases, selections, strict=True)))
        values = [getattr(reading, self.reward) for reading in found]
        return Evaluation(
            cases=cases,
            chosen=[in_order(selection.structures) for selection in selections],
            rewards=np.array([value or 0.0 for value in values], dtype=np.float64),
            tokens=np.array([reading.tokens for reading in found], dtype=np.float64),
            weights=np.array([value is not None for value in values], dtype=np.float64),
        )

    def read(self, wanted: Sequence[tuple[Case, Selection]]) -> list[Reading]:
        """Return what came of each selection for its case, reading what is not known yet."""
        keys = [
            (case.id, case.context.budget, selection_key(selection)) for case, selection in wanted
        ]
        known = self.ledger.find(keys)
        missing = {
            key: Job(case=key[0], budget=key[1], selection=key[2])
            for key in keys
            if key not in known
        }
        done = 0
        for portion in self._done(_portions(missing.values())):
            self.ledger.keep(portion)
            known.update({(one.case, one.budget, one.selection): one for one in portion})
            done += len(portion)
            self.n_read += len(portion)
            self.progress("readings", done, len(missing))
        return [known[key] for key in keys]

    def close(self) -> None:
        """Stop the workers and close the ledger."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None
        self.ledger.close()

    def _done(self, portions: Sequence[list[Job]]) -> Iterable[list[Reading]]:
        if not portions:
            return ()
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                max_workers=self.workers,
                mp_context=get_context("spawn"),
                initializer=start,
                initargs=(self.bench,),
            )
        return self._pool.map(work, portions)


def _portions(jobs: Iterable[Job]) -> list[list[Job]]:
    """Return jobs in portions, those of a question together, so that searches are shared."""
    by_case: dict[str, list[Job]] = defaultdict(list)
    for job in jobs:
        by_case[job.case].append(job)
    portions: list[list[Job]] = [[]]
    for case in sorted(by_case):
        if len(portions[-1]) >= _PORTION:
            portions.append([])
        portions[-1] += by_case[case]
    return [portion for portion in portions if portion]
