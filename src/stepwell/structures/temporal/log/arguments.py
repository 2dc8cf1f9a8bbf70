"""The arguments of a call that is written as text: put(mug 1, to=shelf 2), tool: {"a": 1}."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from stepwell.structures.temporal.log.decoding import decoded
from stepwell.trajectory.fields import is_object

if TYPE_CHECKING:
    from stepwell.trajectory.model import JsonObject

__all__ = ["arguments_of"]

_ARGUMENT = re.compile(
    r"\s*(?:(\w{1,40})\s*=\s*)?(\"[^\"]{0,200}\"|'[^']{0,200}'|[^,]{1,200})\s*(?:,|$)"
)
"""One argument, with or without its key, quoted or not, up to the next comma."""

_MOST = 32


def arguments_of(text: str) -> JsonObject | None:
    """Return the arguments behind a tool's name: an object, in brackets or not, or key=value.

    >>> arguments_of('("mug 1", to=shelf 2)')
    {'_0': 'mug 1', 'to': 'shelf 2'}
    """
    bare = text.strip()
    if bare.startswith("(") and bare.endswith(")"):
        bare = bare[1:-1].strip()
        if not bare.startswith("{"):
            return _listed(bare)
    if not bare.startswith("{"):
        return None
    value = decoded(bare)
    return value if is_object(value) else None


def _listed(text: str) -> JsonObject | None:
    found: JsonObject = {}
    place = 0
    while place < len(text) and len(found) < _MOST:
        match = _ARGUMENT.match(text, place)
        if match is None:
            return None
        found[match[1] or f"_{len(found)}"] = match[2].strip().strip("\"'")
        place = match.end()
    return found
