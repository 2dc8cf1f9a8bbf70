"""Who says what: names and dates in what people say, and what they say of themselves."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from stepwell.structures.graph.model import Triple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["dated", "mentioned", "told"]

_MOST: Final = 10

_WORD = re.compile(r"[^\W\d_][\w'’&-]{0,40}")  # noqa: RUF001  (the apostrophe of texts)
_LINKS: Final = frozenset({"of", "the", "and", "de", "la", "van", "von", "for", "&"})

_OPENERS: Final = frozenset(
    {
        *("a", "an", "and", "but", "hello", "hey", "hi", "i", "if", "in", "it", "my", "no", "oh"),
        *("on", "our", "please", "so", "thank", "thanks", "that", "the", "then", "these", "this"),
        *("we", "well", "when", "woah", "wow", "yeah", "yep", "yes", "you", "your", "cool", "did"),
    }
)
"""Words that stand first in a sentence, in front of a name."""

_MONTH: Final = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_DATE = re.compile(
    r"\b(?:\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d)?"
    rf"|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH},?(?: \d{{4}})?"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?"
    rf"|{_MONTH} \d{{4}}"
    r"|(?:last|next|this) (?:week(?:end)?|month|year|summer|winter|spring|fall|autumn|night"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)"
    r"|yesterday|tomorrow)\b"
)

_FIRST_PERSON = re.compile(
    r"\b(?:I|[Ww]e)(?:['’](?:m|ve|d|ll|re))?"  # noqa: RUF001
    r"((?: (?:am|was|have|had|just|also|really|recently|even|will|did|been|finally|always|never"
    r"|still|already|are|were|do|can|could|would|should|gonna|going to)){0,4})"
    r" ([^\W\d_]{2,20}(?: (?:to|at|in|on|with|for|about|from|into|up|out))?)"
    r" ([^.!?;\n]{3,160})"
)
_MY = re.compile(
    r"\b[Mm]y ([^\W\d_]{2,20}(?: [^\W\d_]{2,20})?) (?:is|are|was|were) ([^.!?;\n]{2,100})"
)


def told(text: str, *, by: str) -> Iterator[Triple]:
    """Yield what someone says of themselves.

    >>> [tuple(t)[:3] for t in told("Well, I just moved to a flat near the port.", by="Ada")]
    [('Ada', 'just moved to', 'a flat near the port')]
    """
    for match in islice(_FIRST_PERSON.finditer(text), _MOST):
        yield Triple(by, f"{match[1]} {match[2]}".strip(), match[3])
    for match in islice(_MY.finditer(text), _MOST):
        yield Triple(by, f"'s {match[1]}", match[2])


def dated(text: str, *, by: str) -> Iterator[Triple]:
    """Yield the dates someone mentions.

    >>> [tuple(t)[:3] for t in dated("It was on 8 May 2023.", by="Ada")]
    [('Ada', 'mentions date', '8 May 2023')]
    """
    for match in islice(_DATE.finditer(text), _MOST):
        yield Triple(by, "mentions date", match[0])


def mentioned(text: str, *, by: str) -> Iterator[Triple]:
    """Yield the names someone mentions: capitalised words, but not for standing first.

    >>> [tuple(t)[:3] for t in mentioned("Yes! We saw the Tower of London with Grace.", by="Ada")]
    [('Ada', 'mentions', 'Tower of London'), ('Ada', 'mentions', 'Grace')]
    """
    for name in islice(_capitalised(text), _MOST):
        yield Triple(by, "mentions", name)


def _capitalised(text: str) -> Iterator[str]:
    first = last = 0  # where the open run of capitalised words starts and ends
    for match in _WORD.finditer(text):
        start, end = match.span()
        joins = first < last and text[last:start] == " "
        is_capital = match[0][0].isupper()
        if joins and (is_capital or match[0] in _LINKS):
            last = end
            continue
        yield from _name(text, first, last)
        first, last = start, end if is_capital else start
    yield from _name(text, first, last)


def _name(text: str, first: int, last: int) -> Iterator[str]:
    """Yield the name a run of capitalised words is, if it is one."""
    words = text[first:last].split(" ")
    while words and words[-1] in _LINKS:
        words.pop()
    before = text[max(0, first - 4) : first].rstrip(" \"'*(-")
    if words and (not before or before[-1] in ".!?:…\n"):
        if words[0].lower() in _OPENERS:
            words = words[1:]
        elif len(words) == 1:
            return
    name = " ".join(words).removesuffix("'s").removesuffix("’s")  # noqa: RUF001
    if len(name) > 1 and name[:2] not in {"I'", "I’"}:  # noqa: RUF001
        yield name
