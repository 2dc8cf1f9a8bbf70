"""Credentials out of a whole trajectory or step: its texts, arguments and raw records."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from stepwell.text.redact import redact
from stepwell.trajectory.fields import is_list, is_object
from stepwell.trajectory.model import RawRecord

__all__ = ["redact_values"]

_T = TypeVar("_T")

_IDS = frozenset(
    {"trajectory_id", "session_id", "parent_trajectory_id", "parent_call_uid", "continued_from"}
    | {"uid", "call_uid", "parent_uid", "branch_id", "native_id", "native_ids", "sha256"}
    | {"child_trajectory_id", "kind", "raw_refs", "source_uri", "position"}
)
"""Fields that tie values together: replacing a part of an id would untie them."""

_MAX_DEPTH = 150
"""Levels of a JSON value that are searched; what nests deeper is left out."""

_LEAST_CHARS = 16
"""Characters below which a name is no credential."""

_MAX_NAMED = 512
"""Characters of a value that its name alone can make a credential."""


def redact_values(value: _T) -> tuple[_T, int]:
    """Replace credentials in everything a trajectory or step holds; return it with their number.

    A raw record keeps the hash of its original bytes; the number leaves raw records out, since
    they repeat the steps.
    """
    count = [0]
    changed: _T = _redacted(value, count, 0)
    return changed, count[0]


def _redacted(value: Any, count: list[int], depth: int) -> Any:
    """Return the value itself when nothing in it has to be replaced."""
    if isinstance(value, str):
        text, n = redact(value)
        count[0] += n
        return text if n else value
    if isinstance(value, RawRecord):
        return _redacted_record(value)
    if depth > _MAX_DEPTH:
        return None
    if is_object(value):
        return _redacted_object(value, count, depth)
    if is_list(value) or isinstance(value, tuple):
        return _redacted_items(value, count, depth)
    return _redacted_fields(value, count, depth) if is_dataclass(value) else value


def _redacted_record(record: RawRecord) -> RawRecord:
    text, n = redact(record.raw.decode("utf-8", "surrogateescape"))
    if n == 0:
        return record
    return replace(record, raw=text.encode("utf-8", "surrogateescape"), redacted=True)


def _redacted_object(value: dict[str, Any], count: list[int], depth: int) -> dict[str, Any]:
    new: dict[str, Any] = {}
    for key, item in value.items():
        name = _redacted_key(key, count)
        free = f"{name} {len(new)}" if name in new else name
        new[free] = _redacted_member(name, item, count, depth)
    is_same = all(new.get(key, new) is item for key, item in value.items())
    return value if is_same else new


def _redacted_key(key: Any, count: list[int]) -> Any:
    """Redact the name of a member: a table may be kept by credential."""
    if not isinstance(key, str) or len(key) < _LEAST_CHARS:  # a caller's own Step holds anything
        return key
    text, n = redact(key)
    count[0] += n
    return text


def _redacted_member(key: str, item: Any, count: list[int], depth: int) -> Any:
    """Redact a member of an object, whose key may be what makes it a credential."""
    if isinstance(item, str) and len(item) <= _MAX_NAMED:
        text, n = redact(f'{key}="{item}"')
        prefix = f'{key}="'
        if n and text.startswith(prefix):
            count[0] += n
            return text[len(prefix) : -1]
        return item
    return _redacted(item, count, depth + 1)


def _redacted_items(value: Any, count: list[int], depth: int) -> Any:
    new = [_redacted(item, count, depth + 1) for item in value]
    if all(now is before for now, before in zip(new, value, strict=True)):
        return value
    return new if isinstance(value, list) else tuple(new)


def _redacted_fields(value: Any, count: list[int], depth: int) -> Any:
    changed: dict[str, Any] = {}
    for field in fields(value):
        before = getattr(value, field.name)
        now = before if field.name in _IDS else _redacted(before, count, depth + 1)
        if now is not before:
            changed[field.name] = now
    return replace(value, **changed) if changed else value
