"""The learn command: search for a policy, judge it on held-out questions, install a better one."""

from __future__ import annotations

from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from stepwell.chat.cache import CachedChat
from stepwell.config import chat_model
from stepwell.errors import NotFoundError
from stepwell.learn.archive import Archive
from stepwell.learn.controls import controls
from stepwell.learn.feedback import read_feedback
from stepwell.learn.held_out import hold_out
from stepwell.learn.install import install_better, policy_file, told
from stepwell.learn.proposers.guide import SUBJECTS, Guide
from stepwell.learn.proposers.model import ModelProposer
from stepwell.learn.proposers.offline import OfflineProposer
from stepwell.learn.reader import AnswerReward, ByWords
from stepwell.learn.records import write_records
from stepwell.learn.replay.answers import open_answering
from stepwell.learn.search import PENALTY, Search, SearchOptions
from stepwell.learn.split import split_cases
from stepwell.policy.files import dumps
from stepwell.policy.kinds import All
from stepwell.policy.registry import find
from stepwell.serve.render import print_json, print_table, print_text, progress, say
from stepwell_bench.mesa.running import prepare
from stepwell_bench.results import commit

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence
    from pathlib import Path

    from stepwell.config import Settings
    from stepwell.learn.archive import Candidate
    from stepwell.learn.cases import Case, Evaluator
    from stepwell.learn.held_out import HeldOut
    from stepwell.learn.search import SearchResult
    from stepwell.memory.memory import Memory
    from stepwell.policy.base import Policy
    from stepwell.policy.files import PolicyFile
    from stepwell.policy.kinds import Kind
    from stepwell.serve.render import Advance
    from stepwell_bench.mesa.running import Setting

__all__ = ["Learned", "Learning", "finish", "learn_from_data", "learn_from_feedback"]

_ROUNDS: Final[Mapping[str, int]] = {"model": 10, "offline": 40}
_PATIENCE: Final = 8
"""Rounds without a better policy after which the offline proposer has said what it knows."""

_CURRENT: Final = "the policy in use"

_How: TypeAlias = Literal["offline", "model"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """What `stepwell learn` was asked.

    Attributes:
        name: Of the policy to learn.
        state: Folder that keeps what was done, so that an interrupted run goes on.
        proposer: What proposes policies: `offline` or `model`.
        iterations: Rounds of the search; None for what the proposer needs.
        seed: Of the split and the search.
        penalty: λ, in reward per token.
        model_tokens: Most tokens of the model that proposes.
        questions: A random sample of so many questions, where a model answers them; None for all.
    """

    name: str
    state: Path
    proposer: _How
    iterations: int | None
    seed: int
    penalty: float = PENALTY
    model_tokens: int = 1_000_000
    questions: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What was learned.

    Attributes:
        file: The policy.
        found: How the search went.
        test: The policy on held-out cases, against the one in use first, then controls.
    """

    file: PolicyFile
    found: SearchResult
    test: HeldOut


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ground:
    """What is learned on.

    Attributes:
        evaluator: Tells the worth of policies, and refuses what it cannot tell.
        guide: Tells the worth of parts of them on training cases.
        cases: All cases.
        start: Where the search starts.
        about: What the rewards depend on.
        with_controls: Whether controls can be evaluated.
        reach: Structures of the largest subsets measured in any case.
    """

    evaluator: Evaluator
    guide: Evaluator
    cases: Sequence[Case]
    start: Kind
    about: Mapping[str, str | int | float]
    with_controls: bool
    reach: int = 2  # from a log, larger ones are seldom known


def learn_from_data(asked: Learning, setting: Setting, chosen: Settings) -> Learned:
    """Learn from a data set.

    Args:
        asked: What was asked.
        setting: The data set, and how it is read.
        chosen: The settings of this process.

    Raises:
        NotFoundError: There is no such data.
        InvalidInputError: It cannot be used, or is too little.
        ModelUnavailableError: A model is needed and cannot be asked.
    """
    about: dict[str, str | int | float] = {
        "data": setting.dataset,
        "reward": setting.reward,
        "budget": setting.budget,
        "commit": commit(),
    }
    with _opened(asked, setting, chosen) as (evaluator, cases):
        ground = _Ground(
            evaluator=evaluator,
            guide=evaluator,
            cases=cases,
            start=All(),
            about=about,
            with_controls=True,
            reach=1 if setting.reward == "answer" else 3,  # a model takes seconds for each
        )
        return _learned(asked, ground, chosen)


@contextmanager
def _opened(
    asked: Learning, setting: Setting, chosen: Settings
) -> Generator[tuple[Evaluator, Sequence[Case]]]:
    """Open what tells the worth of policies on a data set, and its cases."""
    model = chat_model(chosen) if setting.reward == "answer" else None
    shown = replace(setting, reward="evidence") if model else setting
    with progress("preparing") as advance:
        ready = prepare(shown, progress=lambda what, _done, _total: advance(what, n=0))
    if model is None:
        with closing(ready.readings):
            yield ready.readings, ready.cases
        return
    ready.readings.close()
    grader = ByWords("locomo-f1" if setting.dataset == "locomo" else "f1")
    with closing(CachedChat(model, asked.state / "answers.sqlite")) as cached:
        reward = AnswerReward(cached, grader)
        answering, cases = open_answering(setting, reward, questions=asked.questions)
        with progress("answers") as advance, closing(answering.stage.db):
            answering.progress = lambda: advance("answers", n=1)
            yield answering, cases
        write_records(reward.records, asked.state / "answers.jsonl")
    if answering.n_failed:
        say(f"{answering.n_failed} replies were no answers; they count for nothing.")


def learn_from_feedback(asked: Learning, memory: Memory, chosen: Settings) -> Learned:
    """Learn from what was said of the answers to a memory's own recalls.

    Raises:
        InvalidInputError: No recall was rewarded, or too few to split.
        PolicyError: Too few recalls tell anything of the policy in use, or of the one learned.
        ModelUnavailableError: A model is needed and cannot be asked.
    """
    feedback = read_feedback(memory.recalls())
    if feedback.n_unread:
        say(f"{feedback.n_unread} recalls cannot be read; not counted.")
    ground = _Ground(
        evaluator=feedback,
        guide=replace(feedback, least=0.0),
        cases=feedback.cases,
        start=_current(asked, chosen).policy,
        about={"data": "feedback", "recalls": len(feedback.cases), "commit": commit()},
        with_controls=False,
    )
    return _learned(asked, ground, chosen)


def finish(learned: Learned, chosen: Settings, *, as_json: bool) -> None:
    """Print what was learned, and install it if it is better than the policy in use.

    Raises:
        PolicyError: It is not better, or cannot be written.
    """
    in_use = learned.test.against[0]
    if as_json:
        document = {"policy": dumps(learned.file), "test": learned.test, "beats": in_use.beats}
        print_json({**document, "curve": learned.found.curve, "stopped": learned.found.stopped})
    else:
        _print(learned)
    path = install_better(learned.file, in_use, chosen.policies)
    say(f"Installed as {path}: {told(in_use)}.")
    say(f"Use it with STEPWELL_POLICY={learned.file.name}, or --policy {learned.file.name}.")


def _learned(asked: Learning, ground: _Ground, chosen: Settings) -> Learned:
    split = split_cases(ground.cases, seed=asked.seed)
    current = _current(asked, chosen)
    search = _search(asked, ground, chosen, split.train, split.validation)
    rounds = search.options.iterations
    with Archive(asked.state / "search.sqlite") as archive, progress("learning") as advance:
        found = search(archive, progress=_telling(advance, rounds))
    others: dict[str, Policy] = {_CURRENT: current}
    if ground.with_controls:
        seen = (*split.train, *split.validation)
        others |= controls(
            ground.evaluator, seen, penalty=asked.penalty, seed=asked.seed, largest=ground.reach
        )
    test = hold_out(
        ground.evaluator, found.policy, others, split.test, penalty=asked.penalty, seed=asked.seed
    )
    origin = {
        **ground.about,
        "seed": asked.seed,
        "penalty": asked.penalty,
        "proposer": search.proposer.name,
        "validation_objective": found.curve[-1],
        "held_out_gain": test.against[0].objective_difference.mean,
    }
    file = policy_file(found.policy, name=asked.name, parent=current, origin=origin)
    return Learned(file=file, found=found, test=test)


def _search(
    asked: Learning,
    ground: _Ground,
    chosen: Settings,
    train: Sequence[Case],
    validation: Sequence[Case],
) -> Search:
    by_model = asked.proposer == "model"
    guide = Guide(
        evaluator=ground.guide,
        cases=train,
        penalty=asked.penalty,
        reach=ground.reach,
        subjects=SUBJECTS - {"kind"},  # a memory does not know the types of its questions
    )
    return Search(
        evaluator=ground.evaluator,
        validation=validation,
        proposer=ModelProposer(model=chat_model(chosen), cases=train)
        if by_model
        else OfflineProposer(guide=guide),
        options=SearchOptions(
            iterations=asked.iterations or _ROUNDS[asked.proposer],
            penalty=asked.penalty,
            seed=asked.seed,
            most_model_tokens=asked.model_tokens if by_model else None,
            patience=None if by_model else _PATIENCE,
        ),
        start=ground.start,
        about=ground.about,
    )


def _current(asked: Learning, chosen: Settings) -> PolicyFile:
    """Return the policy in use: the newest of this name, else the one the settings name."""
    folders = (chosen.policies,)
    try:
        return find(asked.name, folders)
    except NotFoundError:
        return find(chosen.policy, folders)


def _telling(advance: Advance, rounds: int) -> Callable[[int, Candidate, float], None]:
    """Return what tells a progress display the round and the best objective so far."""

    def tell(iteration: int, candidate: Candidate, best: float) -> None:
        advance(f"round {iteration} of {rounds}, {candidate.role}: {best:.4f}")

    return tell


def _print(learned: Learned) -> None:
    best, test = learned.found.best, learned.test
    print_text(dumps(learned.file))
    print_text(
        f"{len(learned.found.archive)} policies tried ({learned.found.stopped}); this one is of "
        f"round {best.iteration}: {best.description}"
    )
    print_text(
        f"Held out, {test.n_cases} questions of {test.n_episodes} episodes: reward "
        f"{test.reward:.4f} at {test.tokens:.0f} tokens, J - λC {test.objective:.4f}"
    )
    print_table(
        ("against", "reward", "tokens", "J - λC", "gain", "95 % interval", "p", "better"),
        [
            (
                one.name,
                f"{one.reward:.4f}",
                f"{one.tokens:.0f}",
                f"{one.objective:.4f}",
                f"{one.objective_difference.mean:+.4f}",
                f"{one.objective_difference.low:+.4f} to {one.objective_difference.high:+.4f}",
                f"{one.p:.2g}",
                "yes" if one.beats else "no",
            )
            for one in test.against
        ],
    )
