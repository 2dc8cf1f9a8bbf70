"""Tokens at the same evidence: flat packing against the allocation by rank, question by question.

CTMC's paper reports 24.48 % fewer prompt tokens on LongMemEval at the accuracy of its answers. Here
no model answers: what stands for its accuracy is which gold steps are shown, whether the words of
the gold answer are, and whether the whole answer is. Flat packing gets a budget B and shows whole
steps in order of rank; the controller gets a share of B. Its controls get that share, too: equal
parts for all ranks, ranks shuffled, ranks reversed, and flat packing itself.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final
from zlib import crc32

import numpy as np

from stepwell.recall.allocation import Allocation
from stepwell.store.scope import Scope
from stepwell.text.tokens import counter
from stepwell_bench.ctmc.figures import Claim  # noqa: TC001  (msgspec resolves it)
from stepwell_bench.ctmc.orders import Reordered, WholeSteps
from stepwell_bench.ctmc.tokenstats import (
    CONTROLS,
    FLAT,
    OURS,
    WHOLE,
    Asked,
    Contrast,
    Mean,
    claims,
    contrasts,
    means,
)
from stepwell_bench.evidence import BUDGETS
from stepwell_bench.filling import Sample, filled_sample
from stepwell_bench.gold import answer_words, holds_answer, words_shown
from stepwell_bench.results import commit
from stepwell_bench.scoring import outcome, shown_by_evidence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from stepwell.encode.base import Encoder
    from stepwell.memory.memory import Memory
    from stepwell.recall.allocation import Allocator
    from stepwell.text.tokens import TokenCounter
    from stepwell.trajectory.model import Trajectory
    from stepwell_bench.datasets import Dataset, Episode, Question
    from stepwell_bench.scoring import Mode

__all__ = ["BUDGETS", "PAPER_SAVING", "SEVERAL", "SHARE", "TokenPlan", "TokenReport", "run_tokens"]

PAPER_SAVING: Final = 0.2448
"""CTMC's saving of prompt tokens on LongMemEval."""

SHARE: Final = 0.72
"""Of flat's budget: leaves room below the 75 % that the claim allows."""

SEVERAL: Final[Mapping[Dataset, str | None]] = {
    "ama-bench": None,
    "locomo": "multi-hop",
    "longmemeval": "multi-session",
}
"""The type of questions whose evidence lies in several sessions."""

_SCHEMA: Final = 1

_KINDS: Final = {
    "category 1": "multi-hop",
    "category 2": "temporal",
    "category 3": "open-domain",
    "category 4": "single-hop",
    "category 5": "adversarial",
}
"""LoCoMo's categories: not in the order of its paper, but as its evaluation code treats them, and
as its authors list them (github.com/snap-research/locomo, issue 29)."""

_UNSHARED: Final = frozenset({FLAT, WHOLE})


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPlan(Sample):
    """What to run.

    Attributes:
        budgets: Flat's budgets in tokens.
        share: The share of them that the controller gets.
    """

    budgets: tuple[int, ...] = BUDGETS
    share: float = SHARE


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenReport:
    """What a run found; the result file holds exactly this.

    Attributes:
        published: The paper's saving.
        violations: By arm, how often which rule was broken; empty means none.
        notices: What limits the run.
    """

    schema: int
    name: str
    dataset: str
    created: str
    commit: str
    seed: int
    encoder: str | None
    tokenizer: str
    budgets: tuple[int, ...]
    share: float
    n_episodes: int
    n_questions: int
    published: float
    violations: dict[str, dict[str, int]]
    notices: tuple[str, ...]
    means: tuple[Mean, ...]
    contrasts: tuple[Contrast, ...]
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stage:
    """A filled memory, one episode of it, and who counts."""

    memory: Memory
    trajectory: Trajectory
    counter: TokenCounter


def run_tokens(
    plan: TokenPlan,
    *,
    encoder: Encoder | None,
    now: datetime,
    progress: Callable[[str, int, int], None] = lambda _what, _done, _total: None,
) -> tuple[TokenReport, list[Asked]]:
    """Ask every question in every arm, and compare.

    Args:
        plan: What to run.
        encoder: Encodes passages and questions; None searches by words alone.
        now: The time of the run, UTC.
        progress: Called with what is done, how much of it, and out of how much.

    Returns:
        The report, and what each arm showed for each question.

    Raises:
        NotFoundError: There is no such folder.
        InvalidInputError: It holds nothing of the data set.
    """
    at = commit()
    rng = np.random.default_rng(plan.seed)
    with filled_sample(plan, rng=rng, encoder=encoder, progress=progress) as (episodes, filled):
        rows = list(_rows(plan, episodes, filled.memory, progress))
    return _report(plan, episodes, rows, encoder=encoder, now=now, at=at), rows


def _arms(plan: TokenPlan, question: Question) -> dict[str, Allocator]:
    drawn = crc32(f"{plan.seed} {question.id}".encode())  # ranks are shuffled anew for each one
    return {
        FLAT: WholeSteps(),
        WHOLE: Allocation(),
        OURS: Allocation(),
        CONTROLS[0]: Allocation(tau=0.0, score_weight=0.0),
        CONTROLS[1]: Reordered(order="shuffled", seed=drawn),
        CONTROLS[2]: Reordered(order="reversed"),
        CONTROLS[3]: WholeSteps(),
    }


def _rows(
    plan: TokenPlan,
    episodes: Sequence[Episode],
    memory: Memory,
    progress: Callable[[str, int, int], None],
) -> Iterator[Asked]:
    tokens = counter(plan.tokenizer)
    for number, episode in enumerate(episodes):
        progress("episodes asked", number, len(episodes))
        stored = memory.trajectory(episode.trajectory.trajectory_id)
        stage = _Stage(memory=memory, trajectory=stored, counter=tokens)
        for question in episode.questions:
            yield from _asked(plan, stage, question)
    progress("episodes asked", len(episodes), len(episodes))


def _asked(plan: TokenPlan, stage: _Stage, question: Question) -> Iterator[Asked]:
    rows = list(_in_all_arms(plan, stage, question, mode="as-asked", text=question.text))
    yield from rows
    if plan.dataset != "ama-bench":  # only its questions name steps
        return
    if question.bare == question.text:
        yield from (replace(row, mode="stripped") for row in rows)
    else:
        yield from _in_all_arms(plan, stage, question, mode="stripped", text=question.bare)


def _in_all_arms(
    plan: TokenPlan, stage: _Stage, question: Question, *, mode: Mode, text: str
) -> Iterator[Asked]:
    episode = stage.trajectory.trajectory_id
    scope = Scope(trajectory=episode)
    arms = _arms(plan, question)
    for budget in plan.budgets:
        for arm, allocation in arms.items():
            granted = budget if arm in _UNSHARED else round(plan.share * budget)
            evidence = stage.memory.recall(text, granted, scope=scope, allocation=allocation)
            shown = shown_by_evidence(evidence, trajectory=stage.trajectory, counter=stage.counter)
            found = outcome(
                question,
                shown,
                episode=scope.trajectory or "",
                mode=mode,
                budget=budget,
                method=arm,
            )
            whole = holds_answer(shown.text, question.answer)
            yield Asked(
                question=found.question,
                episode=found.episode,
                kind=_KINDS.get(found.kind, found.kind),
                mode=mode,
                budget=budget,
                arm=arm,
                tokens=found.tokens,
                recall=found.recall,
                literals=found.literals,
                words=words_shown(answer_words(question.answer, question.text), shown.text),
                match=None if whole is None else float(whole),
                violations=found.violations,
            )


def _report(
    plan: TokenPlan,
    episodes: Sequence[Episode],
    rows: Sequence[Asked],
    *,
    encoder: Encoder | None,
    now: datetime,
    at: str,
) -> TokenReport:
    found = contrasts(rows, seed=plan.seed, draws=plan.draws)
    return TokenReport(
        schema=_SCHEMA,
        name="ctmc-longmemeval" if plan.dataset == "longmemeval" else f"ctmc-tokens-{plan.dataset}",
        dataset=plan.dataset,
        created=now.isoformat(timespec="seconds"),
        commit=at,
        seed=plan.seed,
        encoder=None if encoder is None else encoder.encoder_id,
        tokenizer=plan.tokenizer,
        budgets=plan.budgets,
        share=plan.share,
        n_episodes=len(episodes),
        n_questions=sum(len(episode.questions) for episode in episodes),
        published=PAPER_SAVING,
        violations=_violations(rows),
        notices=tuple(_notices(plan, len(episodes), encoder)),
        means=tuple(means(rows, seed=plan.seed, draws=plan.draws)),
        contrasts=tuple(found),
        claims=tuple(claims(found, several=SEVERAL[plan.dataset])),
    )


def _notices(plan: TokenPlan, n_episodes: int, encoder: Encoder | None) -> Iterator[str]:
    yield (
        "No model answers here. Gold steps shown, the answer's words, and its whole text in what "
        "is shown stand for the paper's accuracy of answers."
    )
    if plan.dataset != "longmemeval":
        yield (
            f"The paper's {PAPER_SAVING:.2%} is of LongMemEval; {plan.dataset} stands in for it. "
            "`bench ctmc longmemeval` takes the official files."
        )
    if encoder is None:
        yield "vectors are off: lexical search only"
    if plan.episodes is not None:
        yield f"a sample of {n_episodes} episodes, seed {plan.seed}"


def _violations(rows: Sequence[Asked]) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = {}
    for row in rows:
        if row.violations:
            found.setdefault(row.arm, Counter()).update(row.violations)
    return {arm: dict(counts) for arm, counts in found.items()}
