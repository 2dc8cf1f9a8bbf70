"""The absence benchmark: does a recall say so when nothing in memory supports the question?

Answerable questions are asked of their own run, without step numbers; so are questions that it
cannot answer: those of other runs, LoCoMo's adversarial ones (what one speaker did, asked of the
other), and made-up ones (`absurd`). A false "nothing" is an answerable question that is told that
nothing, or little, supports it, a false "something" one without an answer that is not told so. A
question is refused where nothing is quoted besides. The curve says what each floor would do: for
each share q of false "nothing" it takes the highest threshold on `Evidence.support` below which at
most q of the answerable questions are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.stats.bootstrap import Interval, bootstrap_mean
from stepwell.store.scope import Scope
from stepwell_bench.absurd import ABSURD
from stepwell_bench.filling import Sample, filled_sample
from stepwell_bench.results import commit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from stepwell.encode.base import Encoder
    from stepwell.memory.memory import Memory
    from stepwell.recall.evidence import Evidence
    from stepwell_bench.datasets import Episode, Question

__all__ = [
    "ANSWERABLE",
    "AbsencePlan",
    "AbsenceReport",
    "Group",
    "Point",
    "Reply",
    "curve",
    "run_absence",
    "says_nothing",
]

SCHEMA = 2
"""Version of the result file."""

ANSWERABLE = "answerable"
_ELSEWHERE = "of another run"
_SAME_DOMAIN = "of another run, same domain"
_ADVERSARIAL = "adversarial"
_ABSURD = "absurd"

_NOTHING = "nothing in memory"
"""Begins the line of a payload that says so."""

_ADVERSARIAL_KIND = "category 5"

_FALSE_NOTHING = (0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsencePlan(Sample):
    """What to run.

    Attributes:
        budget: Tokens per payload.
        others: Questions of other runs that each run is asked.
    """

    budget: int = 800
    others: int = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back for one question.

    Attributes:
        text: The question.
        episode: The run it was asked of.
        group: Whether there is an answer, or why there is none.
        told: Whether the payload says that nothing, or little, supports the question.
        refused: Whether it quotes nothing besides.
        support: How well the evidence supports it, where the recall says so.
        tokens: Tokens of the payload.
    """

    text: str
    episode: str
    group: str
    told: bool
    refused: bool
    support: float | None
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Questions of one kind: the shares told and refused, and tokens spent, by episode."""

    name: str
    told: Interval
    refused: Interval
    tokens: Interval
    most_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One floor: what it tells wrongly, and by group what it lets through."""

    threshold: float
    false_nothing: float
    false_something: dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsenceReport:
    """What a run found; the result file holds exactly this.

    Attributes:
        notices: What limits the run.
        groups: What the recall did, by kind of question.
        curve: What other floors would do.
    """

    schema: int
    benchmark: str
    dataset: str
    created: str
    commit: str
    seed: int
    encoder: str | None
    tokenizer: str
    budget: int
    n_episodes: int
    notices: tuple[str, ...]
    groups: tuple[Group, ...]
    curve: tuple[Point, ...]


def run_absence(
    plan: AbsencePlan,
    *,
    encoder: Encoder | None,
    now: datetime,
    progress: Callable[[str, int, int], None] = lambda _what, _done, _total: None,
) -> tuple[AbsenceReport, list[Reply]]:
    """Run the benchmark.

    Args:
        plan: What to run.
        encoder: Encodes passages and questions; None leaves vectors out.
        now: The time of the run, UTC.
        progress: Called with what is done, how much of it, and out of how much.

    Returns:
        The report, and the reply to every question.
    """
    at = commit()
    rng = np.random.default_rng(plan.seed)
    with filled_sample(plan, rng=rng, encoder=encoder, progress=progress) as (episodes, filled):
        replies: list[Reply] = []
        for number, episode in enumerate(episodes):
            progress("episodes asked", number, len(episodes))
            asked = [*_own(episode), *_others(plan, episodes, episode, rng), *_made_up()]
            replies += _replies(plan, filled.memory, episode, asked)
        progress("episodes asked", len(episodes), len(episodes))
    notices = [] if encoder is not None else ["vectors are off: lexical search only"]
    if plan.episodes is not None:
        notices.append(f"a sample of {len(episodes)} episodes, seed {plan.seed}")
    report = AbsenceReport(
        schema=SCHEMA,
        benchmark="absence",
        dataset=plan.dataset,
        created=now.isoformat(timespec="seconds"),
        commit=at,
        seed=plan.seed,
        encoder=None if encoder is None else encoder.encoder_id,
        tokenizer=plan.tokenizer,
        budget=plan.budget,
        n_episodes=len(episodes),
        notices=tuple(notices),
        groups=tuple(_groups(replies, seed=plan.seed, draws=plan.draws)),
        curve=curve(replies),
    )
    return report, replies


def _own(episode: Episode) -> Iterator[tuple[str, str]]:
    """Yield the group and text of each question about a run."""
    for question in episode.questions:
        yield _ADVERSARIAL if question.kind == _ADVERSARIAL_KIND else ANSWERABLE, question.bare


def _others(
    plan: AbsencePlan, episodes: Sequence[Episode], episode: Episode, rng: np.random.Generator
) -> Iterator[tuple[str, str]]:
    """Yield questions about other runs, drawn at random; none that this one is asked as well."""
    domain = episode.questions[0].domain
    known = {question.bare for question in episode.questions}
    pool: list[Question] = [
        question
        for other in episodes
        for question in other.questions
        if other is not episode and question.bare not in known
    ]
    for place in rng.permutation(len(pool))[: plan.others]:
        question = pool[int(place)]
        yield _SAME_DOMAIN if question.domain == domain else _ELSEWHERE, question.bare


def _made_up() -> Iterator[tuple[str, str]]:
    for text in ABSURD:
        yield _ABSURD, text


def _replies(
    plan: AbsencePlan, memory: Memory, episode: Episode, asked: Sequence[tuple[str, str]]
) -> Iterator[Reply]:
    name = episode.trajectory.trajectory_id
    for group, text in asked:
        evidence = memory.recall(text, plan.budget, scope=Scope(trajectory=name))
        refused = says_nothing(evidence)
        yield Reply(
            text=text,
            episode=name,
            group=group,
            # Versions of Stepwell without a floor are measured as well, and state none.
            told=refused or bool(getattr(evidence, "absence", "")),
            refused=refused,
            support=getattr(evidence, "support", None),
            tokens=evidence.tokens,
        )


def says_nothing(evidence: Evidence) -> bool:
    """Return whether a payload quotes nothing and says that nothing in memory is about this."""
    return not evidence.items and _NOTHING in evidence.text.lower()


def _groups(replies: Sequence[Reply], *, seed: int, draws: int) -> Iterator[Group]:
    for name in dict.fromkeys(reply.group for reply in replies):
        found = [reply for reply in replies if reply.group == name]
        episodes = [reply.episode for reply in found]
        told, refused, tokens = (
            bootstrap_mean(values, episodes, rng=np.random.default_rng(seed), n=draws)
            for values in (
                [r.told for r in found],
                [r.refused for r in found],
                [r.tokens for r in found],
            )
        )
        yield Group(
            name=name,
            told=told,
            refused=refused,
            tokens=tokens,
            most_tokens=max(reply.tokens for reply in found),
        )


def curve(replies: Sequence[Reply]) -> tuple[Point, ...]:
    """Return what floors on `support` would do: a question below the threshold is told so.

    Args:
        replies: Those to answerable questions, and to others; without any of the first, or where
            recalls state no support, there is no curve.
    """
    stated: dict[str, list[float]] = {}
    for reply in replies:
        if reply.support is not None:
            stated.setdefault(reply.group, []).append(reply.support)
    by_group = {name: np.asarray(values) for name, values in stated.items()}
    answerable = np.sort(by_group.pop(ANSWERABLE, np.empty(0)))
    points: dict[float, Point] = {}
    for share in _FALSE_NOTHING if len(answerable) else ():
        threshold = float(answerable[int(share * len(answerable))])
        points[threshold] = Point(
            threshold=threshold,
            false_nothing=float(np.mean(answerable < threshold)),
            false_something={
                name: float(np.mean(values >= threshold)) for name, values in by_group.items()
            },
        )
    return tuple(points.values())
