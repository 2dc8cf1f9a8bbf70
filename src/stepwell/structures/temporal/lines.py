"""How changes and actions of a log are told, one line each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from stepwell.structures.temporal.facts import INVENTORY, LOCATION, cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from stepwell.structures.temporal.log import Change, Done, Log

__all__ = [
    "LONGEST",
    "Line",
    "change_line",
    "done_line",
    "line",
    "packed",
    "seen_line",
    "steps_said",
    "told",
]

LONGEST: Final = 300
"""Characters of a line."""

_ACT, _VALUE = 160, 90
"""Characters of an action and of a value in a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of an answer, before it is a note of a trajectory.

    Attributes:
        text: The line.
        steps: What it is computed from.
        quote: Words of the first of these steps that stand in it.
        is_answer: Whether it is exact and what was asked.
    """

    text: str
    steps: tuple[int, ...]
    quote: str = ""
    is_answer: bool = True


def line(text: str, steps: Iterable[int], *, quote: str = "", is_answer: bool = True) -> Line:
    """Return a line that is not too long, with its quote if that still stands in it."""
    shown = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return Line(
        text=shown,
        steps=tuple(steps),
        quote=quote if quote in shown else "",
        is_answer=is_answer,
    )


def told(change: Change) -> str:
    """Return a change in words: what, from which value, to which."""
    name = change.slot
    if change.aspect not in {"", LOCATION}:
        name = f"{name} {change.aspect}"
    value = cut(change.value, _VALUE)
    if not change.before:
        return f"{name}: {value}"
    return f"{name}: {cut(change.before, _VALUE)} -> {value}"


def change_line(log: Log, change: Change, *, is_answer: bool = True) -> Line:
    """Return the line of a change: the action that made it, or what was seen."""
    done = log.done[change.done] if change.done >= 0 else None
    if done is None:
        return seen_line(change, is_answer=is_answer)
    act = done.act
    return line(
        f"{cut(act.text, _ACT)} => {told(change)}{_carried(change)}",
        (change.step,),
        quote=act.quote if len(act.quote) <= _ACT else "",
        is_answer=is_answer,
    )


def seen_line(change: Change, *, is_answer: bool = True) -> Line:
    """Return the line of what was only observed."""
    return line(
        f"seen: {told(change)}", (change.step,), quote=_value_quote(change), is_answer=is_answer
    )


def _value_quote(change: Change) -> str:
    value = cut(change.value, _VALUE)
    return value if value in change.quote else ""


def _carried(change: Change) -> str:
    if change.aspect != LOCATION:
        return ""
    if change.value == INVENTORY:
        return f"; inventory: {change.slot} added"
    return f"; inventory: {change.slot} removed" if change.before == INVENTORY else ""


def done_line(log: Log, place: int, *, is_answer: bool = True) -> Line:
    """Return the line of an action: what it says, and what it changed."""
    done: Done = log.done[place]
    act = done.act
    changes = [told(one) for one in log.changed.get(place, ()) if one.slot != "agent"]
    ending = " => failed" if act.failed else f" => {'; '.join(changes[:3])}" if changes else ""
    return line(
        f"{cut(act.text, _ACT)}{ending}", (done.step,), quote=act.quote, is_answer=is_answer
    )


def steps_said(steps: Sequence[int], most: int = 12) -> str:
    """Return steps in brackets: `(s2, s4)`; of many the first ones."""
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
        text = f"{text}{', ' if steps else ''}{cut(part, LONGEST - 20)}"
        steps.update(places[:_MOST_STEPS])
    if steps:
        lines.append(line(text, sorted(steps)[:_MOST_STEPS]))
    return lines


_MOST_STEPS = 64
