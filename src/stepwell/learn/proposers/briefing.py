"""What a language model is told of a search, so that it can propose the next policy."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from stepwell.chat.base import asked
from stepwell.learn.tables import structures_of
from stepwell.learn.ucb import DIRECTIONS, bounds, means
from stepwell.policy.cues import CUES, cues_of
from stepwell.policy.files import PolicyFile, dumps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from stepwell.chat.base import Message
    from stepwell.learn.archive import Candidate
    from stepwell.learn.cases import Case, Evaluation
    from stepwell.learn.proposers.base import Task

__all__ = ["briefing"]

_FAILURES: Final = 8
_SHOWN: Final = 4
"""Policies shown in full, the best ones; of the others, what came of them."""

_LISTED: Final = 30
_QUESTION_CHARS: Final = 400
_NO_DIRECTION: Final = "In whatever way you find best."


def briefing(task: Task, cases: Sequence[Case]) -> tuple[Message, ...]:
    """Return the messages that ask a model for the next policy.

    Questions are quoted as JSON without angle brackets, so that none can leave its place.

    Args:
        task: What is to be proposed.
        cases: Training cases, for what there is to read and to see.
    """
    signals = sorted({name for case in cases for name in case.context.signals})
    said = _template().substitute(
        structures=", ".join(structures_of(cases)),
        penalty=f"{task.penalty:g}",
        budget=int(np.median([case.context.budget for case in cases])) if cases else 0,
        direction=_NO_DIRECTION if task.direction is None else DIRECTIONS[task.direction],
        repair=_repair(task),
        arms=_arms(task),
        archive="\n\n".join(_archive(task)),
        failures="\n".join(_failures(task)),
        cues=", ".join(CUES),
        signals=", ".join(signals) or "none here",
    )
    return asked(said.strip())


def _repair(task: Task) -> str:
    if task.cluster is None:
        return ""
    return f"Repair these failures above all: {_quoted(str(task.cluster))}\n"


def _arms(task: Task) -> str:
    if task.direction is None:
        return "There are none."
    prior = task.candidates[0].objective(task.penalty)
    mean, bound = means(task.arms, prior=prior), bounds(task.arms, prior=prior)
    return "\n".join(
        f"- {name}: {arm.n} policies, mean objective {mean[name]:.4f}, bound {bound[name]:.4f}"
        for name, arm in task.arms.items()
    )


def _archive(task: Task) -> Iterator[str]:
    ranked = sorted(task.candidates, key=lambda one: -one.objective(task.penalty))
    for place, one in enumerate(ranked[:_LISTED]):
        if place < _SHOWN and one.policy is not None and one.evaluation is not None:
            yield f"{_outcome(one, task)}\n{_slices(one.evaluation)}\n{_source(one)}"
        else:
            yield _outcome(one, task)


def _outcome(one: Candidate, task: Task) -> str:
    head = f"- {one.role} {one.iteration} ({one.direction or 'no direction'}): {one.description}"
    if one.evaluation is None:
        return _quoted(f"{head}; refused: {one.refused}")
    found = one.evaluation
    numbers = f"J {found.reward:.4f}, C {found.cost:.0f}, {one.objective(task.penalty):.4f}"
    return _quoted(f"{head}; {numbers}")


def _slices(found: Evaluation) -> str:
    """Return the mean reward by domain and kind."""
    groups: dict[str, list[float]] = {}
    for case, reward in zip(found.cases, found.rewards, strict=True):
        slice_ = f"{case.context.domain or 'unknown'} / {case.context.kind or 'unknown'}"
        groups.setdefault(slice_, []).append(float(reward))
    return _quoted("; ".join(f"{name} {np.mean(groups[name]):.3f}" for name in sorted(groups)))


def _source(one: Candidate) -> str:
    assert one.policy is not None  # noqa: S101  (only such are shown)
    return _quoted(dumps(PolicyFile(name="shown", policy=one.policy)))


def _failures(task: Task) -> Iterator[str]:
    """Yield the worst cases of the current policy, those to repair before others; no answers."""
    found = task.current.evaluation
    if found is None:
        return
    wanted = frozenset(() if task.cluster is None else task.cluster.members)
    known = np.flatnonzero(found.weights > 0)
    order = sorted(known, key=lambda place: (place not in wanted, found.rewards[place]))
    for place in order[:_FAILURES]:
        yield _quoted(json.dumps(_failure(found, int(place)), sort_keys=True))


def _failure(found: Evaluation, place: int) -> dict[str, Any]:
    case = found.cases[place]
    return {
        "question": case.question[:_QUESTION_CHARS],
        "cues": sorted(cues_of(case.question)),
        "domain": case.context.domain,
        "kind": case.context.kind,
        "steps": case.context.n_steps,
        "signals": {name: round(value, 3) for name, value in case.context.signals.items()},
        "read": list(found.chosen[place]),
        "reward": round(float(found.rewards[place]), 3),
        "tokens": round(float(found.tokens[place])),
    }


def _quoted(text: str) -> str:
    return text.replace("</", "<\\/").replace("<data", "<\\data")


@cache
def _template() -> Template:
    file = files("stepwell.learn") / "prompts" / "propose.txt"
    return Template(file.read_text(encoding="utf-8"))
