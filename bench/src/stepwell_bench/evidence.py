"""The evidence benchmark: how much of the known evidence fits a token budget.

Every question is asked of one episode's trajectory, as asked and without its step numbers, at
several budgets; Stepwell and the baselines are scored alike (`scoring`). The store is built anew
in each run, so that what is measured is the code as it stands; only vectors are kept.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from stepwell.store.database import open_database
from stepwell.store.read import entries, trajectory_passages
from stepwell.store.scope import Scope
from stepwell.store.vectors import encoder_number, load_vectors
from stepwell.text.tokens import counter
from stepwell_bench.baselines import (
    Lexical,
    Page,
    fused,
    nearest,
    pack,
    pack_evenly,
    page_of,
)
from stepwell_bench.changes import Change, changes
from stepwell_bench.filling import Sample, filled_sample
from stepwell_bench.gauge import gauge_of
from stepwell_bench.published import Figure, figures
from stepwell_bench.results import OURS, Cell, Gap, commit, gaps, summarise
from stepwell_bench.scoring import outcome, shown_by_evidence, shown_by_packing
from stepwell_bench.support import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from stepwell.encode.base import Encoder
    from stepwell.memory.memory import Memory
    from stepwell.store.database import Database
    from stepwell.text.tokens import TokenCounter
    from stepwell.trajectory.model import Trajectory
    from stepwell_bench.datasets import Episode, Question
    from stepwell_bench.filling import Filled
    from stepwell_bench.gauge import Gauge
    from stepwell_bench.scoring import Mode, Outcome, Shown
    from stepwell_bench.support import Reading

__all__ = ["BUDGETS", "Plan", "Report", "run"]

BUDGETS = (500, 1000, 2000, 4000)
"""Tokens per payload."""

SCHEMA = 2
"""Version of the result file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Sample):
    """What to run.

    Attributes:
        budgets: Tokens per payload.
        clips: How much of one step a baseline shows: tokens, or None for whole steps.
        short_clips: Tokens of one step that BM25 shows as a control beside these: so short that
            it touches many steps, and says little.
        against: Outcomes of an earlier run to compare with.
    """

    budgets: tuple[int, ...] = BUDGETS
    clips: tuple[int | None, ...] = (None, 400, 100)
    short_clips: tuple[int, ...] = (50, 30, 20)
    against: tuple[Outcome, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a run found; the result file holds exactly this.

    Attributes:
        violations: By method, how often which rule was broken; empty means none.
        notices: What limits the run, such as vectors being off.
        changes: Against the outcomes of an earlier run, where those were given.
    """

    schema: int
    benchmark: str
    dataset: str
    created: str
    commit: str
    seed: int
    encoder: str | None
    tokenizer: str
    budgets: tuple[int, ...]
    n_episodes: int
    n_questions: int
    violations: dict[str, dict[str, int]]
    notices: tuple[str, ...]
    cells: tuple[Cell, ...]
    gaps: tuple[Gap, ...]
    changes: tuple[Change, ...]
    published: tuple[Figure, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stage:
    """An opened store with one episode's view of it."""

    memory: Memory
    episode: Episode
    trajectory: Trajectory
    pages: Sequence[Page]
    readings: Sequence[Reading]
    lexical: Lexical
    steps: NDArray[np.int64]
    vectors: NDArray[np.float32]
    encoder: Encoder | None
    counter: TokenCounter


def run(
    plan: Plan,
    *,
    encoder: Encoder | None,
    now: datetime,
    progress: Callable[[str, int, int], None] = lambda _what, _done, _total: None,
) -> tuple[Report, list[Outcome]]:
    """Run the benchmark.

    Args:
        plan: What to run.
        encoder: Encodes passages and questions; None leaves vectors and their baselines out.
        now: The time of the run, UTC.
        progress: Called with what is done, how much of it, and out of how much.

    Returns:
        The report, and the outcome of every question, for a closer look.
    """
    at = commit()  # now: on a long run the checkout may move on
    rng = np.random.default_rng(plan.seed)
    with filled_sample(plan, rng=rng, encoder=encoder, progress=progress) as (episodes, filled):
        outcomes = list(_outcomes(plan, episodes, filled, progress))
    return _report(plan, episodes, outcomes, encoder=encoder, now=now, at=at), outcomes


def _outcomes(
    plan: Plan,
    episodes: Sequence[Episode],
    filled: Filled,
    progress: Callable[[str, int, int], None],
) -> Iterator[Outcome]:
    db = open_database(filled.path)
    for number, episode in enumerate(episodes):
        progress("episodes asked", number, len(episodes))
        stage = _stage(plan, filled.memory, db, episode, filled.encoder)
        for question in episode.questions:
            yield from _ask(plan, stage, question)
    db.close()
    progress("episodes asked", len(episodes), len(episodes))


def _stage(
    plan: Plan, memory: Memory, db: Database, episode: Episode, encoder: Encoder | None
) -> _Stage:
    name = episode.trajectory.trajectory_id
    trajectory = memory.trajectory(name)
    steps, vectors = _vectors(db, name, encoder)
    pages = [page_of(step) for step in trajectory.steps]
    return _Stage(
        memory=memory,
        episode=episode,
        trajectory=trajectory,
        pages=pages,
        readings=[read(page.text) for page in pages],
        lexical=Lexical(trajectory.steps),
        steps=steps,
        vectors=vectors,
        encoder=encoder,
        counter=counter(plan.tokenizer),
    )


def _vectors(
    db: Database, name: str, encoder: Encoder | None
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the step of each encoded passage, and its vector."""
    if encoder is None:
        return np.empty(0, dtype=np.int64), np.empty((0, 0), dtype=np.float32)
    (entry,) = entries(db, Scope(trajectory=name))
    number = encoder_number(db, encoder.encoder_id, dimension=encoder.dimension)
    ids, vectors = load_vectors(db, number, entry.number, dimension=encoder.dimension)
    step_of = {row: passage.step for row, passage in trajectory_passages(db, entry.number)}
    return np.asarray([step_of[int(row)] for row in ids], dtype=np.int64), vectors


def _ask(plan: Plan, stage: _Stage, question: Question) -> Iterator[Outcome]:
    gauge = gauge_of(
        question,
        steps=stage.readings,
        texts=[page.text for page in stage.pages],
        counter=stage.counter,
    )
    asked = list(_outcomes_of(plan, stage, question, gauge=gauge, mode="as-asked"))
    yield from asked
    if question.bare == question.text:
        yield from (replace(one, mode="stripped") for one in asked)
    else:
        yield from _outcomes_of(plan, stage, question, gauge=gauge, mode="stripped")


def _outcomes_of(
    plan: Plan, stage: _Stage, question: Question, *, gauge: Gauge, mode: Mode
) -> Iterator[Outcome]:
    text = question.text if mode == "as-asked" else question.bare
    rankings = _rankings(stage, text)
    for budget in plan.budgets:
        shown_by = chain(
            _shown(plan, stage, rankings, text=text, budget=budget),
            _limits(stage, question, budget=budget),
        )
        for method, shown in shown_by:
            found = outcome(
                question,
                shown,
                episode=stage.trajectory.trajectory_id,
                mode=mode,
                budget=budget,
                method=method,
            )
            yield gauge.measured(found, shown)


def _shown(
    plan: Plan, stage: _Stage, rankings: dict[str, list[int]], *, text: str, budget: int
) -> Iterator[tuple[str, Shown]]:
    scope = Scope(trajectory=stage.trajectory.trajectory_id)
    evidence = stage.memory.recall(text, budget, scope=scope)
    ours = shown_by_evidence(evidence, trajectory=stage.trajectory, counter=stage.counter)
    yield OURS, ours
    clips = [
        (f"{name}-{'whole' if clip is None else clip}", name, clip)
        for name in rankings
        for clip in (*plan.clips, *(plan.short_clips if name == "bm25" else ()))
    ]
    for method, name, clip in [*clips, ("bm25-own", "bm25", _own_clip(ours, stage.counter))]:
        packed = pack(rankings[name], stage.pages, budget=budget, counter=stage.counter, clip=clip)
        yield method, shown_by_packing(packed, budget=budget)


def _own_clip(ours: Shown, counter: TokenCounter) -> int:
    """Return how many tokens of a step Stepwell shows on average; 1 if it shows none."""
    sizes = [counter.count(text) for text in ours.quoted.values()]
    return max(1, round(sum(sizes) / len(sizes))) if sizes else 1


def _limits(stage: _Stage, question: Question, *, budget: int) -> Iterator[tuple[str, Shown]]:
    """Yield what the gold steps themselves score, and what a payload without any."""
    for method, steps in (("gold", question.gold), ("nothing", ())):
        packed = pack_evenly(steps, stage.pages, budget=budget, counter=stage.counter)
        yield method, shown_by_packing(packed, budget=budget)


def _rankings(stage: _Stage, text: str) -> dict[str, list[int]]:
    lexical = stage.lexical.ranked(text)
    if stage.encoder is None:
        return {"bm25": lexical}
    query = stage.encoder.encode([text])[0]
    cosine = nearest(query, stage.vectors, steps=stage.steps)
    both = fused(stage.lexical.matching(text), cosine)
    return {"bm25": lexical, "cosine": cosine, "rrf": both}


def _report(
    plan: Plan,
    episodes: Sequence[Episode],
    outcomes: Sequence[Outcome],
    *,
    encoder: Encoder | None,
    now: datetime,
    at: str,
) -> Report:
    notices = [] if encoder is not None else ["vectors are off: lexical search only"]
    if plan.episodes is not None:
        notices.append(f"a sample of {len(episodes)} episodes, seed {plan.seed}")
    return Report(
        schema=SCHEMA,
        benchmark="evidence",
        dataset=plan.dataset,
        created=now.isoformat(timespec="seconds"),
        commit=at,
        seed=plan.seed,
        encoder=None if encoder is None else encoder.encoder_id,
        tokenizer=plan.tokenizer,
        budgets=plan.budgets,
        n_episodes=len(episodes),
        n_questions=sum(len(episode.questions) for episode in episodes),
        violations=_violations(outcomes),
        notices=tuple(notices),
        cells=tuple(summarise(outcomes, seed=plan.seed, draws=plan.draws)),
        gaps=tuple(gaps(outcomes, seed=plan.seed, draws=plan.draws)),
        changes=tuple(changes(outcomes, plan.against, seed=plan.seed, draws=plan.draws)),
        published=figures(plan.dataset),
    )


def _violations(outcomes: Sequence[Outcome]) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = {}
    for one in outcomes:
        if one.violations:
            found.setdefault(one.method, Counter()).update(one.violations)
    return {method: dict(counts) for method, counts in found.items()}
