"""Answers about what held: states, histories, the inventory, how long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.structures.temporal.facts import INVENTORY, LOCATION, cut
from stepwell.structures.temporal.lines import Line, change_line, line, told
from stepwell.structures.temporal.log import AGENT, NOWHERE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stepwell.structures.temporal.ask import Asked
    from stepwell.structures.temporal.log import Change, Log, Passing

__all__ = ["changes_between", "durations", "histories", "inventory", "states", "timelines"]

_MOST_ROWS = 120
_MOST_SLOTS = 12


def end_of(log: Log, asked: Asked) -> int:
    """Return the last step that counts."""
    last = asked.bounds.last
    return log.n_steps - 1 if last is None else min(last, log.n_steps - 1)


def at_end(log: Log, asked: Asked) -> str:
    """Return the last step that counts, in words."""
    return f"at s{end_of(log, asked)}"


def states(log: Log, asked: Asked) -> list[Line]:
    """Return what each thing named is, and where, after the last step that counts."""
    points = asked.bounds.points or (end_of(log, asked),)
    if asked.bounds.pick == "first" and not asked.bounds.said:
        return [found for key in asked.keys for found in _first(log, key)]
    found: list[Line] = []
    for step in points:
        for key in asked.keys[:_MOST_SLOTS]:
            found += _state(log, key, min(step, log.n_steps - 1), only_place=asked.only_place)
    return found


def _first(log: Log, key: str) -> list[Line]:
    found: list[Line] = []
    for changes in log.slots.get(key, {}).values():
        one = changes[0]
        if one.before:
            text = f"{one.slot} initially: {cut(one.before, 90)} (until s{one.step})"
            found.append(line(text, (one.step,)))
        else:
            found.append(_held(one, f"{_name(one)} initially: {cut(one.value, 200)} (s{one.step})"))
    return found


def _name(change: Change) -> str:
    return change.slot if change.aspect in {"", LOCATION} else f"{change.slot} {change.aspect}"


def _held(change: Change, text: str) -> Line:
    value = cut(change.value, 200)
    return line(text, (change.step,), quote=value if value in change.quote else "")


def _state(log: Log, key: str, step: int, *, only_place: bool) -> list[Line]:
    found: list[Line] = []
    known = log.slots.get(key, {})
    aspects = [LOCATION] if only_place and LOCATION in known else list(known)
    for aspect in aspects:
        change = log.at(key, aspect, step)
        if change is not None:
            text = f"{_name(change)} at s{step}: {_value(aspect, change)} (since s{change.step}"
            found.append(_held(change, f"{text}{_by(log, change)})"))
    if key in log.passings and not (only_place and found):
        found.append(_contents(log, key, step))
    if not found:
        found = _not_yet(log, key, step)
    return found


def _value(aspect: str, change: Change) -> str:
    value = cut(change.value, 200)
    if aspect == LOCATION and change.slot != AGENT and value not in {INVENTORY, NOWHERE}:
        return f"in/on {value}"
    return value


def _by(log: Log, change: Change) -> str:
    return f", {cut(log.done[change.done].act.text, 80)}" if change.done >= 0 else ", seen"


def _contents(log: Log, key: str, step: int) -> Line:
    things = log.held(key, step)
    shown = [log.names.shown[thing] for thing in things]
    name = log.names.shown.get(key, key)
    passed = [
        p.change.step for p in log.passings[key] if p.change.step <= step and p.thing in things
    ]
    text = f"{name} at s{step} holds: {', '.join(shown) or 'nothing'}"
    return line(text, sorted(set(passed)) or (step,))


def _not_yet(log: Log, key: str, step: int) -> list[Line]:
    later = log.changes(key, step + 1, log.n_steps)
    if not later:
        return []
    text = f"{log.names.shown[key]}: nothing known up to s{step}; later: {told(later[0])}"
    return [line(text, (later[0].step,), is_answer=False)]


def histories(log: Log, asked: Asked) -> list[Line]:
    """Return what each thing named has become, with each change that led there."""
    found: list[Line] = []
    for key in asked.keys[:_MOST_SLOTS]:
        found += _history(log, key, asked)
    return found


def _history(log: Log, key: str, asked: Asked) -> list[Line]:
    last = end_of(log, asked)
    all_ = log.changes(key, asked.bounds.first, last)
    if asked.only_place and any(one.aspect == LOCATION for one in all_):
        all_ = [one for one in all_ if one.aspect == LOCATION]
    changes = [one for one in all_ if not one.is_seen]
    passings = [
        p for p in log.passings.get(key, ())
        if asked.bounds.first <= p.change.step <= last and not p.change.is_seen
    ]  # fmt: skip
    if key not in log.slots and key not in log.passings:
        return []
    name = log.names.shown[key]
    said = asked.bounds.said if not asked.bounds.points else f"up to s{last}"
    n = len(changes) + len(passings)
    steps = [one.step for one in changes] + [p.change.step for p in passings]
    lead = f"changes of {name}{f' {said}' if said else ''}: {n or 'no change'}"
    rows = [change_line(log, one) for one in all_[-_MOST_ROWS:]]
    rows += [_passing_line(log, name, p) for p in passings[-_MOST_ROWS:]]
    held = _state(log, key, last, only_place=False) if all_ or passings else []
    return [line(lead, sorted(set(steps))[:64] or (last,)), *held, *_by_step(rows)]


def _by_step(rows: Iterable[Line]) -> list[Line]:
    return sorted(rows, key=lambda row: row.steps[0])


def _passing_line(log: Log, holder: str, passing: Passing) -> Line:
    change = passing.change
    what = f"{holder}: {change.slot} {'added' if passing.comes else 'removed'}"
    moved = f"{change.before or '?'} -> {change.value}"
    if change.done < 0:
        return line(f"seen: {what} ({moved})", (change.step,))
    act = log.done[change.done].act
    text = f"{cut(act.text, 160)} => {what} ({moved})"
    return line(text, (change.step,), quote=act.quote)


def inventory(log: Log, asked: Asked) -> list[Line]:
    """Return what was carried after the last step that counts, and how that came about."""
    last = end_of(log, asked)
    passings = [p for p in log.passings.get(INVENTORY, ()) if p.change.step <= last]
    if INVENTORY not in log.passings:
        return []
    shown = [log.names.shown[thing] for thing in log.held(INVENTORY, last)]
    steps = sorted({p.change.step for p in passings})
    held = line(f"inventory at s{last}: {', '.join(shown) or 'empty'}", steps[-8:] or (last,))
    inside = [p for p in passings if p.change.step >= asked.bounds.first]
    said = asked.bounds.said if not asked.bounds.points else f"up to s{last}"
    lead = line(
        f"changes of the inventory{f' {said}' if said else ''}: {len(inside) or 'no change'}",
        steps[:64] or (last,),
    )
    rows = [_passing_line(log, INVENTORY, p) for p in inside[-_MOST_ROWS:]]
    return [lead, held, *_by_step(rows)]


def changes_between(log: Log, asked: Asked) -> list[Line]:
    """Return what changed between two steps, and which action changed it."""
    first, last = asked.bounds.first, end_of(log, asked)
    if asked.bounds.points:
        first = min(asked.bounds.points)
    keys = set(asked.keys) & set(log.slots)
    found = [
        change
        for key in (keys or log.slots)
        for change in log.changes(key, first, last)
        if (keys or key != AGENT) and not change.is_seen
    ]
    found.sort(key=lambda change: change.step)
    said = f"from s{first} to s{last}"
    steps = sorted({change.step for change in found})
    if not found and not asked.is_sure:
        return []
    lead = line(f"changes {said}: {len(found) or 'no change'}", steps[:64] or (last,))
    return [lead, *(change_line(log, change) for change in found[:_MOST_ROWS])]


def durations(log: Log, asked: Asked) -> list[Line]:
    """Return how long each value of the things named held."""
    return [
        span
        for key in asked.keys[:_MOST_SLOTS]
        for changes in log.slots.get(key, {}).values()
        for span in _spans(changes[-_MOST_ROWS:], asked.bounds.first, end_of(log, asked))
    ]


def _spans(changes: list[Change], first: int, last: int) -> list[Line]:
    ends = [*(one.step - 1 for one in changes[1:]), last]
    found: list[Line] = []
    for one, end in zip(changes, ends, strict=True):
        until = min(end, last)
        if max(one.step, first) <= until:
            n = until - one.step + 1
            held = f"{_name(one)}: {cut(one.value, 90)} from s{one.step} to s{until}"
            found.append(line(f"{held} ({n} steps)", (one.step,)))
    return found


def timelines(log: Log, asked: Asked) -> list[Line]:
    """Return all that is known of the things named, newest first."""
    last = end_of(log, asked)
    found: list[Line] = []
    for key in asked.keys[:_MOST_SLOTS]:
        changes = log.changes(key, asked.bounds.first, last)
        found += [change_line(log, one, is_answer=False) for one in changes[-_MOST_ROWS:]]
    return sorted(found, key=lambda row: -row.steps[0])
