"""What a detector is: a pattern of one kind of credential, a text it finds and one it leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

__all__ = ["WORD_START", "Accepts", "Detector", "sample"]

Accepts: TypeAlias = "Callable[[re.Match[str]], bool]"
"""Says of a match whether it is a credential: what a pattern cannot say, or not quickly."""

WORD_START = r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrt])|(?<=\[\dm)|(?<=\[\d\dm)|(?<=\[\d;\d\dm))"
"""No letter, digit or `_` stands before a token, but the letter of an escape may: `\\\\nghp_`."""

_SPLIT = "¦"
"""Stands within the samples of a table, so that no file holds what looks like a credential."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detector:
    """One kind of credential. How its place is found says how fast it is; exactly one is given.

    Attributes:
        kind: What stands for it: `[redacted:kind]`.
        name: The name of this detector, unique.
        pattern: What is replaced is its last group, or all of it.
        hit: A text that holds one.
        miss: A text that resembles it and holds none.
        starts: Lower-case literals; the pattern is tried where one stands.
        heads: First characters, one or two, of long words; the pattern is tried at such a word.
        within: A literal around which the pattern is searched for.
        accepts: What else has to be so.
    """

    kind: str
    name: str
    pattern: re.Pattern[str]
    hit: str
    miss: str
    starts: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    within: str = ""
    accepts: Accepts | None = None


def sample(text: str) -> str:
    """Return a sample as it stands in logs: tables hold them in pieces.

    >>> sample("gh¦p_") == "gh" + "p_"
    True
    """
    return text.replace(_SPLIT, "")
