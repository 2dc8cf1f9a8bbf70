"""The original bytes of the values inside a JSON document.

A document of many turns is kept as one raw record per turn, so that a step points at its own
bytes and a part that must not be kept (gold answers, say) is not kept by accident.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["elements", "fields", "member"]

_elements = msgspec.json.Decoder(list[msgspec.Raw]).decode
_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}:,]', re.DOTALL)
"""A string, or punctuation. A string that is cut off reaches to the end, and nothing in it is tried
again: a scan takes time in proportion to the bytes."""


def elements(raw: bytes) -> list[bytes]:
    """Return the bytes of each element of an array.

    What no parser takes is scanned: that counts brackets and never recurses, so nesting of any
    depth, `NaN` and bytes that are not UTF-8 pass through as they are.

    >>> elements(b'[1, {"a": [2]}, NaN]')
    [b'1', b'{"a": [2]}', b'NaN']
    """
    try:
        return [bytes(value).strip() for value in _elements(raw)]
    except (msgspec.DecodeError, RecursionError):
        return [value for _, value in _members(raw)]


def member(raw: bytes, name: str) -> bytes:
    """Return the bytes of a field of an object, or no bytes when the field is absent.

    When several fields have the name, the last one counts, as JSON parsers do.

    >>> member(b'{"a": 1, "b": [2, 3]}', "b")
    b'[2, 3]'
    """
    try:
        return bytes(_fields(raw).get(name, b"")).strip()
    except (msgspec.DecodeError, RecursionError):
        pass  # JSON that only a scan can take apart
    found = b""
    for key, value in _members(raw):
        if key == name:
            found = value
    return found


def fields(raw: bytes) -> dict[str, bytes]:
    """Return the bytes of each field of an object, the last one of each name.

    >>> fields(b'{"a": 1, "b": [2, 3]}')
    {'a': b'1', 'b': b'[2, 3]'}
    """
    try:
        return {name: bytes(value).strip() for name, value in _fields(raw).items()}
    except (msgspec.DecodeError, RecursionError):
        return {name: value for name, value in _members(raw) if name is not None}


def _members(raw: bytes) -> Iterator[tuple[str | None, bytes]]:
    depth, start, key = 0, 0, None
    for match in _TOKEN.finditer(raw):
        token = match[0]
        if token in b"[{":
            depth += 1
            start = match.end() if depth == 1 else start
        elif token in b"]}":
            depth -= 1
        ends = depth == 0 or (depth == 1 and token == b",")
        if ends and (value := raw[start : match.start()].strip()):
            yield key, value
        if depth == 0:
            return
        if depth == 1 and token in b",:":
            key = _key(raw[start : match.start()]) if token == b":" else None
            start = match.end()


def _key(raw: bytes) -> str | None:
    try:
        key = json.loads(raw.decode("utf-8", "replace"), strict=False)
    except ValueError:
        return None
    return key if isinstance(key, str) else None
