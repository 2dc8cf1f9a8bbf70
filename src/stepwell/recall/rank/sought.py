"""Steps that an everyday question asks for: the first prompt, the last command, the next step."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from stepwell.recall.question import prepare
from stepwell.recall.rank.named import with_related
from stepwell.recall.rank.places import Named
from stepwell.store.facts import called_tools, live_steps, step_facts
from stepwell.store.read import load_head, step_passages
from stepwell.store.rowids import MAX_PLACES, number_of, rowid, step_of
from stepwell.text.languages import words_in
from stepwell.text.tools import (
    ACTIONS,
    FILE_CHANGES,
    READS,
    SHELLS,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from stepwell.store.database import Database
    from stepwell.store.facts import Which
    from stepwell.store.read import Entry
    from stepwell.structures.base import Structure, Within
    from stepwell.text.asked import Asked, What

__all__ = ["Sought", "sought_steps"]

_TRIED: Final = 8
"""Runs that are looked through for a step, the likeliest first."""

_HITS: Final = 400
_ALIKE: Final = 0.5
"""Share of the best score from which on a step is about the topic as well."""

_BESIDE: Final = 2
"""Steps shown on the side that is asked for."""

_INTRODUCING: Final = 3

_LIVE: Final[dict[What, Which]] = {
    "prompt": "asking",
    "error": "failed",
    "step": "live",
}
_PARTS: Final[dict[What, tuple[str, ...]]] = {
    "command": SHELLS,
    "edit": tuple(part for parts in FILE_CHANGES.values() for part in parts),
    "reply": ("finish", "submit", "final_answer"),
}
"""Parts of the names of tools whose calls are of a kind; any other kind is every call."""

_PLAN: Final = re.compile(r"todo|plan|task", re.IGNORECASE)
"""In the name of a tool that writes no file, though it says it writes."""

_READING: Final = re.compile(rf"(?:{'|'.join(ACTIONS)}): (?:{'|'.join(sorted(READS))})\b")
"""The call of a tool that edits, asked only to show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """Where a step is looked for.

    Attributes:
        db: The database.
        entries: The trajectories in scope.
        where: Where a search may look.
        words: Matches the words that tell which step is meant.
        question: The question itself, which is no evidence where it is the last prompt.
        within: Keys of the steps that lie in the time asked about; None for all.
    """

    db: Database
    entries: Sequence[Entry]
    where: Within
    words: Structure
    question: str
    within: Collection[int] | None = None

    def runs(self) -> list[tuple[int, int]]:
        """Return the spans of the runs, oldest first; of subagents only where nothing else is."""
        inner = {entry.number for entry in self.entries if entry.parent_id is not None}
        spans = [one for one in self.where.spans if number_of(one[0]) not in inner]
        spans = spans or list(self.where.spans)
        facts = step_facts(self.db, [first // MAX_PLACES for first, _ in spans])
        began = {key: one.time for key, one in facts.items()}
        unknown = datetime.min.replace(tzinfo=UTC)
        return sorted(spans, key=lambda one: (began.get(one[0] // MAX_PLACES) or unknown, one))

    def steps(self, rows: tuple[int, int], what: What) -> list[int]:
        """Return the keys of a run's steps of one kind."""
        number = number_of(rows[0])
        steps = self._of(rows, what)
        keys = [rowid(number, step) // MAX_PLACES for step in steps]
        return keys if self.within is None else [key for key in keys if key in self.within]

    def _of(self, rows: tuple[int, int], what: What) -> list[int]:
        if what in _LIVE:
            return live_steps(self.db, rows, which=_LIVE[what])
        tools = called_tools(self.db, rows)
        if what == "reply":
            ends = (step for step, calls in tools.items() if _is_of(calls, what))
            said = {*live_steps(self.db, rows, which="saying"), *ends}
            return sorted(said) or live_steps(self.db, rows, which="acting")[-1:]
        steps = [step for step, calls in tools.items() if _is_of(calls, what)]
        if steps or what == "edit":
            return steps
        # A run without a shell acts all the same, and one without calls writes them as text.
        return list(tools) or live_steps(self.db, rows, which="acting")

    def about(self, topic: str) -> dict[int, float]:
        """Return how well steps match a topic, by key."""
        ranking = self.words.search(
            prepare(with_related(topic), encoder=None), within=self.where, limit=_HITS
        )
        scores: dict[int, float] = {}
        for row, score in zip(ranking.rowids.tolist(), ranking.scores.tolist(), strict=True):
            key = row // MAX_PLACES
            scores[key] = max(scores.get(key, 0.0), score)
        return scores

    def texts(self, key: int) -> list[str]:
        """Return the texts of a step."""
        number, step = number_of(key * MAX_PLACES), step_of(key * MAX_PLACES)
        return [passage.text.strip() for _, passage in step_passages(self.db, number, step)]


def sought_steps(sought: Sought, asked: Asked) -> dict[int, Named]:
    """Return the steps asked for, by key, the one that is meant first; none where none is.

    Args:
        sought: Where they are looked for.
        asked: What is asked for.
    """
    if asked.what == "task":
        return _task(sought)
    if asked.side:
        return _beside(sought, asked)
    keys = _matching(sought, asked) if asked.topic else _ends(sought, asked)
    return _named(keys, f"the question asks for the {asked.pick} {asked.what}")


def _named(keys: Iterable[int], why: str) -> dict[int, Named]:
    return {
        key: Named(step=step_of(key * MAX_PLACES), why=why, rank=rank)
        for rank, key in enumerate(dict.fromkeys(keys))
    }


def _task(sought: Sought) -> dict[int, Named]:
    """Return the first prompt of the latest run, or what stands before its first act.

    A task that the log states outside its steps stands before the first of them.
    """
    run = next(iter(sought.runs()[::-1]), None)
    if run is None:
        return {}
    number, first = number_of(run[0]), run[0] // MAX_PLACES
    asking = sought.steps(run, "prompt")[:1]
    before = live_steps(sought.db, run, which="introducing")[:_INTRODUCING]
    keys = asking or [rowid(number, step) // MAX_PLACES for step in before]
    named = _named(keys, "it states the task")
    head = load_head(sought.db, number)
    task = "" if head is None else (head.task or "").strip()
    if not task or any(task in text for key in keys for text in sought.texts(key)):
        return named
    stated = Named(step=step_of(run[0]), why="its log states the task", rank=0, task=task)
    return {first: stated, **{key: one for key, one in named.items() if key != first}}


def _matching(sought: Sought, asked: Asked) -> list[int]:
    """Return the first or last step of a kind that is about the topic."""
    scores = sought.about(asked.topic)
    for run in _likeliest(sought.runs(), scores):
        steps = [key for key in sought.steps(run, asked.what) if key in scores]
        if steps:
            return [_picked(steps, scores, asked.pick)]
    return []


def _ends(sought: Sought, asked: Asked) -> list[int]:
    """Return the first or last step of a kind; of several runs also the latest one's first."""
    runs = sought.runs()
    latest = _found(sought, asked, runs[::-1])
    return latest[-1:] if asked.pick == "last" else _found(sought, asked, runs)[:1] + latest[:1]


def _found(sought: Sought, asked: Asked, runs: Sequence[tuple[int, int]]) -> list[int]:
    """Return the steps of the first run that has any of the kind, but for the question itself."""
    for run in runs[:_TRIED]:
        steps = sought.steps(run, asked.what)
        if steps and asked.what == "prompt" and sought.question in sought.texts(steps[-1]):
            steps = steps[:-1]
        if steps:
            return steps
    return []


def _beside(sought: Sought, asked: Asked) -> dict[int, Named]:
    """Return the steps before or after another one, nearest first, and that one."""
    found = _anchor(sought, asked)
    if found is None:
        return {}
    run, anchor = found
    steps = sought.steps(run, asked.what)
    if asked.side == "after":
        beside = [key for key in steps if key > anchor][:_BESIDE]
    else:
        beside = [key for key in steps if key < anchor][: -_BESIDE - 1 : -1]
    if not beside:
        return {}
    why = f"it stands {asked.side} step {step_of(anchor * MAX_PLACES)}"
    return _named([beside[0], anchor, *beside[1:]], why)


def _anchor(sought: Sought, asked: Asked) -> tuple[tuple[int, int], int] | None:
    """Return the step that another one stands beside, and the span of its run."""
    runs = sought.runs()
    if asked.anchor is not None:
        return next(
            (
                (run, run[0] // MAX_PLACES + asked.anchor - step_of(run[0]))
                for run in runs[::-1]
                if step_of(run[0]) <= asked.anchor <= step_of(run[1])
            ),
            None,
        )
    scores = sought.about(asked.beside)
    said = {word.concept for word in words_in(asked.beside)}
    # What failed is a step that failed, and what was run one that calls a tool, if there are any.
    kind: What = "error" if "error" in said else "call" if said & {"did", "command"} else "step"
    for run in _likeliest(runs, scores):
        for what in dict.fromkeys((kind, "step")):
            steps = [key for key in sought.steps(run, what) if key in scores]
            if steps:
                return run, _picked(steps, scores, asked.pick)
    return None


def _likeliest(
    runs: Sequence[tuple[int, int]], scores: Mapping[int, float]
) -> list[tuple[int, int]]:
    """Return the runs that hold what matches, the best match first, ties to the latest."""
    best: dict[int, float] = {}
    for key, score in scores.items():
        number = number_of(key * MAX_PLACES)
        best[number] = max(best.get(number, 0.0), score)
    held = [run for run in runs[::-1] if number_of(run[0]) in best]
    return sorted(held, key=lambda run: -best[number_of(run[0])])[:_TRIED]


def _picked(steps: Sequence[int], scores: Mapping[int, float], pick: str) -> int:
    """Return the best step, or the first or last of those that match nearly as well."""
    best = max(scores[key] for key in steps)
    if pick == "best":
        return next(key for key in steps if scores[key] == best)
    alike = [key for key in steps if scores[key] >= _ALIKE * best]
    return alike[0] if pick == "first" else alike[-1]


def _is_of(calls: Iterable[tuple[str, str]], what: What) -> bool:
    """Tell whether a step that calls these tools is of a kind, by their names."""
    parts = _PARTS.get(what, ("",))
    return any(
        any(part in name.lower() for part in parts)
        and not (what == "edit" and (_PLAN.search(name) or _READING.match(text)))
        for name, text in calls
    )
