"""Answers computed from a log: what was asked, exactly, one line each, the most useful first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from stepwell.structures.temporal.actions import (
    actions,
    counted,
    supposed,
    when,
)
from stepwell.structures.temporal.ask import Wish
from stepwell.structures.temporal.counts import frequencies, interactions
from stepwell.structures.temporal.lines import done_line
from stepwell.structures.temporal.states import (
    changes_between,
    durations,
    histories,
    inventory,
    states,
    timelines,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from stepwell.structures.temporal.ask import Asked
    from stepwell.structures.temporal.lines import Line
    from stepwell.structures.temporal.log import Log

__all__ = ["answer"]

_MOST = 160
"""Lines of an answer: what is more than a reading may give."""

_AROUND = 1
"""Steps on each side of one that is named alone."""

_COMPUTED: Final[dict[Wish, Callable[[Log, Asked], list[Line]]]] = {
    Wish.STATE: states,
    Wish.HISTORY: histories,
    Wish.INVENTORY: inventory,
    Wish.CHANGES: changes_between,
    Wish.DURATION: durations,
    Wish.ACTIONS: actions,
    Wish.COUNT: counted,
    Wish.FREQUENCY: frequencies,
    Wish.OBJECTS: interactions,
    Wish.WHEN: when,
    Wish.SUPPOSE: supposed,
}


def answer(log: Log, asked: Asked) -> list[Line]:
    """Return the lines that answer a question, the most useful first.

    A question that nothing can be computed for gets the timelines of what it names, or the rows of
    the steps it names and those beside them.
    """
    if not log.n_steps:
        return []
    found = _COMPUTED[asked.wish](log, asked) if asked.wish is not None else []
    if not found and asked.keys:
        found = timelines(log, asked)
    if not found and asked.bounds.said:
        found = rows(log, asked)
    if not asked.is_sure:
        found = [replace(one, is_answer=False) for one in found]
    return found[:_MOST]


def rows(log: Log, asked: Asked) -> list[Line]:
    """Return what was done and what changed at the steps a question names and beside them."""
    bounds = asked.bounds
    if bounds.points:
        steps = {p + d for p in bounds.points for d in range(-_AROUND, _AROUND + 1)}
    else:
        last = log.n_steps - 1 if bounds.last is None else bounds.last
        steps = set(range(bounds.first - _AROUND, min(last, bounds.first + _MOST) + _AROUND + 1))
    return [
        done_line(log, place, is_answer=False)
        for place, done in enumerate(log.done)
        if done.step in steps
    ]
