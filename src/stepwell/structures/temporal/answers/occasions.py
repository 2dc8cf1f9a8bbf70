"""Answers about when something was done or came to hold."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from stepwell.structures.temporal.answers.filechanges import of_wanted_kind
from stepwell.structures.temporal.answers.lines import (
    Line,
    change_line,
    done_line,
    in_order,
    line_over,
    steps_said,
)
from stepwell.structures.temporal.answers.selection import (
    doing,
    end_of,
    inside,
    naming,
    quoted,
    running,
    until,
)
from stepwell.structures.temporal.answers.states import MOST_ROWS
from stepwell.structures.temporal.grammar.names import key_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.structures.temporal.grammar.questions import LogQuery
    from stepwell.structures.temporal.log.entries import Change
    from stepwell.structures.temporal.log.log import Log

__all__ = ["occasions"]

_MOST_SAID = 24
"""Steps that are named in words."""

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_NUMBER_WITHIN = 40
"""Characters within which the number of a value ends."""


def occasions(log: Log, query: LogQuery) -> list[Line]:
    """Return at which steps something was done or came to hold; the one asked for first.

    Of what was not done, the changes of the same thing are told as context.
    """
    places = _places(log, query)
    rows = in_order(_rows(log, query, places))
    if not rows:
        return []
    if query.verbs and not places and not _files_of(query):
        return [replace(row, is_answer=False) for row in rows[:MOST_ROWS]]
    pick = query.bounds.pick
    picked = rows[-1] if pick == "last" else rows[0]
    lead = f"{pick}: s{picked.steps[0]}; " if pick else ""
    steps = [row.steps[0] for row in rows]
    text = f"{lead}in all {len(rows)} times: {steps_said(steps, _MOST_SAID)}"
    rest = [row for row in rows if row is not picked]
    return [line_over(text, steps, otherwise=steps[0]), picked, *rest[:MOST_ROWS]]


def _places(log: Log, query: LogQuery) -> list[int]:
    return [] if _files_of(query) else running(log, _done(log, query), query.programs)


def _files_of(query: LogQuery) -> bool:
    return bool(query.changing and query.files)


def _rows(log: Log, query: LogQuery, places: Sequence[int]) -> list[Line]:
    if not places:
        return [change_line(log, one) for one in _reached(log, query)]
    good = [place for place in places if not log.done[place].act.failed]
    return [done_line(log, place) for place in good or places]


def _done(log: Log, query: LogQuery) -> list[int]:
    """Return the actions that the question quotes, else those of its verbs upon its things."""
    places = inside(log, until(query))
    exact = quoted(log, places, query)
    if exact or not (query.verbs or query.programs):
        return exact
    if not query.verbs:
        return naming(log, places, query.keys, each=True)
    return doing(log, naming(log, places, query.keys, each=True), query.verbs)


def _reached(log: Log, query: LogQuery) -> list[Change]:
    """Return the changes of what is named, those to the value asked about if there are any."""
    first, last = query.bounds.first, end_of(log, query)
    changes = [one for key in query.keys for one in log.changes(key, first, last)]
    if _files_of(query):
        return of_wanted_kind(changes, query.changing)
    found = _equal(changes, query) or _crossed(changes, query.value)
    return found or [one for one in changes if not one.is_seen] or changes


def _equal(changes: Sequence[Change], query: LogQuery) -> list[Change]:
    """Return the changes to the value asked about, or to a thing that is named."""
    wanted = {key_of(query.value), *query.keys} if query.value else set[str]()
    return [one for one in changes if key_of(one.value) in wanted]


def _crossed(changes: Sequence[Change], value: str) -> list[Change]:
    """Return the first change by which a number reaches or passes another."""
    target = _number(value)
    if target is None:
        return []
    return [one for one in changes if _passes(one, target)][:1]


def _passes(change: Change, target: float) -> bool:
    before, after = _number(change.before), _number(change.value)
    if before is None or after is None:
        return False
    return before < target <= after or before > target >= after


def _number(text: str) -> float | None:
    match = _NUMBER.match(text.replace(",", "")[:_NUMBER_WITHIN])
    return float(match[0]) if match else None
