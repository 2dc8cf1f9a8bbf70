"""What a single step says: actions, states, and listings of what lies somewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["HERE", "INVENTORY", "LOCATION", "Act", "Facts", "Listing", "State", "cut"]

HERE: Final = "here"
"""A place that the text leaves open: where the agent is."""

INVENTORY: Final = "inventory"
"""Where things are that the agent carries."""

LOCATION: Final = "location"
"""The aspect that says where a thing is."""

_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One action.

    Attributes:
        text: The action in one line.
        verb: Its verb, or the tool's name.
        objects: Names of what it acts upon, the one it changes first.
        quote: A part of `text` that stands verbatim in an atom of the step; may be empty.
        failed: Whether what came back says that it failed.
        moves: Whether it only moves the agent itself.
    """

    text: str
    verb: str = ""
    objects: tuple[str, ...] = ()
    quote: str = ""
    failed: bool = False
    moves: bool = False


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
        is_event: Whether it counts each time, also when the same held before.
    """

    slot: str
    aspect: str
    value: str
    before: str = ""
    quote: str = ""
    act: int = -1
    is_event: bool = False


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a step says.

    Attributes:
        acts: Its actions, in order.
        states: What holds after it, in the order it is said.
        listings: What is seen where.
        awaits: Whether the answer to its actions comes with the next step.
        answers: Whether it may be the answer to the step before.
        failed: Whether it says that something failed.
        has_text: Whether the step has any atom.
    """

    acts: tuple[Act, ...] = ()
    states: tuple[State, ...] = ()
    listings: tuple[Listing, ...] = ()
    awaits: bool = False
    answers: bool = False
    failed: bool = False
    has_text: bool = True


def cut(text: str, most: int) -> str:
    r"""Return a text in one line of at most `most` characters.

    >>> cut("one  two\nthree", 8)
    'one two…'
    """
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most else line[: most - 1].rstrip() + _ELLIPSIS
