"""Answers about how often something was done or changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.structures.temporal.answers.filechanges import of_wanted_kind
from stepwell.structures.temporal.answers.lines import (
    Line,
    change_line,
    done_line,
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
    said,
    until,
)
from stepwell.structures.temporal.answers.states import MOST_ROWS
from stepwell.structures.temporal.grammar.states import cut
from stepwell.structures.temporal.grammar.verbs import class_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.structures.temporal.grammar.questions import LogQuery
    from stepwell.structures.temporal.log.log import Log

__all__ = ["counted"]

_ACT = 80
"""Characters of an action in a line."""

_MOST_SAID = 24
"""Steps that a count names in words."""

_MOST_NAMES, _MOST_COUNTED = 3, 4


def counted(log: Log, query: LogQuery) -> list[Line]:
    """Return how often something was done, and at which steps."""
    places = inside(log, until(query))
    if exact := quoted(log, places, query):
        label = f"'{cut(log.done[exact[0]].act.text, _ACT)}'"
        return [_count(log, label, exact, query)]
    if query.unrun:
        return [_never_run(log, query, places)] if log.programs.shown else []
    on = running(log, naming(log, places, query.keys, each=True), query.programs)
    if query.only_failed:
        on = [place for place in on if log.done[place].act.failed]
    if changed := _file_counts(log, query):
        return changed
    by_verb = bool(query.verbs) and not query.programs
    found = _verb_counts(log, on, query) if by_verb else _all_counts(log, on, query)
    shown = doing(log, on, query.verbs) if by_verb else on
    return [*found, *(done_line(log, place) for place in shown[:MOST_ROWS])]


def _never_run(log: Log, query: LogQuery, places: Sequence[int]) -> Line:
    text = f"no call or command runs {query.unrun} by that name{said(query)}: none of {len(places)}"
    return line_over(text, (), otherwise=end_of(log, query))


def _file_counts(log: Log, query: LogQuery) -> list[Line]:
    """Return how often files were edited, where that is asked of files that were; else nothing."""
    if not query.changing or query.only_failed:
        return []
    first, last = query.bounds.first, end_of(log, query)
    found: list[Line] = []
    for key in query.files:
        rows = of_wanted_kind(log.changes(key, first, last), query.changing)
        steps = sorted({one.step for one in rows})
        done = "/".join(dict.fromkeys(one.value for one in rows))
        label = f"{log.names.shown[key]} {done}{said(query)}"
        text = f"{label}: {_times(len(steps))} {steps_said(steps, _MOST_SAID)}".rstrip()
        found += [line_over(text, steps, otherwise=last), *(change_line(log, one) for one in rows)]
    return found


def _names(log: Log, query: LogQuery) -> str:
    """Return what is counted: programs, and the things they were run on."""
    run = [log.programs.shown[key] for key in query.programs]
    return " ".join([*run, *(log.names.shown[key] for key in query.keys[:_MOST_NAMES])])


def _verb_counts(log: Log, places: Sequence[int], query: LogQuery) -> list[Line]:
    """Return how often each verb was done; those of one meaning are counted together."""
    kinds: dict[str, list[str]] = {}
    for verb in query.verbs:
        kinds.setdefault(class_of(verb) or verb, []).append(verb)
    names = _names(log, query)
    return [
        _count(log, f"{'/'.join(verbs)} {names}".strip(), doing(log, places, verbs), query)
        for verbs in kinds.values()
    ]


def _all_counts(log: Log, places: Sequence[int], query: LogQuery) -> list[Line]:
    names = _names(log, query)
    label = f"actions on {names}" if names else "actions"
    if query.programs:
        return [_count(log, names, places, query)]
    changed = [] if query.only_failed else _change_counts(log, query)
    return [*changed, _count(log, label, places, query)]


def _count(log: Log, label: str, places: Sequence[int], query: LogQuery) -> Line:
    steps = [log.done[place].step for place in places]
    failed = [log.done[place].step for place in places if log.done[place].act.failed]
    told = f"{label} failed" if query.only_failed else label
    text = f"{told}{said(query)}: {_times(len(places))} {steps_said(steps, _MOST_SAID)}".rstrip()
    if failed and not query.only_failed:
        text += f"; of these failed: {steps_said(failed)}"
    return line_over(text, sorted(set(steps)), otherwise=end_of(log, query))


def _times(n: int) -> str:
    return {0: "never", 1: "1 time"}.get(n, f"{n} times")


def _change_counts(log: Log, query: LogQuery) -> list[Line]:
    last = end_of(log, query)
    found: list[Line] = []
    for key in query.keys[:_MOST_COUNTED]:
        if key in log.slots:
            changes = log.changes(key, query.bounds.first, last)
            steps = [one.step for one in changes if not one.is_seen]
            label = f"changes of {log.names.shown[key]}{said(query)}"
            text = f"{label}: {len(steps) or 'none'} {steps_said(steps, _MOST_SAID)}".rstrip()
            found.append(line_over(text, steps, otherwise=last))
    return found
