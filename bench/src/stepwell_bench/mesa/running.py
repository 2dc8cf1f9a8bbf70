"""Prepare an experiment: the store of a data set, its cases, and what reads for them."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path  # noqa: TC003  (sent to the workers)
from typing import TYPE_CHECKING

import numpy as np

from stepwell.encode.registry import default_encoder
from stepwell.errors import ModelUnavailableError
from stepwell.learn.replay.ledger import Ledger
from stepwell.learn.replay.readings import Readings
from stepwell.learn.replay.stage import Workbench, derive_views, open_stage, without_vectors
from stepwell.memory.memory import Memory
from stepwell.trajectory.questions import Question as Replayed
from stepwell_bench.datasets import load_episodes
from stepwell_bench.filling import encode_all, read_files
from stepwell_bench.mesa.strict import StrictMeasure
from stepwell_bench.results import commit
from stepwell_bench.vectorcache import CachedEncoder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from stepwell.learn.cases import Case
    from stepwell_bench.datasets import Dataset, Episode, Question
    from stepwell_bench.scoring import Mode

__all__ = [
    "Prepared",
    "Setting",
    "as_asked",
    "blinded",
    "case_id",
    "cases_of",
    "prepare",
    "sampled",
]


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
    bench = workbench(setting, load_episodes(setting.dataset, setting.data))
    build_store(setting, bench, progress=progress)
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
        cases=cases_of(setting, bench),
    )


def workbench(setting: Setting, episodes: Sequence[Episode]) -> Workbench:
    """Return where a data set's questions are replayed: each in each way of asking.

    A question without step numbers is the same in both ways, and comes once.
    """
    found: list[tuple[Episode, Question, Mode]] = [
        (episode, question, mode)
        for episode in episodes
        for question in episode.questions
        for mode in setting.modes
        if len(setting.modes) == 1 or mode == "as-asked" or question.bare != question.text
    ]
    literals = {case_id(question, mode): question.literals for _, question, mode in found}
    return Workbench(
        store=setting.state / f"{setting.dataset}-{commit() or 'unknown'}.db",
        questions=tuple(
            as_asked(question, mode, episode.trajectory.trajectory_id)
            for episode, question, mode in found
        ),
        open_encoder=_vectors(setting) if setting.with_vectors else without_vectors,
        measure=StrictMeasure(literals=literals),
    )


def cases_of(setting: Setting, bench: Workbench) -> tuple[Case, ...]:
    """Return the cases of a store that is built, as far as a policy may see them."""
    stage = open_stage(bench)
    found = [case for case, _ in stage.cases(budget=setting.budget)]
    stage.db.close()
    kept = _sampled(found, setting)
    return tuple(blinded(case, setting) for case in found if case.episode in kept)


def case_id(question: Question, mode: Mode) -> str:
    """Return the id of a question asked in one way."""
    return f"{question.id} {mode}"


def as_asked(question: Question, mode: Mode, trajectory: str) -> Replayed:
    """Return a question of a data set as it is asked in one way."""
    return Replayed(
        id=case_id(question, mode),
        text=question.text if mode == "as-asked" else question.bare,
        steps=question.gold,
        answer=question.answer,
        trajectory=trajectory,
        kind=question.kind,
        domain=question.domain,
    )


def build_store(
    setting: Setting,
    bench: Workbench,
    *,
    progress: Callable[[str, int, int], None] = lambda _w, _d, _t: None,
) -> None:
    """Read the data set into the store, and encode it, as far as that is not done yet."""
    with Memory(bench.store, encoder=None) as memory:
        episodes = load_episodes(setting.dataset, setting.data)
        known = {entry.trajectory_id for entry in memory.sessions()}
        fresh = (one.path for one in episodes if one.trajectory.trajectory_id not in known)
        read_files(memory, fresh, progress)
    derive_views(bench.store, progress=progress)
    if not setting.with_vectors:
        return
    with closing(_vectors(setting)()) as encoder, Memory(bench.store, encoder=encoder) as memory:
        encode_all(memory, progress)


def _vectors(setting: Setting) -> _OpenCached:
    return _OpenCached(setting.state / "vectors.sqlite")


@dataclass(frozen=True, slots=True)
class _OpenCached:
    """Opens the local encoder behind a file that keeps vectors between runs."""

    vectors: Path

    def __call__(self) -> CachedEncoder:
        found, why = default_encoder()
        if found is None:
            raise ModelUnavailableError(why, hint="Or leave vectors out.")
        return CachedEncoder(found, self.vectors)


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


def sampled(cases: Sequence[Case], n: int | None, *, seed: int) -> tuple[Case, ...]:
    """Return a random sample of cases in their order; all of them for None."""
    if n is None or n >= len(cases):
        return tuple(cases)
    drawn = np.sort(np.random.default_rng(seed).choice(len(cases), n, replace=False))
    return tuple(cases[int(place)] for place in drawn)
