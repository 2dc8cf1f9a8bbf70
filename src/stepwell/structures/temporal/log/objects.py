"""What an object says that an observation is: its fields, and the things it names."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from stepwell.structures.temporal.grammar.names import is_name, key_of
from stepwell.structures.temporal.grammar.states import (
    AGENT,
    INVENTORY,
    Listing,
    State,
    cut,
    located,
)
from stepwell.structures.temporal.grammar.words.fields import (
    CARRIED,
    ERRORS,
    HELD,
    IDENTITIES,
    PLACES,
    STATUSES,
)
from stepwell.trajectory.fields import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["object_facts"]

_MOST_FIELDS = 64
_MOST_ROWS = 12
_DEEPEST = 4
_LONGEST = 200
"""Characters of a value: longer ones are texts."""

_HUGE: Final = 10**100
"""From here on a number is not written out."""

_Path = tuple[str, ...]


def object_facts(value: Any, text: str) -> tuple[list[State], list[Listing]]:
    """Return what an object says: its fields by their path, and things by their names.

    A field whose object has a name is one of that thing; places and inventories are read as such.

    Args:
        value: The decoded observation.
        text: Its text, which values are quoted from.

    >>> states, _ = object_facts({"objects": [{"name": "mug 2", "location": "desk 1"}]}, "")
    >>> states[0].slot, states[0].aspect, states[0].value
    ('mug 2', 'location', 'desk 1')
    """
    states: list[State] = []
    listings: list[Listing] = []
    for found in _walk(value, (), 0):
        if len(states) + len(listings) >= _MOST_FIELDS:
            break
        if isinstance(found, Listing):
            listings.append(found)
        else:
            is_quoted = found.value and found.value in text
            states.append(replace(found, quote=found.value) if is_quoted else found)
    return states, listings


def _walk(value: Any, path: _Path, depth: int) -> Iterator[State | Listing]:
    if depth > _DEEPEST:
        return
    if is_object(value):
        yield from _fields(value, path, depth)
    elif is_list(value):
        for row in value[:_MOST_ROWS]:
            if is_object(row) and _thing_of(row):
                yield from _walk(row, path, depth + 1)


def _fields(value: dict[str, Any], path: _Path, depth: int) -> Iterator[State | Listing]:
    thing = _thing_of(value)
    inner = (thing,) if thing else path
    for key, member in list(value.items())[:_MOST_FIELDS]:
        if not (thing and key in IDENTITIES and member == thing):
            yield from _field(str(key), member, inner, depth)


def _thing_of(value: dict[str, Any]) -> str:
    """Return the name of what an object describes; empty without one."""
    found = next((value[name] for name in IDENTITIES if isinstance(value.get(name), str)), "")
    return found if is_name(found) else ""


def _field(key: str, value: Any, path: _Path, depth: int) -> Iterator[State | Listing]:
    listing = _listing(key, value, path)
    if listing is not None:
        yield listing
    elif key_of(key) in PLACES and _is_placement(value):
        yield from (
            located(str(thing), _place(where))
            for thing, where in list(value.items())[:_MOST_FIELDS]
        )
    elif _is_nested(value):
        yield from _walk(value, (*path, key), depth + 1)
    elif (shown := _shown(value)) is not None:
        yield _state(key, shown, path)


def _listing(key: str, value: Any, path: _Path) -> Listing | None:
    """Return what a field says that is carried, or lies in the thing; None if it says no such."""
    folded = key_of(key)
    holder = path[-1] if folded in HELD and path else None
    if folded in CARRIED:
        holder = INVENTORY
    items = None if holder is None else _names_in(value)
    return None if holder is None or items is None else Listing(holder=holder, items=items)


def _is_placement(value: Any) -> bool:
    """Return whether a value is an object from things to places."""
    return is_object(value) and all(isinstance(place, str) for place in value.values())


def _is_nested(value: Any) -> bool:
    return is_object(value) or (is_list(value) and any(map(is_object, value[:_MOST_ROWS])))


def _place(value: str) -> str:
    return INVENTORY if key_of(value) in CARRIED else value


def _state(key: str, shown: str, path: _Path) -> State:
    folded = key_of(key)
    thing = path[-1] if path else ""
    if folded in PLACES:
        return located(thing if path else AGENT, _place(shown))
    if folded in STATUSES and path:
        return State(slot=thing, aspect=folded, value=shown)
    if " " in thing and is_name(thing):
        return State(slot=thing, aspect=key, value=shown)
    slot = ".".join((*path, key))
    return State(slot=slot, aspect="", value=shown, is_event=folded in ERRORS)


def _names_in(value: Any) -> tuple[str, ...] | None:
    """Return the names in a list, or of things that are counted; None when it is neither."""
    if value is None or value == "":
        return ()
    if isinstance(value, str):
        return (value,) if is_name(value) else None
    if is_object(value):
        return _counted(value)
    return _names(value) if is_list(value) else None


def _counted(value: dict[str, Any]) -> tuple[str, ...] | None:
    """Return the names of an object from names to numbers, of which there are any."""
    if not all(isinstance(n, int) for n in value.values()):
        return None
    return tuple(str(name) for name, n in value.items() if n)


def _names(value: list[Any]) -> tuple[str, ...] | None:
    names = [_thing_of(item) if is_object(item) else item for item in value[:_MOST_FIELDS]]
    return tuple(names) if all(isinstance(name, str) and is_name(name) for name in names) else None


def _shown(value: Any) -> str | None:
    """Return a value as it is shown; None for a text, which is no state."""
    if isinstance(value, str):
        return " ".join(value.split()) if len(value) <= _LONGEST else None
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    return _number(value) if isinstance(value, int | float) else _written(value)


def _number(value: float) -> str:
    is_huge = isinstance(value, int) and abs(value) >= _HUGE
    return "a huge number" if is_huge else repr(value)


def _written(value: Any) -> str | None:
    try:
        return cut(json.dumps(value, ensure_ascii=False, default=str), _LONGEST)
    except (ValueError, RecursionError, TypeError):
        return None
