"""Answers about what was done: which actions, in order, and the rows of single steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.structures.temporal.answers.lines import Line, done_line, line_over
from stepwell.structures.temporal.answers.selection import end_of, inside, naming, running, said
from stepwell.structures.temporal.answers.states import MOST_ROWS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from stepwell.structures.temporal.grammar.questions import LogQuery
    from stepwell.structures.temporal.log.log import Log

__all__ = ["actions", "rows"]

_MOST_NAMES = 4
_AROUND = 1
"""Steps on each side of one that is named alone."""

_MOST_STEPS = 160
"""Steps of which rows are given."""


def actions(log: Log, query: LogQuery) -> list[Line]:
    """Return which actions were performed, in order, and how many those are."""
    keys = _known(log, query)
    if query.keys and not (keys or query.bounds.said):
        return []
    places = naming(log, _candidates(log, query, keys), keys, each=False)
    places = running(log, places, query.programs)
    steps = sorted({log.done[place].step for place in places})
    run = "".join(f"{log.programs.shown[key]} " for key in query.programs)
    lead = f"{run}actions{_on(log, keys)}{said(query)}: {len(places) or 'none'}"
    found = [done_line(log, place) for place in places[:MOST_ROWS]]
    return [line_over(lead, steps, otherwise=end_of(log, query)), *found]


def _known(log: Log, query: LogQuery) -> list[str]:
    """Return the things named that anything was done to."""
    return [key for key in query.keys if key in log.by_object]


def _on(log: Log, keys: Sequence[str]) -> str:
    names = ", ".join(log.names.shown[key] for key in keys[:_MOST_NAMES])
    return f" on {names}" if names else ""


def _candidates(log: Log, query: LogQuery, keys: Collection[str]) -> list[int]:
    """Return the actions that count: upon things at a single step, all up to that step."""
    points = query.bounds.points
    if not keys or len(points) != 1:
        return inside(log, query)
    return [
        place
        for place, done in enumerate(log.done)
        if done.step <= points[0] and (query.with_moves or not done.act.moves)
    ]


def rows(log: Log, query: LogQuery) -> list[Line]:
    """Return what was done and what changed at the steps a question names and beside them."""
    bounds = query.bounds
    steps = {point + by for point in bounds.points for by in range(-_AROUND, _AROUND + 1)}
    if not bounds.points:
        last = log.n_steps - 1 if bounds.last is None else bounds.last
        end = min(last, bounds.first + _MOST_STEPS) + _AROUND
        steps = set(range(bounds.first - _AROUND, end + 1))
    return [
        done_line(log, place, is_answer=False)
        for place, done in enumerate(log.done)
        if done.step in steps
    ]
