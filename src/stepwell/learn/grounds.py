"""What there is to learn on: questions with known evidence, or what was said of recalls."""

from __future__ import annotations

import hashlib
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from stepwell import __version__
from stepwell.config import chat_model, open_encoder
from stepwell.errors import InvalidInputError
from stepwell.learn.feedback import read_feedback
from stepwell.learn.reader import AnswerReward, ByWords
from stepwell.learn.records import write_records
from stepwell.learn.replay.answers import open_answering
from stepwell.learn.replay.ledger import Ledger
from stepwell.learn.replay.readings import Readings
from stepwell.learn.replay.stage import Workbench, derive_views, open_stage
from stepwell.learn.run import Ground, policy_in_use
from stepwell.policy.kinds import All
from stepwell.store.replies import CachedChat

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from stepwell.config import Settings
    from stepwell.learn.cases import Case
    from stepwell.learn.replay.answers import Answering
    from stepwell.learn.run import Plan
    from stepwell.memory.memory import Memory
    from stepwell.store.read import Entry
    from stepwell.store.scope import Scope
    from stepwell.trajectory.questions import Question

__all__ = ["Replay", "about_runs", "ground_of_feedback", "ground_of_questions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """How questions are replayed.

    Attributes:
        questions: About runs of the memory; see `about_runs`.
        scope: Where the runs are looked up.
        name: What the questions are called in the policy's origin.
        reward: `evidence`, `literal`, or `answer`, for which a model answers.
        budget: Tokens of a recall.
        sample: A random sample of so many questions, where a model answers them; None for all.
        workers: Processes that read.
        progress: Called with what is done, how much of it, and out of how much.
        say: Called with what a person should know.
    """

    questions: Sequence[Question]
    scope: Scope
    name: str
    reward: Literal["evidence", "literal", "answer"] = "evidence"
    budget: int = 4_000
    sample: int | None = None
    workers: int = 2
    progress: Callable[[str, int, int], None] = lambda _what, _done, _total: None
    say: Callable[[str], None] = lambda _text: None


def about_runs(
    questions: Sequence[Question], runs: Sequence[Entry]
) -> tuple[tuple[Question, ...], tuple[str, ...]]:
    """Return the questions that runs can answer, each with its run and an id, and why others not.

    Args:
        questions: As a file holds them.
        runs: The runs in scope.

    Raises:
        InvalidInputError: No question is about any of these runs.
    """
    lengths = {run.trajectory_id: run.n_steps for run in runs}
    only = next(iter(lengths)) if len(lengths) == 1 else None
    kept: dict[str, Question] = {}
    left_out: list[str] = []
    for place, question in enumerate(questions, start=1):
        name = question.trajectory or only
        label = question.id or f"line {question.line or place}"
        if name is None:
            left_out.append(f"{label}: it names no trajectory, and there are {len(lengths)}")
        elif name not in lengths:
            left_out.append(f"{label}: {name} is not in this memory")
        elif question.steps[-1] >= lengths[name]:
            left_out.append(f"{label}: {name} has {lengths[name]} steps")
        elif label in kept:
            left_out.append(f"{label}: another question has this id")
        else:
            kept[label] = replace(question, id=label, trajectory=name)
    if not kept:
        raise InvalidInputError(
            f"None of {len(questions)} questions is about a run of this memory"
            + (f" ({left_out[0]})." if left_out else "."),
            hint="`stepwell add` the logs first; a question's trajectory has the id that "
            "`stepwell sessions` shows.",
        )
    return tuple(kept.values()), tuple(left_out)


@contextmanager
def ground_of_questions(plan: Plan, replayed: Replay, chosen: Settings) -> Generator[Ground]:
    """Open what tells the worth of policies by replaying questions over a memory's runs.

    Args:
        plan: How a policy is learned.
        replayed: The questions, and how they are replayed.
        chosen: The settings: the database, its encoder and, for answers, its model.

    Raises:
        InvalidInputError: The memory is in no file, which other processes could read.
        ModelUnavailableError: A model is to answer, and cannot be asked.
    """
    if chosen.db is None:
        raise InvalidInputError(
            "A memory that is in no file cannot be learned on.", hint="Give --db FILE."
        )
    model = chat_model(chosen) if replayed.reward == "answer" else None
    bench = Workbench(
        store=chosen.db,
        questions=tuple(replayed.questions),
        scope=replayed.scope,
        open_encoder=partial(open_encoder, chosen),
    )
    derive_views(bench.store, scope=bench.scope, progress=replayed.progress)
    cases = _cases(bench, budget=replayed.budget)
    about: dict[str, str | int | float] = {
        "data": replayed.name,
        "reward": replayed.reward,
        "budget": replayed.budget,
        "code": _code(bench, cases),
    }
    if model is None:
        readings = Readings(
            bench=bench,
            ledger=Ledger(path=plan.state / "readings.sqlite", code=str(about["code"])),
            reward=replayed.reward,
            workers=replayed.workers,
            progress=replayed.progress,
        )
        with closing(readings):
            yield _ground(readings, cases, about, reach=3)
        return
    asked = _sampled(cases, replayed.sample, seed=plan.seed)
    with closing(CachedChat(model, plan.state / "answers.sqlite")) as cached:
        reward = AnswerReward(cached, ByWords())
        answering = open_answering(bench, reward)
        answering.progress = lambda: replayed.progress("answers", 1, 0)
        with closing(answering.stage.db):
            yield _ground(answering, asked, about, reach=1)  # a model takes seconds for each
        write_records(reward.records, plan.state / "answers.jsonl")
    if answering.n_failed:
        replayed.say(f"{answering.n_failed} replies were no answers; they count for nothing.")


def ground_of_feedback(
    plan: Plan, memory: Memory, chosen: Settings, *, say: Callable[[str], None] = lambda _text: None
) -> Ground:
    """Return what tells the worth of policies by what was said of a memory's own recalls.

    Raises:
        InvalidInputError: No recall was rewarded.
    """
    feedback = read_feedback(memory.recalls())
    if feedback.n_unread:
        say(f"{feedback.n_unread} recalls cannot be read; not counted.")
    return Ground(
        evaluator=feedback,
        guide=replace(feedback, least=0.0),
        cases=feedback.cases,
        start=policy_in_use(plan.name, chosen).policy,
        about={"data": "feedback", "recalls": len(feedback.cases), "code": __version__},
        with_controls=False,
    )


def _ground(
    evaluator: Readings | Answering,
    cases: Sequence[Case],
    about: dict[str, str | int | float],
    *,
    reach: int,
) -> Ground:
    return Ground(
        evaluator=evaluator,
        guide=evaluator,
        cases=cases,
        start=All(),
        about=about,
        with_controls=True,
        reach=reach,
    )


def _cases(bench: Workbench, *, budget: int) -> tuple[Case, ...]:
    """Return the questions as cases, without their types: a memory does not know these."""
    stage = open_stage(bench)
    with closing(stage.db):
        return tuple(
            replace(case, context=replace(case.context, kind=""))
            for case, _ in stage.cases(budget=budget)
        )


def _sampled(cases: Sequence[Case], n: int | None, *, seed: int) -> Sequence[Case]:
    if n is None or n >= len(cases):
        return cases
    drawn = np.sort(np.random.default_rng(seed).choice(len(cases), n, replace=False))
    return [cases[int(place)] for place in drawn]


def _code(bench: Workbench, cases: Sequence[Case]) -> str:
    """Return a word that changes with whatever readings depend on: code, questions, runs."""
    said = repr([replace(one, line=0) for one in bench.questions])
    seen = repr(
        [(case.context.n_steps, case.context.n_tokens, case.context.available) for case in cases]
    )
    digest = hashlib.sha256(f"{said}\0{seen}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"{__version__} {digest[:12]}"
