"""Answers about how something came about: histories, the inventory, changes, timelines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.structures.temporal.answers.lines import (
    Line,
    change_line,
    in_order,
    line,
    line_over,
)
from stepwell.structures.temporal.answers.selection import end_of, until_said
from stepwell.structures.temporal.answers.states import MOST_ROWS, MOST_SLOTS, state_lines
from stepwell.structures.temporal.grammar.states import AGENT, INVENTORY, LOCATION, cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from stepwell.structures.temporal.grammar.questions import LogQuery
    from stepwell.structures.temporal.log.entries import Change, Passing
    from stepwell.structures.temporal.log.log import Log

__all__ = ["changes_between", "histories", "inventory", "timelines"]

_ACT = 160
"""Characters of an action in a line."""

_LAST_STEPS = 8
"""Steps that the line of what is carried names."""


def histories(log: Log, query: LogQuery) -> list[Line]:
    """Return what each thing named has become, with each change that led there."""
    return [one for key in query.keys[:MOST_SLOTS] for one in _history(log, key, query)]


def _history(log: Log, key: str, query: LogQuery) -> list[Line]:
    if key not in log.slots and key not in log.passings:
        return []
    last = end_of(log, query)
    changes = _changes(log, key, query)
    passings = [one for one in _passings(log, key, query) if not one.change.is_seen]
    name = log.names.shown[key]
    rows = [change_line(log, one) for one in changes[-MOST_ROWS:]]
    rows += _passing_lines(log, name, passings)
    held = state_lines(log, key, last, only_place=False) if rows else []
    made = [*changes, *(one.change for one in passings)]
    return [_lead(log, f"changes of {name}", made, query), *held, *in_order(rows)]


def _lead(log: Log, label: str, changes: Iterable[Change], query: LogQuery) -> Line:
    """Return the line that says how many changes were made; what was only seen is none."""
    steps = [one.step for one in changes if not one.is_seen]
    text = f"{label}{until_said(log, query)}: {len(steps) or 'no change'}"
    return line_over(text, sorted(set(steps)), otherwise=end_of(log, query))


def _changes(log: Log, key: str, query: LogQuery) -> list[Change]:
    """Return the changes of a thing that count; those of its place if only these are wanted."""
    found = log.changes(key, query.bounds.first, end_of(log, query))
    places = [one for one in found if one.aspect == LOCATION] if query.only_place else []
    return places or found


def _passings(log: Log, key: str, query: LogQuery) -> list[Passing]:
    first, last = query.bounds.first, end_of(log, query)
    return [one for one in log.passings.get(key, ()) if first <= one.change.step <= last]


def _passing_lines(log: Log, holder: str, passings: Sequence[Passing]) -> list[Line]:
    return [_passing_line(log, holder, one) for one in passings[-MOST_ROWS:]]


def _passing_line(log: Log, holder: str, passing: Passing) -> Line:
    change = passing.change
    what = f"{holder}: {change.slot} {'added' if passing.comes else 'removed'}"
    moved = f"{change.before or '?'} -> {change.value}"
    if change.done < 0:
        return line(f"seen: {what} ({moved})", (change.step,))
    act = log.done[change.done].act
    return line(f"{cut(act.text, _ACT)} => {what} ({moved})", (change.step,), quote=act.quote)


def inventory(log: Log, query: LogQuery) -> list[Line]:
    """Return what was carried after the last step that counts, and how that came about."""
    if INVENTORY not in log.passings:
        return []
    last = end_of(log, query)
    passings = log.passings[INVENTORY]
    steps = sorted({one.change.step for one in passings if one.change.step <= last})
    inside = _passings(log, INVENTORY, query)
    lead = f"changes of the inventory{until_said(log, query)}: {len(inside) or 'no change'}"
    shown = ", ".join(map(log.names.shown.__getitem__, log.held(INVENTORY, last))) or "empty"
    rows = _passing_lines(log, INVENTORY, inside)
    return [
        line_over(lead, steps, otherwise=last),
        line(f"inventory at s{last}: {shown}", steps[-_LAST_STEPS:] or (last,)),
        *in_order(rows),
    ]


def changes_between(log: Log, query: LogQuery) -> list[Line]:
    """Return what changed between two steps, and which action changed it."""
    first, last = min(query.bounds.points, default=query.bounds.first), end_of(log, query)
    found = _changes_between(log, query, first, last)
    if not found and not query.is_sure:
        return []
    steps = sorted({change.step for change in found})
    lead = f"changes from s{first} to s{last}: {len(found) or 'no change'}"
    rows = [change_line(log, change) for change in found[:MOST_ROWS]]
    return [line_over(lead, steps, otherwise=last), *rows]


def _changes_between(log: Log, query: LogQuery, first: int, last: int) -> list[Change]:
    """Return the changes of the things named, else of all but the agent, in the order of steps."""
    named = [key for key in query.keys if key in log.slots]
    keys = named or filter(AGENT.__ne__, log.slots)
    found = [one for key in keys for one in log.changes(key, first, last) if not one.is_seen]
    return sorted(found, key=lambda change: change.step)


def timelines(log: Log, query: LogQuery) -> list[Line]:
    """Return all that is known of the things named, newest first."""
    first, last = query.bounds.first, end_of(log, query)
    found = [
        change_line(log, one, is_answer=False)
        for key in query.keys[:MOST_SLOTS]
        for one in log.changes(key, first, last)[-MOST_ROWS:]
    ]
    return sorted(found, key=lambda row: -row.steps[0])
