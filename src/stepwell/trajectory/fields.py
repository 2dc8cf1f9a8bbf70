"""Typed reads of decoded JSON: a value of the wrong type counts as absent, and nothing raises."""

from __future__ import annotations

import math
from datetime import UTC, datetime
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

_MILLISECONDS_FROM = 1e11
"""Epoch numbers above this are milliseconds: as seconds they would lie beyond the year 5000."""


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
    """Return an ISO 8601 string or an epoch number (seconds or milliseconds) in UTC.

    A time without a zone is taken as UTC; what is no time is None.
    """
    try:
        if (number := number_of(value)) is not None:
            seconds = number / 1000 if number > _MILLISECONDS_FROM else number
            return datetime.fromtimestamp(seconds, tz=UTC)
        if not isinstance(value, str):
            return None
        parsed = datetime.fromisoformat(value.strip())
        return parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None


def is_object(value: object) -> TypeGuard[JsonObject]:
    """Return whether the value is an object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Return whether the value is an array."""
    return isinstance(value, list)
