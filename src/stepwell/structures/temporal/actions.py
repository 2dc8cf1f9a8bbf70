"""Answers about what was done: which actions, how often, to what, when."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from stepwell.structures.temporal.facts import INVENTORY, LOCATION, cut
from stepwell.structures.temporal.lines import (
    Line,
    change_line,
    done_line,
    line,
    steps_said,
)
from stepwell.structures.temporal.names import key_of
from stepwell.structures.temporal.phrases import effects, phrase_of
from stepwell.structures.temporal.states import end_of
from stepwell.structures.temporal.verbs import class_of, root_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from stepwell.structures.temporal.ask import Asked
    from stepwell.structures.temporal.log import Change, Log

__all__ = ["actions", "counted", "inside", "said", "supposed", "until", "when"]

_MOST_ROWS = 120
_MOST_STEPS = 64


def inside(log: Log, asked: Asked) -> list[int]:
    """Return the places of the actions between the steps asked about."""
    points = set(asked.bounds.points)
    first, last = asked.bounds.first, end_of(log, asked)
    return [
        place
        for place, done in enumerate(log.done)
        if first <= done.step <= last
        and (not points or done.step in points)
        and (asked.moves or not done.act.moves)
        and not (asked.successful and done.act.failed)
        and not (asked.telling and not _matters(log, place))
    ]


def _matters(log: Log, place: int) -> bool:
    """Return whether an action changed a thing, not only the agent's place or what is shut."""
    return any(
        change.aspect != "state" and change.slot != "agent" for change in log.changed.get(place, ())
    )


def _on(log: Log, places: Sequence[int], keys: Sequence[str], *, each: bool) -> list[int]:
    """Return the actions that name any of some things, or each of them."""
    if not keys:
        return list(places)
    wanted = set(keys)
    named = [(place, wanted & set(log.done[place].objects)) for place in places]
    if each and (full := [place for place, found in named if len(found) == len(wanted)]):
        return full
    return [place for place, found in named if found]


def _by(log: Log, places: Sequence[int], verbs: Collection[str]) -> list[int]:
    named = set(verbs) & set(log.verbs)
    if named:
        return [p for p in places if root_of(log.done[p].act.verb) in named]
    kinds = {class_of(verb) for verb in verbs}
    return [p for p in places if any(_did(kind, log.changed.get(p, ())) for kind in kinds)]


def _did(kind: str, changes: Iterable[Change]) -> bool:
    """Return whether changes are what taking, putting, opening or closing comes to."""
    for one in changes:
        if kind == "take" and one.value == INVENTORY:
            return True
        if kind == "put" and one.aspect == LOCATION and one.before == INVENTORY:
            return True
        if one.aspect == "state" and one.value == {"open": "open", "close": "closed"}.get(kind):
            return True
    return False


def _quoted(log: Log, places: Sequence[int], asked: Asked) -> list[int]:
    """Return the actions whose text the question quotes, or names as a whole."""
    wanted = {key_of(text) for text in asked.quoted}
    return [place for place in places if key_of(log.done[place].act.text) in wanted]


def actions(log: Log, asked: Asked) -> list[Line]:
    """Return which actions were performed, in order, and how many those are."""
    keys = tuple(key for key in asked.keys if key in log.by_object)
    if asked.keys and not keys and not asked.bounds.said:
        return []
    places = _on(log, _narrowed(log, asked, keys), keys, each=False)
    names = ", ".join(log.names.shown[key] for key in keys[:4])
    lead = f"actions{f' on {names}' if names else ''}{said(asked)}: {len(places) or 'none'}"
    steps = sorted({log.done[place].step for place in places})
    last = end_of(log, asked)
    return [
        line(lead, steps[:_MOST_STEPS] or (last,)),
        *(done_line(log, place) for place in places[:_MOST_ROWS]),
    ]


def _narrowed(log: Log, asked: Asked, keys: Sequence[str]) -> list[int]:
    """Return the actions that count; those at single steps unless things are named."""
    if asked.bounds.points and keys and len(asked.bounds.points) == 1:
        return [
            place
            for place, done in enumerate(log.done)
            if done.step <= asked.bounds.points[0] and (asked.moves or not done.act.moves)
        ]
    return inside(log, asked)


def said(asked: Asked) -> str:
    """Return the steps that count in words, a blank before them."""
    text = f" {asked.bounds.said}" if asked.bounds.said else ""
    return f"{text} (without moves)" if not asked.moves else text


def counted(log: Log, asked: Asked) -> list[Line]:
    """Return how often something was done, and at which steps."""
    places = inside(log, until(asked))
    found: list[Line] = []
    if exact := _quoted(log, places, asked):
        found.append(_count(log, f"'{cut(log.done[exact[0]].act.text, 80)}'", exact, asked))
        return found
    on = _on(log, places, asked.keys, each=True)
    names = " ".join(log.names.shown[key] for key in asked.keys[:3])
    for verbs in _kinds(asked.verbs):
        label = f"{'/'.join(verbs)} {names}".strip()
        found.append(_count(log, label, _by(log, on, verbs), asked))
    if not asked.verbs:
        found += _change_counts(log, asked)
        found.append(_count(log, f"actions on {names}" if names else "actions", on, asked))
    rows = [done_line(log, place) for place in _matched(log, on, asked)[:_MOST_ROWS]]
    return [*found, *rows]


def until(asked: Asked) -> Asked:
    """Return the question with a single step read as the last one: counts add up to a step."""
    if not asked.bounds.points:
        return asked
    return replace(asked, bounds=replace(asked.bounds, points=()))


def _matched(log: Log, places: Sequence[int], asked: Asked) -> list[int]:
    if not asked.verbs:
        return list(places)
    return _by(log, places, asked.verbs)


def _kinds(verbs: Sequence[str]) -> list[list[str]]:
    """Return verbs of one meaning together."""
    kinds: dict[str, list[str]] = {}
    for verb in verbs:
        kinds.setdefault(class_of(verb) or verb, []).append(verb)
    return list(kinds.values())


def _count(log: Log, label: str, places: Sequence[int], asked: Asked) -> Line:
    steps = [log.done[place].step for place in places]
    failed = [log.done[place].step for place in places if log.done[place].act.failed]
    n = f"{len(places)} times" if len(places) > 1 else "1 time" if places else "never"
    text = f"{label}{said(asked)}: {n} {steps_said(steps, 24)}".rstrip()
    if failed:
        text += f"; of these failed: {steps_said(failed)}"
    return line(text, sorted(set(steps))[:_MOST_STEPS] or (end_of(log, asked),))


def _change_counts(log: Log, asked: Asked) -> list[Line]:
    found: list[Line] = []
    for key in asked.keys[:4]:
        if key not in log.slots:
            continue
        changes = log.changes(key, asked.bounds.first, end_of(log, asked))
        steps = [one.step for one in changes if not one.is_seen]
        label = f"changes of {log.names.shown[key]}{said(asked)}"
        text = f"{label}: {len(steps) or 'none'} {steps_said(steps, 24)}"
        found.append(line(text.rstrip(), steps[:_MOST_STEPS] or (end_of(log, asked),)))
    return found


def when(log: Log, asked: Asked) -> list[Line]:
    """Return at which steps something was done or came to hold."""
    places = inside(log, until(asked))
    done = _quoted(log, places, asked)
    if not done:
        done = _matched(log, _on(log, places, asked.keys, each=True), asked) if asked.verbs else []
    good = [place for place in done if not log.done[place].act.failed] or done
    changes = [] if done else _reached(log, asked)
    rows = [done_line(log, place) for place in good] + [change_line(log, one) for one in changes]
    if not rows:
        return []
    rows.sort(key=lambda row: row.steps[0])
    picked = rows[-1] if asked.bounds.pick == "last" else rows[0]
    steps = [row.steps[0] for row in rows]
    pick = asked.bounds.pick
    lead = f"{pick}: s{picked.steps[0]}; " if pick else ""
    head = line(f"{lead}in all {len(rows)} times: {steps_said(steps, 24)}", steps[:_MOST_STEPS])
    rest = [row for row in rows if row is not picked] if pick else rows[1:]
    return [head, picked, *rest[:_MOST_ROWS]]


def _reached(log: Log, asked: Asked) -> list[Change]:
    """Return the changes of what is named, those to the value asked about if there are any."""
    all_ = [
        change
        for key in asked.keys
        for change in log.changes(key, asked.bounds.first, end_of(log, asked))
    ]
    wanted = {key_of(asked.value), *(key for key in asked.keys)}
    hits = [change for change in all_ if asked.value and key_of(change.value) in wanted]
    return hits or _crossed(all_, asked.value) or [c for c in all_ if not c.is_seen] or all_


_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def _crossed(changes: Sequence[Change], value: str) -> list[Change]:
    """Return the first change by which a number reaches or passes another."""
    target = _number(value)
    if target is None:
        return []
    for one in changes:
        before, after = _number(one.before), _number(one.value)
        if (
            before is not None
            and after is not None
            and (before < target <= after or before > target >= after)
        ):
            return [one]
    return []


def _number(text: str) -> float | None:
    match = _NUMBER.match(text.replace(",", "")[:40])
    return float(match[0]) if match else None


def supposed(log: Log, asked: Asked) -> list[Line]:
    """Return what the actions a question lists would change, were they performed in order."""
    step = end_of(log, asked)
    found: list[Line] = []
    where: dict[str, str] = {}
    for text in asked.quoted[:32]:
        phrase = phrase_of(text)
        for state in effects(phrase) if phrase is not None else ():
            key = key_of(state.slot)
            if key == "agent":
                continue
            known = log.at(key, state.aspect, step)
            before = where.get(key) or (known.value if known else state.before)
            where[key] = state.value
            moved = f"{before or '?'} -> {state.value}"
            gains = _gain(state.slot, before, state.value)
            found.append(line(f"{text} => {state.slot}: {moved}{gains}", (step,), is_answer=False))
    return found


def _gain(thing: str, before: str, after: str) -> str:
    if after == "inventory":
        return f"; inventory: {thing} added"
    return f"; inventory: {thing} removed" if before == "inventory" else ""
