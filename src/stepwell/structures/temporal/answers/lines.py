"""How changes and actions of a log are told, one line each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from stepwell.structures.temporal.grammar.states import AGENT, INVENTORY, LOCATION, cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from stepwell.structures.temporal.log.entries import Change
    from stepwell.structures.temporal.log.log import Log

__all__ = [
    "LONGEST",
    "Line",
    "change_line",
    "done_line",
    "error_of",
    "failed_line",
    "in_order",
    "line",
    "line_over",
    "name_of",
    "packed",
    "steps_said",
    "told",
]

LONGEST: Final = 300
"""Characters of a line."""

_ACT, _VALUE = 160, 90
"""Characters of an action and of a value in a line."""

_MOST_STEPS = 64
"""Steps that a line names as what it is computed from."""

_MOST_CHANGES = 3
"""Changes of one action that its line tells."""

_NEAR = 32
"""Actions of a step, at most."""

_PART = LONGEST - 20
"""Characters of a part of a line that joins several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of an answer, before it is a note of a trajectory.

    Attributes:
        text: The line.
        steps: What it is computed from.
        quote: Words of the first of these steps that stand in it.
        is_answer: Whether it is exact and what was asked.
        is_none: Whether it says that no step was found.
    """

    text: str
    steps: tuple[int, ...]
    quote: str = ""
    is_answer: bool = True
    is_none: bool = False


def line(text: str, steps: Iterable[int], *, quote: str = "", is_answer: bool = True) -> Line:
    """Return a line that is not too long, with its quote if that still stands in it."""
    shown = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return Line(
        text=shown,
        steps=tuple(steps),
        quote=quote if quote in shown else "",
        is_answer=is_answer,
    )


def line_over(text: str, steps: Sequence[int], *, otherwise: int) -> Line:
    """Return a line that is computed from many steps, or from one of which it says that none was.

    Args:
        text: The line.
        steps: The steps, of which the first ones are named.
        otherwise: The step that is named when there are none.
    """
    return replace(line(text, steps[:_MOST_STEPS] or (otherwise,)), is_none=not steps)


def in_order(rows: Iterable[Line]) -> list[Line]:
    """Return lines by the first step of each."""
    return sorted(rows, key=lambda row: row.steps[0])


def name_of(change: Change) -> str:
    """Return what a change is of: the thing, with the aspect unless that is its place."""
    return change.slot if change.aspect in {"", LOCATION} else f"{change.slot} {change.aspect}"


def told(change: Change) -> str:
    """Return a change in words: what, from which value, to which."""
    if change.is_event:
        detail = f": {change.detail}" if change.detail else ""
        return f"{name_of(change)}: {cut(change.value, _VALUE)}{detail}"
    before = f"{cut(change.before, _VALUE)} -> " if change.before else ""
    return f"{name_of(change)}: {before}{cut(change.value, _VALUE)}"


def change_line(log: Log, change: Change, *, is_answer: bool = True) -> Line:
    """Return the line of a change: the action that made it, or what was seen."""
    if change.done < 0:
        return _seen_line(change, is_answer=is_answer)
    act = log.done[change.done].act
    return line(
        f"{cut(act.text, _ACT)} => {told(change)}{_carried(change)}",
        (change.step,),
        quote=act.quote if len(act.quote) <= _ACT else "",
        is_answer=is_answer,
    )


def _seen_line(change: Change, *, is_answer: bool) -> Line:
    value = cut(change.value, _VALUE)
    return line(
        f"seen: {told(change)}",
        (change.step,),
        quote=value if value in change.quote else "",
        is_answer=is_answer,
    )


def _carried(change: Change) -> str:
    """Return what a change means for the inventory, after a semicolon; empty when nothing."""
    if change.aspect != LOCATION:
        return ""
    if change.value == INVENTORY:
        return f"; inventory: {change.slot} added"
    return f"; inventory: {change.slot} removed" if change.before == INVENTORY else ""


def done_line(log: Log, place: int, *, is_answer: bool = True) -> Line:
    """Return the line of an action: what it says, and what it changed.

    Args:
        log: The log.
        place: Place of the action in `Log.done`.
        is_answer: Whether it is what was asked.
    """
    done = log.done[place]
    changes = [told(one) for one in log.changed.get(place, ()) if one.slot != AGENT]
    ending = f" => {'; '.join(changes[:_MOST_CHANGES])}" if changes else ""
    if done.act.failed:
        ending = " => failed"
    text = f"{cut(done.act.text, _ACT)}{ending}"
    return line(text, (done.step,), quote=done.act.quote, is_answer=is_answer)


def failed_line(log: Log, place: int) -> Line:
    """Return the line of an action that failed: what it says, and what came back."""
    done = log.done[place]
    error = error_of(log, place)
    ending = f"failed: {cut(error, _VALUE)}" if error else "failed"
    return line(f"{cut(done.act.text, _ACT)} => {ending}", (done.step,), quote=done.act.quote)


def error_of(log: Log, place: int) -> str:
    """Return what came back when an action failed; empty where that is not told of it alone."""
    step = log.done[place].step
    alone = sum(
        done.act.failed
        for done in log.done[max(place - _NEAR, 0) : place + _NEAR]
        if done.step == step
    )
    found = log.changes("error", step, step)
    return found[-1].value if found and alone == 1 else ""


def steps_said(steps: Sequence[int], most: int = 12) -> str:
    """Return steps in brackets; of many the first ones.

    >>> steps_said([2, 4]), steps_said([1, 2, 3], most=2)
    ('(s2, s4)', '(s1, s2, …)')
    """
    shown = ", ".join(f"s{step}" for step in steps[:most])
    return f"({shown}{', …' if len(steps) > most else ''})" if steps else ""


def packed(lead: str, parts: Sequence[tuple[str, Sequence[int]]]) -> list[Line]:
    """Return parts joined to as few lines as they fit into.

    Args:
        lead: What stands before the first.
        parts: Texts, and the steps each is computed from.
    """
    lines: list[Line] = []
    text, steps = lead, set[int]()
    for part, places in parts:
        if len(text) + len(part) + 2 > LONGEST and steps:
            lines.append(line(text, sorted(steps)[:_MOST_STEPS]))
            text, steps = "", set[int]()
        text = f"{text}{', ' if steps else ''}{cut(part, _PART)}"
        steps.update(places[:_MOST_STEPS])
    if steps:
        lines.append(line(text, sorted(steps)[:_MOST_STEPS]))
    return lines
