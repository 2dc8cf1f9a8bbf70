"""Verdicts: the line of a result that says how a failure ended, which is near its end."""

from __future__ import annotations

import re

__all__ = ["verdict_in"]

_LINES = 12
"""Lines at the end that are read: prompts and hints of tools may stand behind a verdict."""

_VERDICT = re.compile(
    r"^\W{0,8}(?:E\s+)?(?:[\w.]{0,80}(?:Error|Exception|Interrupt|Warning as error)\b(?=:|\s*$)"
    r"|FAILED\b|FAILURES?\b|fatal:|error(?:\[\w+\])?:|npm ERR!|make(?:\[\d+\])?: \*\*\*"
    r"|panic(?:ked)?\b|(?:Process |Command )?exit(?:ed)?\b.{0,40}?\b(?:code|status)\W{1,3}-?[1-9])"
    r"|\b[1-9]\d* (?:failed|failures?|errors?)\b|\b(?:failures|errors)=[1-9]",
    re.MULTILINE,
)


def verdict_in(text: str, *, is_failed: bool) -> tuple[int, int] | None:
    r"""Return where the last line stands that says how a failure ended, or None.

    Args:
        text: The end of a result.
        is_failed: Whether the step is known to have failed: then its last line is the verdict where
            none looks like one.

    >>> text = "Traceback\n  x()\nKeyError: 'port'\n$ \n"
    >>> text[slice(*verdict_in(text, is_failed=False))]
    "KeyError: 'port'"
    """
    end, found = len(text.rstrip()), None
    for _ in range(_LINES):
        start = text.rfind("\n", 0, end) + 1
        if _VERDICT.search(text, start, end):
            return start, end
        if is_failed and found is None and end > start:
            found = (start, end)
        end = len(text[: max(start - 1, 0)].rstrip())
        if not end:
            break
    return found
