"""The temporal structure of stored trajectories: a log per trajectory, and questions put to it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from stepwell.store.rowids import rowid
from stepwell.structures.base import Note, Traits
from stepwell.structures.derived import Derived, Deriving, parts_of
from stepwell.structures.sparse import sparse_ranking
from stepwell.structures.temporal.answers.answer import answer
from stepwell.structures.temporal.grammar.questions import read_question
from stepwell.structures.temporal.log.extract import extract
from stepwell.structures.temporal.log.facts import Facts
from stepwell.structures.temporal.log.log import Log

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.store.database import Database
    from stepwell.structures.base import Query, Ranking, Within
    from stepwell.structures.derived import Part
    from stepwell.structures.temporal.answers.lines import Line
    from stepwell.structures.temporal.grammar.questions import LogQuery

__all__ = ["DERIVING", "Temporal"]

DERIVING: Final[Deriving[Facts, Log]] = Deriving(
    structure="temporal", version="6", type=Facts, extract=extract, start=Log
)
"""How the structure sees steps; the version goes up whenever `extract` says something else."""

_MOST_TRAJECTORIES = 8
"""Trajectories a question is put to: over more, their lines would say little of each."""

_BASE, _STEP = 1.0, 0.5
"""Score of a step in an answer and of one in context; earlier lines score up to as much again."""


@dataclass(slots=True)
class Temporal:
    """What was done and what held at each step, and answers computed of it."""

    name = "temporal"
    tokens = 3_700
    traits = Traits(why="the state log names it")
    db: Database
    _derived: Derived[Facts, Log] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._derived = Derived(self.db, DERIVING)

    def save(self) -> None:
        """Store what was read within a transaction, in which nothing could be stored."""
        self._derived.save()

    def signals(self, query: Query, *, within: Within) -> dict[str, float]:
        """Return how many things and steps a question names, and whether it asks to compute.

        Args:
            query: The question.
            within: Where it looks; the first trajectory tells.
        """
        parts = parts_of(within)[:1]
        log = self._derived.view(parts[0]) if parts else Log()
        asked = _asked(query, log)
        bounds = asked.bounds
        n_named = len(bounds.points) or (bounds.last is not None) + (bounds.first > 0)
        return {
            "temporal.slots": float(len(asked.keys)),
            "temporal.asks": float(asked.is_sure),
            "temporal.steps": float(n_named),
        }

    def search(self, query: Query, *, within: Within, limit: int) -> Ranking:
        """Return the steps that an answer is computed from, and the answer.

        A step scores 1 for a line of an answer and ½ for one of context, and more the earlier its
        first line stands: s = base · (1 + 1 / (1 + rank)).
        """
        scores: dict[int, float] = {}
        notes: list[Note] = []
        told = [self._told(query, part) for part in parts_of(within)[:_MOST_TRAJECTORIES]]
        # That a run has none says little where another has some.
        has_some = any(lines and not lines[0].is_none for _, lines in told)
        for part, lines in told:
            if has_some and lines and lines[0].is_none:
                continue
            notes += _notes(lines, part)
            _score(scores, lines, part, self._derived.view(part))
        n_answers = sum(note.is_answer for note in notes)
        return replace(
            sparse_ranking(self, scores, n_passages=within.n_passages, limit=limit),
            notes=tuple(notes),
            comment=f"{n_answers} lines computed from the log" if n_answers else "",
        )

    def _told(self, query: Query, part: Part) -> tuple[Part, list[Line]]:
        log = self._derived.view(part)
        return part, answer(log, _asked(query, log))


def _asked(query: Query, log: Log) -> LogQuery:
    return read_question(
        query.asked or query.text, log.names, log.verbs, programs=log.programs, acts=log.acts
    )


def _notes(lines: Sequence[Line], part: Part) -> list[Note]:
    shown = sorted(range(len(lines)), key=lambda place: _order(lines[place], place))
    places = {place: n for n, place in enumerate(shown)}
    return [
        Note(
            number=part.number,
            text=one.text,
            steps=one.steps,
            place=places[place],
            quote=one.quote,
            is_answer=one.is_answer,
        )
        for place, one in enumerate(lines)
    ]


def _order(one: Line, place: int) -> tuple[int, int, int]:
    """Return where a line is shown: what is said of no single step first, rows in their order."""
    return (0, place, 0) if not one.quote and len(one.steps) != 1 else (1, one.steps[0], place)


def _score(scores: dict[int, float], lines: Sequence[Line], part: Part, log: Log) -> None:
    for rank, one in enumerate(lines):
        base = _BASE if one.is_answer else _STEP
        for step in one.steps:
            if step not in log.silent:
                row = rowid(part.number, step)
                scores[row] = max(scores.get(row, 0.0), base * (1 + 1 / (1 + rank)))
