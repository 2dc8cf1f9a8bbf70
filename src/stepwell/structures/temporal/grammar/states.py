"""What a sentence says: that something holds, or all that lies in a place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["AGENT", "HERE", "INVENTORY", "LOCATION", "Listing", "State", "cut", "located"]

AGENT: Final = "agent"
"""The slot of whoever acts."""

HERE: Final = "here"
"""A place that the text leaves open: where the agent is."""

INVENTORY: Final = "inventory"
"""Where the things are that the agent carries."""

LOCATION: Final = "location"
"""The aspect that says where a thing is."""

_ELLIPSIS: Final = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Something holds from this step on.

    Attributes:
        slot: What it is said of.
        aspect: `location`, `state`, a field's name; empty when the slot is a value itself.
        value: What holds.
        before: What held until now, as far as the step says so.
        quote: A verbatim part of the step that says it; may be empty.
        act: Place of the action that did it among the step's; -1 when it was only observed.
        is_event: Whether it counts each time, even when the same held before.
        detail: What exactly an event has changed: "old" -> "new"; may be empty.
    """

    slot: str
    aspect: str
    value: str
    before: str = ""
    quote: str = ""
    act: int = -1
    is_event: bool = False
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """All that could be seen in a place.

    Attributes:
        holder: The place.
        items: Names of what lies there.
        quote: A verbatim part of the step that says it.
    """

    holder: str
    items: tuple[str, ...]
    quote: str = ""


def located(thing: str, place: str, *, before: str = "", quote: str = "") -> State:
    """Return the state that a thing is in a place."""
    return State(slot=thing, aspect=LOCATION, value=place, before=before, quote=quote)


def cut(text: str, most: int) -> str:
    r"""Return a text in one line of at most `most` characters.

    >>> cut("one  two\nthree", 8)
    'one two…'
    """
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most else line[: most - 1].rstrip() + _ELLIPSIS
