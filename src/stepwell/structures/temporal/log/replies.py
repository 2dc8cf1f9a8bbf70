"""What the results of like actions share: how they begin, without names and numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from stepwell.structures.temporal.grammar.words.fields import ERRORS, STATUSES
from stepwell.structures.temporal.log.decoding import decoded
from stepwell.trajectory.fields import is_object

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["reply_of"]

_READ, _KEPT = 400, 60
"""Characters read of a result, and kept of how it begins."""

_NUMBER = re.compile(r"\d+")
_OUTCOMES: Final = frozenset({"ok", "success", "result", "code", *ERRORS, *STATUSES})
"""Fields that say how something went; what the others say differs anyway."""


def reply_of(text: str, names: Sequence[str]) -> str:
    r"""Return how a result begins: its first line without the names of its action, and numbers.

    Two results of one action that begin alike say the same of it, whatever they say. Of an object
    its fields are told, and what those say that tell how it went.

    >>> reply_of("You take the mug 1.\nIt is cold.", ["mug 1"])
    'you take the _.'
    """
    value = decoded(text)
    if is_object(value):
        return " ".join(f"{key}={_outcome(key, one)}" for key, one in sorted(value.items()))[:_KEPT]
    line = text.strip()[:_READ].partition("\n")[0].casefold()
    for name in sorted(names, key=len, reverse=True):
        line = line.replace(name.casefold(), "_")
    return _NUMBER.sub("#", line)[:_KEPT]


def _outcome(key: str, value: Any) -> str:
    return str(value)[:_KEPT] if key.casefold() in _OUTCOMES else ""
