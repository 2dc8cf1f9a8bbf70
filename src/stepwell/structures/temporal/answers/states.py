"""Answers about what held: states after a step, at first, and how long."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from stepwell.structures.temporal.answers.lines import Line, line, name_of, told
from stepwell.structures.temporal.answers.selection import end_of, is_brought_about
from stepwell.structures.temporal.grammar.states import AGENT, INVENTORY, LOCATION, cut
from stepwell.structures.temporal.log.log import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from stepwell.structures.temporal.grammar.questions import LogQuery
    from stepwell.structures.temporal.log.entries import Change
    from stepwell.structures.temporal.log.log import Log

__all__ = ["MOST_ROWS", "MOST_SLOTS", "durations", "state_lines", "states"]

MOST_ROWS, MOST_SLOTS = 120, 12
"""Rows of an answer, and things that one is given for."""

_VALUE, _SHORT_VALUE, _ACT = 200, 90, 80
"""Characters of a value, of one beside others, and of the action that made it."""


def states(log: Log, query: LogQuery) -> list[Line]:
    """Return what each thing named is, and where, after the last step that counts."""
    if query.bounds.pick == "first" and not query.bounds.said:
        return [found for key in query.keys for found in _first(log, query, key)]
    found: list[Line] = []
    for point in query.bounds.points or (end_of(log, query),):
        step = min(point, log.n_steps - 1)
        for key in query.keys[:MOST_SLOTS]:
            known = log.slots.get(key, {})
            is_told = not query.only_condition or any(aspect != LOCATION for aspect in known)
            lines = state_lines(log, key, step, only_place=query.only_place)
            found += lines if is_told else [replace(one, is_answer=False) for one in lines]
    return found


def _first(log: Log, query: LogQuery, key: str) -> list[Line]:
    """Return what was known of a thing first: what an action brought about was not so before."""
    known = log.slots.get(key, {})
    aspects = [LOCATION] if query.only_place and LOCATION in known else list(known)
    found: list[Line] = []
    for one in (known[aspect][0] for aspect in aspects):
        if one.before:
            before = cut(one.before, _SHORT_VALUE)
            found.append(line(f"{one.slot} initially: {before} (until s{one.step})", (one.step,)))
        elif is_brought_about(log, one):
            text = f"{one.slot}: nothing known before s{one.step}; then {told(one)}"
            found.append(line(text, (one.step,), is_answer=False))
        else:
            text = f"{name_of(one)} initially: {cut(one.value, _VALUE)} (s{one.step})"
            found.append(_value_line(one, text))
    return found


def _value_line(change: Change, text: str) -> Line:
    value = cut(change.value, _VALUE)
    return line(text, (change.step,), quote=value if value in change.quote else "")


def state_lines(log: Log, key: str, step: int, *, only_place: bool) -> list[Line]:
    """Return what a thing is after a step, where, and what lies in it.

    Args:
        log: The log.
        key: The thing's key.
        step: The step.
        only_place: Whether only its place is wanted, if that is known.
    """
    found = [_state_line(log, one, step) for one in _held(log, key, step, only_place=only_place)]
    if key in log.passings and not (only_place and found):
        found.append(_contents(log, key, step))
    return found or _not_yet(log, key, step)


def _held(log: Log, key: str, step: int, *, only_place: bool) -> Iterable[Change]:
    """Return the last change of each aspect, or that of the place alone."""
    known = log.slots.get(key, {})
    aspects = [LOCATION] if only_place and LOCATION in known else list(known)
    return filter(None, (log.at(key, aspect, step) for aspect in aspects))


def _state_line(log: Log, change: Change, step: int) -> Line:
    by = f"{cut(log.done[change.done].act.text, _ACT)}" if change.done >= 0 else "seen"
    held = f"{name_of(change)} at s{step}: {_value(change)}"
    return _value_line(change, f"{held} (since s{change.step}, {by})")


def _value(change: Change) -> str:
    value = cut(change.value, _VALUE)
    is_in_world = change.slot != AGENT and value not in {INVENTORY, NOWHERE}
    return f"in/on {value}" if change.aspect == LOCATION and is_in_world else value


def _contents(log: Log, key: str, step: int) -> Line:
    if not log.knows_inside(key, step):
        text = f"{log.names.shown.get(key, key)}: what it holds is not known up to s{step}"
        return line(text, (step,), is_answer=False)
    things = log.held(key, step)
    shown = ", ".join(log.names.shown[thing] for thing in things) or "nothing"
    passed = {
        passing.change.step
        for passing in log.passings[key]
        if passing.change.step <= step and passing.thing in things
    }
    name = log.names.shown.get(key, key)
    return line(f"{name} at s{step} holds: {shown}", sorted(passed) or (step,))


def _not_yet(log: Log, key: str, step: int) -> list[Line]:
    later = log.changes(key, step + 1, log.n_steps)
    if not later:
        return []
    text = f"{log.names.shown[key]}: nothing known up to s{step}; later: {told(later[0])}"
    return [line(text, (later[0].step,), is_answer=False)]


def durations(log: Log, query: LogQuery) -> list[Line]:
    """Return how long each value of the things named held."""
    first, last = query.bounds.first, end_of(log, query)
    return [
        span
        for key in query.keys[:MOST_SLOTS]
        for changes in log.slots.get(key, {}).values()
        for span in _spans(changes[-MOST_ROWS:], first, last)
    ]


def _spans(changes: Sequence[Change], first: int, last: int) -> Iterable[Line]:
    ends = [*(one.step - 1 for one in changes[1:]), last]
    for one, end in zip(changes, ends, strict=True):
        until = min(end, last)
        if max(one.step, first) <= until:
            held = f"{name_of(one)}: {cut(one.value, _SHORT_VALUE)} from s{one.step} to s{until}"
            yield line(f"{held} ({until - one.step + 1} steps)", (one.step,))
