"""The learn command: open what there is to learn on, learn, show it, install what is better."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from stepwell.config import open_memory
from stepwell.errors import InvalidInputError
from stepwell.formats.redaction import redact_values
from stepwell.learn.grounds import Replay, about_runs, ground_of_feedback, ground_of_questions
from stepwell.learn.install import install_better, told
from stepwell.learn.run import learn
from stepwell.policy.files import dumps
from stepwell.serve.documents.learning import learned_document
from stepwell.serve.render import print_json, print_table, print_text, progress, say
from stepwell.store.scope import Scope
from stepwell.trajectory.questions import read_questions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from stepwell.config import Settings
    from stepwell.learn.run import Ground, Learned, Plan

__all__ = ["finish", "learn_from_feedback", "learn_from_questions", "replay_of"]

_NAMED = 3
"""Questions left out that are named one by one."""


def replay_of(path: Path, chosen: Settings, *, scope: dict[str, str]) -> Replay:
    """Return the questions of a file that are about runs of the memory, ready to be replayed.

    Raises:
        NotFoundError: There is no such memory.
        InvalidInputError: The file cannot be read, or holds no question about any of its runs.
    """
    try:
        # What is asked of a model is kept with its reply, so no credential may be in a question.
        read, _ = redact_values(read_questions(path.read_bytes()))
    except OSError as error:
        raise InvalidInputError(
            f"{path} cannot be read: {error.strerror}.",
            hint="--questions takes a file of JSON lines; --sample takes a number of questions.",
        ) from error
    with open_memory(chosen, scope=scope, must_exist=True, log_recalls=False) as memory:
        questions, left_out = about_runs(read.all, memory.sessions())
    _say_left_out((*read.skipped, *left_out))
    return Replay(questions=questions, scope=Scope(**scope), name=path.name, say=say)


def learn_from_questions(plan: Plan, replayed: Replay, chosen: Settings) -> Learned:
    """Learn from questions whose evidence is known.

    Raises:
        StepwellError: As `stepwell.learn.grounds` and `stepwell.learn.run` do.
    """
    with progress("preparing") as advance:

        def tell(what: str, done: int, _total: int | None) -> None:
            advance(f"{what} {done}", n=0)

        watched = replace(replayed, progress=tell)
        with ground_of_questions(plan, watched, chosen) as ground:
            return _learned(plan, ground, chosen)


def learn_from_feedback(plan: Plan, chosen: Settings, *, scope: dict[str, str]) -> Learned:
    """Learn from what was said of the answers to a memory's own recalls.

    Raises:
        InvalidInputError: No recall was rewarded, or too few to split.
        PolicyError: Too few recalls tell anything of the policy in use, or of the one learned.
        ModelUnavailableError: A model is needed and cannot be asked.
    """
    with open_memory(chosen, scope=scope, must_exist=True) as memory:
        return _learned(plan, ground_of_feedback(plan, memory, chosen, say=say), chosen)


def finish(learned: Learned, chosen: Settings, *, as_json: bool) -> None:
    """Print what was learned, and install it if it is better than the policy in use.

    Raises:
        PolicyError: It is not better, or cannot be written.
    """
    in_use = learned.test.against[0]
    if as_json:
        print_json(learned_document(learned))
    else:
        _print(learned)
    path = install_better(learned.file, in_use, chosen.policies)
    say(f"Installed as {path}: {told(in_use)}.")
    say(f"Use it with STEPWELL_POLICY={learned.file.name}, or --policy {learned.file.name}.")


def _learned(plan: Plan, ground: Ground, chosen: Settings) -> Learned:
    with progress("learning") as advance:
        return learn(plan, ground, chosen, progress=advance)


def _say_left_out(reasons: Sequence[str]) -> None:
    for reason in reasons[:_NAMED]:
        say(f"left out: {reason}")
    if len(reasons) > _NAMED:
        say(f"left out: {len(reasons) - _NAMED} more")


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
