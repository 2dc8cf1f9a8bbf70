"""Typed reads of decoded JSON: a value of the wrong type counts as absent, and nothing raises."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, TypeGuard

if TYPE_CHECKING:
    from stepwell.trajectory.model import JsonObject

__all__ = [
    "first_str",
    "int_of",
    "is_list",
    "is_object",
    "list_of",
    "number_of",
    "object_of",
    "rest_of",
    "str_of",
    "time_of",
]

_MOST_SECONDS = 1e11
"""Epoch numbers above this are milliseconds or less: as seconds they would lie beyond 5000."""

_LEAST_EPOCH = 1e8
"""Numbers below this are no epoch seconds: they would lie before March 1973."""

_UNSET_YEARS = (1, 9999)
_EPOCH = re.compile(r"\d{9,20}(?:\.\d{1,20})?", re.ASCII)
_RFC_2822 = re.compile(
    r"(?:[A-Z][a-z]{2}, ?)?\d{1,2} [A-Z][a-z]{2} [12]\d{3} \d\d:\d\d(?::\d\d)?"
    r"(?: (?:[+-]\d{4}|UTC?|GMT|Z|[ECMP][SD]T))?(?: \([^()]{0,40}\))?",
    re.ASCII,
)


def object_of(value: Any) -> JsonObject:
    """Return the value when it is an object, else an empty one."""
    return value if is_object(value) else {}


def list_of(value: Any) -> list[Any]:
    """Return the value when it is an array, else an empty one."""
    return value if is_list(value) else []


def str_of(value: Any) -> str | None:
    """Return the value when it is a string that is not empty; an integer id as its digits."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return str(value)
    return value if isinstance(value, str) and value else None


def int_of(value: Any) -> int | None:
    """Return the value when it is an integer, or a float without a fraction."""
    number = number_of(value)
    return int(number) if number is not None and number == int(number) else None


def number_of(value: Any) -> float | None:
    """Return the value when it is a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def first_str(value: JsonObject, *names: str) -> str | None:
    """Return the first of the named fields that holds a string or an integer."""
    for name in names:
        if (text := str_of(value.get(name))) is not None:
            return text
    return None


def rest_of(value: JsonObject, known: frozenset[str]) -> JsonObject:
    """Return the fields of an object that the reader has no place for, nulls left out."""
    return {name: item for name, item in value.items() if name not in known and item is not None}


def time_of(value: Any) -> datetime | None:
    """Return a time in UTC: ISO 8601, RFC 2822, or an epoch number, which may be a string.

    Epoch numbers are seconds, milliseconds, microseconds or nanoseconds, by their size. A time
    without a zone is taken as UTC. What is no time is None, and so are the years 1 and 9999, by
    which programs say that they know none, and small numbers, which count from their own start.
    """
    text = value.strip() if isinstance(value, str) else ""
    number = float(text) if _EPOCH.fullmatch(text) else number_of(value)
    try:
        if number is not None:
            parsed = _epoch(number)
        elif _RFC_2822.fullmatch(text):
            parsed = parsedate_to_datetime(text)
        else:
            parsed = datetime.fromisoformat(text.upper())
        time = parsed.astimezone(UTC) if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None if time.year in _UNSET_YEARS else time


def _epoch(number: float) -> datetime:
    if number < _LEAST_EPOCH:
        raise ValueError("too small")
    for _ in range(3):
        number = number / 1000 if number > _MOST_SECONDS else number
    return datetime.fromtimestamp(number, tz=UTC)


def is_object(value: object) -> TypeGuard[JsonObject]:
    """Return whether the value is an object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Return whether the value is an array."""
    return isinstance(value, list)
