"""Values in lines such as `Score: 66`, `HP 12/16`, `x=71`, and in blocks below a key."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from stepwell.structures.temporal.grammar.names import is_name, key_of, listed
from stepwell.structures.temporal.grammar.sentences import LEVEL
from stepwell.structures.temporal.grammar.states import (
    AGENT,
    INVENTORY,
    LOCATION,
    Listing,
    State,
    cut,
)
from stepwell.structures.temporal.grammar.words.fields import CARRIED, PLACES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["field_lines"]

_KEY_VALUE = re.compile(r"[-*•]?\s*(?P<key>[^\W\d_][\w .'-]{0,39}?)\s*[:=]\s+(?P<value>\S.{0,199})")
"""Score: 66"""

_BLOCK = re.compile(r"(?P<key>[^\W\d_][\w ]{0,39}?)\s*:")
"""A key alone, above its values: "Inventory:"."""

_COUNTER = re.compile(r"(?P<key>[A-Za-z][A-Za-z ]{0,19}?)\s+(?P<value>\d+\s*/\s*\d+)")
"""HP 12/16"""

_PAIR = re.compile(
    r"(?<![\w&?])(?P<key>[A-Za-z_]\w{0,19})[=:](?P<value>-?\d[\d.]*(?:\(\d+\)|/\d+)?)(?![\w:])"
)
"""x=71"""

_CODE = re.compile(r"[(){}\[\]'\"]")
"""What a value has that is an expression of a program."""

_SHORT = 24
"""Characters of an assigned value that is no expression of a program."""

_MOST_LINES, _MOST_FIELDS, _MOST_ROWS = 400, 64, 12
_LONGEST_LINE = 260
_LONGEST = 200
"""Characters kept of a value."""


def field_lines(lines: Sequence[str]) -> Iterator[State | Listing]:
    """Yield the values of lines, and of blocks below a key.

    >>> [(s.slot, s.value) for s in field_lines(["Score: 66", "HP 12/16"])]
    [('Score', '66'), ('HP', '12/16')]
    """
    place = 0
    n = 0
    while place < min(len(lines), _MOST_LINES) and n < _MOST_FIELDS:
        line = LEVEL.sub("", lines[place].strip())
        place += 1
        if (block := _BLOCK.fullmatch(line)) and not line.casefold().startswith("you "):
            below = _below(lines, place)
            place += len(below)
            if below:
                yield State(slot=block["key"], aspect="", value=cut(" / ".join(below), _LONGEST))
        for state in _in_line(line):
            n += 1
            yield _of_agent(state)


def _of_agent(state: State) -> State | Listing:
    """Return what a line says of the agent, where its key does: what it carries, where it is."""
    folded = key_of(state.slot)
    if folded in CARRIED and (items := listed(state.value)) is not None:
        return Listing(holder=INVENTORY, items=items, quote=state.quote)
    if folded in PLACES and is_name(state.value):
        return replace(state, slot=AGENT, aspect=LOCATION)
    return state


def _below(lines: Sequence[str], place: int) -> list[str]:
    """Return the lines of a block: up to an empty one, or one that has a key itself."""
    found: list[str] = []
    for line in lines[place : place + _MOST_ROWS]:
        bare = line.strip()
        if not bare or _KEY_VALUE.fullmatch(bare) or _BLOCK.fullmatch(bare):
            break
        found.append(" ".join(line.split()))
    return found


def _in_line(line: str) -> Iterator[State]:
    if len(line) > _LONGEST_LINE:
        return
    match = _KEY_VALUE.fullmatch(line) or _COUNTER.fullmatch(line)
    if match is not None and not _is_code(line, match["value"]):
        yield State(slot=match["key"], aspect="", value=cut(match["value"], _LONGEST), quote=line)
        return
    for pair in _PAIR.finditer(line):
        yield State(slot=pair["key"], aspect="", value=pair["value"], quote=pair[0])


def _is_code(line: str, value: str) -> bool:
    """Return whether a line assigns a value in a program rather than tells one."""
    return "=" in line[: -len(value)] and (_CODE.search(value) is not None or len(value) > _SHORT)
