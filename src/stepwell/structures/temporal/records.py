"""Values in structured observations: JSON, Python literals, and lines such as `Score: 66`."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from stepwell.structures.temporal.facts import INVENTORY, LOCATION, Listing, State, cut
from stepwell.structures.temporal.names import is_name, key_of, listed
from stepwell.text.clean import readable
from stepwell.trajectory.fields import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["decoded", "fields_of", "lines_of"]

_LARGEST = 200_000
"""Characters of an observation that is decoded; what is larger is data, not state."""

_MOST_FIELDS = 64
_DEEPEST = 4
_LONGEST = 200
"""Characters of a value: longer ones are texts."""

_MOST_LINES = 400
_LONGEST_LINE = 260
_MOST_ROWS = 12
_NAMES: Final = ("name", "id", "object", "item", "label", "title")
_PLACES: Final = frozenset(
    {
        *("location", "locations", "at", "in", "on", "position", "room", "holder", "container"),
        *("place", "where", "parent", "placed", "places", "positions", "whereabouts"),
    }
)
_CARRIED: Final = frozenset(
    {
        *(
            "inventory",
            "holding",
            "carrying",
            "hands",
            "hand",
            "held",
            "bag",
            "backpack",
            "carried",
        ),
        *("in hand", "in hands", "pack", "pockets"),
    }
)
_HELD: Final = frozenset({"contents", "contains", "items", "holds", "objects"})
_KEY_VALUE = re.compile(r"[-*•]?\s*(?P<key>[^\W\d_][\w .'-]{0,39}?)\s*[:=]\s+(?P<value>\S.{0,199})")
_BLOCK = re.compile(r"(?P<key>[^\W\d_][\w ]{0,39}?)\s*:")
_COUNTER = re.compile(r"(?P<key>[A-Za-z][A-Za-z ]{0,19}?)\s+(?P<value>\d+\s*/\s*\d+)")
_PAIRS = re.compile(
    r"(?<![\w&?])(?P<key>[A-Za-z_]\w{0,19})[=:](?P<value>-?\d[\d.]*(?:\(\d+\)|/\d+)?)(?![\w:])"
)


def decoded(text: str) -> Any:
    """Return the object or list that an observation is, written in JSON or as Python; else None.

    >>> decoded("{'score': 4, 'done': False}")
    {'score': 4, 'done': False}
    """
    bare = text.strip() if len(text) <= _LARGEST else ""
    if bare[:1] not in {"{", "["} or bare[-1:] not in {"}", "]"}:
        return None
    value = _parsed(bare)
    return _mended(value) if _HALF.search(bare) else value


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    if len(text) > _LARGEST // 4 or _LONG_HEX.search(text):
        return None
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


_HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""Half a surrogate pair may stand behind an escape of one: it can be neither shown nor stored."""

_LONG_HEX = re.compile(r"0[xXoObB][0-9a-fA-F_]{300}")
"""An integer that Python reads but would not write out."""


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return readable(value)
    if is_list(value):
        return [_mended(item) for item in value]
    if is_object(value):
        return {readable(str(key)): _mended(item) for key, item in value.items()}
    return value


def fields_of(value: Any, text: str) -> tuple[list[State], list[Listing]]:
    """Return what an object says: its fields by their path, and things by their names.

    A field whose object has a name is one of that thing; places and inventories are read as such.

    Args:
        value: The decoded observation.
        text: Its text, which values are quoted from.

    >>> states, _ = fields_of({"objects": [{"name": "mug 2", "location": "desk 1"}]}, "")
    >>> states[0].slot, states[0].aspect, states[0].value
    ('mug 2', 'location', 'desk 1')
    """
    states: list[State] = []
    listings: list[Listing] = []
    for entry in _walk(value, (), 0):
        if len(states) + len(listings) >= _MOST_FIELDS:
            break
        if isinstance(entry, Listing):
            listings.append(entry)
        else:
            states.append(_quoted(entry, text))
    return states, listings


def _quoted(state: State, text: str) -> State:
    if state.value and state.value in text:
        return replace(state, quote=state.value)
    return state


def _walk(value: Any, path: tuple[str, ...], depth: int) -> Iterator[State | Listing]:
    if depth > _DEEPEST:
        return
    if is_object(value):
        thing = _thing_of(value)
        inner = (thing,) if thing else path
        for key, member in list(value.items())[:_MOST_FIELDS]:
            if thing and key in _NAMES and member == thing:
                continue
            yield from _member(str(key), member, inner, depth)
    elif is_list(value) and any(map(is_object, value[:_MOST_ROWS])):
        for row in value[:_MOST_ROWS]:
            if is_object(row) and _thing_of(row):
                yield from _walk(row, path, depth + 1)


def _thing_of(value: dict[str, Any]) -> str:
    """Return the name of what an object describes; empty without one."""
    found = next((value[name] for name in _NAMES if isinstance(value.get(name), str)), "")
    return found if is_name(found) else ""


def _member(key: str, value: Any, path: tuple[str, ...], depth: int) -> Iterator[State | Listing]:
    folded = key_of(key)
    if folded in _CARRIED and (items := _names_in(value)) is not None:
        yield Listing(holder=INVENTORY, items=items)
    elif folded in _HELD and path and (items := _names_in(value)) is not None:
        yield Listing(holder=path[-1], items=items)
    elif folded in _PLACES and is_object(value) and all(isinstance(v, str) for v in value.values()):
        yield from _placed(value)
    elif is_object(value) or (is_list(value) and any(map(is_object, value[:_MOST_ROWS]))):
        yield from _walk(value, (*path, key), depth + 1)
    elif (shown := _shown(value)) is not None:
        yield _state(key, shown, path)


def _placed(places: dict[str, str]) -> Iterator[State]:
    for thing, place in list(places.items())[:_MOST_FIELDS]:
        where = INVENTORY if key_of(place) in _CARRIED else place
        yield State(slot=str(thing), aspect=LOCATION, value=where)


def _state(key: str, shown: str, path: tuple[str, ...]) -> State:
    folded = key_of(key)
    if folded in _PLACES:
        where = INVENTORY if key_of(shown) in _CARRIED else shown
        return State(slot=path[-1] if path else "agent", aspect=LOCATION, value=where)
    if folded in {"status", "state"} and path:
        return State(slot=path[-1], aspect=folded, value=shown)
    if path and is_name(path[-1]) and " " in path[-1]:
        return State(slot=path[-1], aspect=key, value=shown)
    is_event = folded in {"error", "exception"}
    return State(slot=".".join((*path, key)), aspect="", value=shown, is_event=is_event)


def _names_in(value: Any) -> tuple[str, ...] | None:
    """Return the names in a list, or of things that are counted; None when it is neither."""
    if value is None or value == "":
        return ()
    if isinstance(value, str):
        return (value,) if is_name(value) else None
    if is_object(value):
        counted = all(isinstance(n, int) for n in value.values())
        return tuple(str(name) for name, n in value.items() if n) if counted else None
    if not is_list(value):
        return None
    names = [_thing_of(item) if is_object(item) else item for item in value[:_MOST_FIELDS]]
    return tuple(names) if all(isinstance(name, str) and is_name(name) for name in names) else None


def _shown(value: Any) -> str | None:
    """Return a value as it is shown; None for a text, which is no state."""
    if isinstance(value, str):
        return " ".join(value.split()) if len(value) <= _LONGEST else None
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value) if isinstance(value, float) or abs(value) < _HUGE else "a huge number"
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError, TypeError):
        return None
    return cut(text, _LONGEST)


_HUGE: Final = 10**100


def lines_of(lines: Sequence[str]) -> Iterator[State | Listing]:
    """Yield the values of lines such as `Score: 66`, `HP 12/16`, `x=71`, and of blocks below a key.

    >>> [(s.slot, s.value) for s in lines_of(["Score: 66", "HP 12/16"])]
    [('Score', '66'), ('HP', '12/16')]
    """
    place = 0
    n = 0
    while place < min(len(lines), _MOST_LINES) and n < _MOST_FIELDS:
        line = lines[place].strip()
        place += 1
        if (block := _BLOCK.fullmatch(line)) and not line.casefold().startswith("you "):
            below = _below(lines, place)
            place += len(below)
            if below:
                yield State(slot=block["key"], aspect="", value=cut(" / ".join(below), _LONGEST))
        for state in _in_line(line):
            n += 1
            yield _told(state)


def _told(state: State) -> State | Listing:
    """Return what a line says of the agent, where its key does: what it carries, where it is."""
    folded = key_of(state.slot)
    if folded in _CARRIED and (items := listed(state.value)) is not None:
        return Listing(holder=INVENTORY, items=items, quote=state.quote)
    if folded in _PLACES and is_name(state.value):
        return replace(state, slot="agent", aspect=LOCATION)
    return state


def _is_code(line: str, value: str) -> bool:
    """Return whether a line assigns a value in a program rather than tells one."""
    return "=" in line[: -len(value)] and (_CODE.search(value) is not None or len(value) > _SHORT)


_CODE = re.compile(r"[(){}\[\]'\"]")
_SHORT: Final = 24


def _below(lines: Sequence[str], place: int) -> list[str]:
    """Return the lines of a block: up to an empty one, or one that has a key itself."""
    found: list[str] = []
    for line in lines[place : place + _MOST_ROWS]:
        if not line.strip() or _KEY_VALUE.fullmatch(line.strip()) or _BLOCK.fullmatch(line.strip()):
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
    for match in _PAIRS.finditer(line) if "=" in line or ":" in line else ():
        yield State(slot=match["key"], aspect="", value=match["value"], quote=match[0])
