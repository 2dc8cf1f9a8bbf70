"""Prepare an experiment: the store of a data set, its cases, and what reads for them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from stepwell.learn.replay.ledger import Ledger
from stepwell.learn.replay.readings import Readings
from stepwell.learn.replay.stage import Workbench, build_store, open_stage
from stepwell_bench.results import commit

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from stepwell.learn.cases import Case
    from stepwell.learn.replay.stage import Stage
    from stepwell_bench.datasets import Dataset, Question
    from stepwell_bench.scoring import Mode

__all__ = ["Prepared", "Setting", "blinded", "prepare"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What an experiment is about.

    Attributes:
        dataset: The data set.
        data: Its folder.
        state: Folder that keeps the store, the vectors and the readings between runs.
        budget: Tokens of a payload, at most.
        modes: Ways of asking.
        reward: `evidence` or `literal`.
        with_vectors: Whether meanings are searched.
        with_kind: Whether a policy sees the question's type, which a benchmark knows and a user's
            log does not.
        with_domain: Whether it sees what the run is about, which few logs say.
        episodes: A random sample of so many episodes; None for all.
        seed: Of the sample.
        workers: Processes that read.
    """

    dataset: Dataset
    data: Path
    state: Path
    budget: int = 4_000
    modes: tuple[Mode, ...] = ("stripped",)
    reward: str = "evidence"
    with_vectors: bool = True
    with_kind: bool = True
    with_domain: bool = True
    episodes: int | None = None
    seed: int = 0
    workers: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What an experiment works with.

    Attributes:
        readings: Tells what policies are worth.
        cases: The questions.
    """

    readings: Readings
    cases: tuple[Case, ...]


def prepare(
    setting: Setting, *, progress: Callable[[str, int, int], None] = lambda _w, _d, _t: None
) -> Prepared:
    """Build or open the store of a data set, and return its cases and what reads for them.

    The store bears the code's commit in its name: what is measured is the code as it stands, and
    only vectors are kept from one commit to the next. Close `readings` when done.

    Raises:
        NotFoundError: There is no such data.
        InvalidInputError: It is no such data set.
        ModelUnavailableError: Vectors are asked for and the local encoder is not installed.
    """
    bench = _bench(setting)
    build_store(bench, progress=progress)
    stage, pairs = open_cases(setting)
    stage.db.close()
    ledger = Ledger(
        path=setting.state / "readings.sqlite",
        code=f"{commit()}{'' if setting.with_vectors else ' words'}",
    )
    return Prepared(
        readings=Readings(
            bench=bench,
            ledger=ledger,
            reward=setting.reward,
            workers=setting.workers,
            progress=progress,
        ),
        cases=tuple(case for case, _ in pairs),
    )


def open_cases(setting: Setting) -> tuple[Stage, list[tuple[Case, Question]]]:
    """Open a store that is built, and return its stage and its cases with their questions."""
    stage = open_stage(_bench(setting))
    pairs = list(stage.cases(budget=setting.budget, modes=setting.modes))
    kept = _sampled([case for case, _ in pairs], setting)
    return stage, [
        (blinded(case, setting), question) for case, question in pairs if case.episode in kept
    ]


def _bench(setting: Setting) -> Workbench:
    return Workbench(
        dataset=setting.dataset,
        data=setting.data,
        store=setting.state / f"{setting.dataset}-{commit() or 'unknown'}.db",
        vectors=setting.state / "vectors.sqlite" if setting.with_vectors else None,
    )


def _sampled(cases: list[Case], setting: Setting) -> set[str]:
    names = sorted({case.episode for case in cases})
    if setting.episodes is None or setting.episodes >= len(names):
        return set(names)
    rng = np.random.default_rng(setting.seed)
    return set(rng.choice(names, setting.episodes, replace=False).tolist())


def blinded(case: Case, setting: Setting) -> Case:
    """Return a case without what a policy is not to see."""
    context = case.context
    if not setting.with_kind:
        context = replace(context, kind="")
    if not setting.with_domain:
        context = replace(context, domain="", task="")
    return replace(case, context=context)
