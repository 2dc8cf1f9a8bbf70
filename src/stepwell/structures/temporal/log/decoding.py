"""Objects and lists that are written in JSON or as Python literals."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

from stepwell.text.clean import readable
from stepwell.trajectory.fields import is_list, is_object

__all__ = ["decoded"]

_LARGEST = 200_000
"""Characters of an observation that is decoded; what is larger is data, not state."""

_LARGEST_LITERAL = _LARGEST // 4
"""Characters of what is read as Python, which takes longer."""

_HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""Half a surrogate pair may stand behind an escape of one: it can be neither shown nor stored."""

_LONG_HEX = re.compile(r"0[xXoObB][0-9a-fA-F_]{300}")
"""An integer that Python reads but would not write out."""


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
    if len(text) > _LARGEST_LITERAL or _LONG_HEX.search(text):
        return None
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return readable(value)
    if is_list(value):
        return [_mended(item) for item in value]
    if is_object(value):
        return {readable(str(key)): _mended(item) for key, item in value.items()}
    return value
