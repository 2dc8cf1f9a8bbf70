"""Answers computed from a log: what was asked, exactly, one line each, the most useful first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from stepwell.structures.temporal.answers.actions import actions, rows
from stepwell.structures.temporal.answers.counts import counted
from stepwell.structures.temporal.answers.failures import failures, fixes
from stepwell.structures.temporal.answers.filechanges import changes_of_files, never_changed
from stepwell.structures.temporal.answers.histories import (
    changes_between,
    histories,
    inventory,
    timelines,
)
from stepwell.structures.temporal.answers.occasions import occasions
from stepwell.structures.temporal.answers.states import durations, states
from stepwell.structures.temporal.answers.suppositions import supposed
from stepwell.structures.temporal.answers.tables import frequencies, interactions
from stepwell.structures.temporal.answers.trust import is_trusted
from stepwell.structures.temporal.grammar.kinds import QueryKind
from stepwell.structures.temporal.grammar.names import key_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from stepwell.structures.temporal.answers.lines import Line
    from stepwell.structures.temporal.grammar.questions import LogQuery
    from stepwell.structures.temporal.log.log import Log

__all__ = ["answer"]

_MOST = 160
"""Lines of an answer: what is more than a reading may give."""

_COMPUTED: Final[dict[QueryKind, Callable[[Log, LogQuery], list[Line]]]] = {
    QueryKind.STATE: states,
    QueryKind.HISTORY: histories,
    QueryKind.INVENTORY: inventory,
    QueryKind.CHANGES: changes_between,
    QueryKind.DURATION: durations,
    QueryKind.ACTIONS: actions,
    QueryKind.COUNT: counted,
    QueryKind.FREQUENCY: frequencies,
    QueryKind.OBJECTS: interactions,
    QueryKind.WHEN: occasions,
    QueryKind.SUPPOSE: supposed,
    QueryKind.FILES: changes_of_files,
    QueryKind.FAILURES: failures,
    QueryKind.FIX: fixes,
}


_OF_ALL: Final = frozenset({QueryKind.INVENTORY, QueryKind.CHANGES})
"""Kinds of questions that are about every thing, if they name none."""

_WITHOUT_PICK: Final = frozenset({QueryKind.ACTIONS, QueryKind.FILES})
"""Kinds whose lines list all, also where only the first or the last is asked for."""

_OF_THINGS: Final = _OF_ALL | {
    QueryKind.STATE, QueryKind.HISTORY, QueryKind.DURATION, QueryKind.WHEN, QueryKind.COUNT,
}  # fmt: skip
"""Kinds whose answers follow from all that was done to a thing."""


def answer(log: Log, query: LogQuery) -> list[Line]:
    """Return the lines that answer a question, the most useful first.

    A question that nothing can be computed for gets the timelines of what it names, or the rows of
    the steps it names and those beside them.
    """
    found = _lines(log, query) if log.n_steps else []
    is_listed = bool(query.bounds.pick) and query.kind in _WITHOUT_PICK
    if is_listed or not query.is_answerable or not _is_believed(log, query):
        found = [replace(one, is_answer=False) for one in found]
    return found[:_MOST]


def _is_believed(log: Log, query: LogQuery) -> bool:
    """Return whether the log can be believed of what a question is about."""
    if query.quoted and all(key_of(text) in log.acts for text in query.quoted):
        return True  # Actions quoted as a whole are found as they stand.
    keys = [key for key in query.keys if key in log.slots or key in log.by_object]
    if query.kind in _OF_ALL and not keys:
        return is_trusted(log, ())
    return query.kind not in _OF_THINGS or not keys or is_trusted(log, keys)


def _lines(log: Log, query: LogQuery) -> list[Line]:
    unchanged = never_changed(log, query) if query.changing and not query.only_failed else []
    if unchanged and not any(key in log.slots for key in query.keys):
        return unchanged
    found = _COMPUTED[query.kind](log, query) if query.kind is not None else []
    found = [*unchanged, *found]
    if not found and query.keys:
        found = timelines(log, query)
    if not found and query.bounds.said:
        found = rows(log, query)
    return found
