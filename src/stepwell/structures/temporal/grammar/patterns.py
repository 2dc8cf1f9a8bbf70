"""Regular expressions made of tables of phrases."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["any_of", "phrases"]

_BLANK = r"\ "
"""A blank as it is escaped."""


def any_of(texts: Iterable[str]) -> str:
    r"""Return the source of an expression that matches any of some texts, the first that fits.

    >>> any_of(("in/on", "next to"))
    '(?:in/on|next\\ to)'
    """
    return f"(?:{'|'.join(map(re.escape, texts))})"


def phrases(texts: Iterable[str], *, blank: str = r"\s+") -> str:
    r"""Return the source of an expression that finds any of some phrases as whole words.

    Args:
        texts: The phrases; `*` at the end of one stands for any ending.
        blank: The expression that a blank stands for.

    >>> bool(re.search(phrases(["chang*", "how often"]), "It changed."))
    True
    >>> bool(re.search(phrases(["change"]), "It changed."))
    False
    """
    return rf"\b(?:{'|'.join(_source(text, blank) for text in texts)})"


def _source(text: str, blank: str) -> str:
    source = re.escape(text.removesuffix("*")).replace(_BLANK, blank)
    return source if text.endswith("*") else rf"{source}\b"
