r"""Bulk: text that nobody reads, such as base64, minified code and vectors of numbers.

What a log holds of it is kept and shown by citation, but its "words" are noise to every index. A
hash, an id, a path or a compact JSON document is no bulk, however few blanks it has.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["BULK_HEAD", "bulk_spans", "is_head_of_bulk", "without_bulk"]

_MOST_PARTS = 3
"""Parts between blanks that the beginning of bulk may have: minified code has a blank here and
there, and prose more of them."""

BULK_HEAD: Final = 48
"""Characters kept of bulk: they tell its kind, and some who ask for it quote them."""

_LEAST_ENCODED: Final = 200
"""Characters of encoded data from which on it is bulk. Nobody asks for more by heart: a SHA-512 has
128 characters, a signed URL's key some more."""

_ENCODED: Final = re.compile(
    r"[A-Za-z0-9+/_-]{40,}+={0,2}(?:(?:\n|\\{1,4}[rn]){1,4}+ *+[A-Za-z0-9+/]{40,}+={0,2})*+"
)
"""A run of the alphabets of base64, base32 and hexadecimal, in one piece or in lines of 40 and more
characters, as PEM and MIME break it; the break may be escaped."""

_PIECE: Final = re.compile(r"[A-Za-z0-9+/_-]{40,}+")

_LEAST_CHANGES, _LEAST_DIGITS = 0.25, 0.04
"""Of neighbouring letters and digits, the share that differ in kind (small, capital, digit), and of
all the share of digits, in encoded data: changes are .30 in base32 and .47 to .70 in base64 and
hexadecimal of pictures, programs and text, and digits .10 and more. Long paths and addresses have
changes of .02 to .20, names in camel case have .40 and no digits.
"""

_SAMPLE: Final = 2_000
"""Characters that are looked at to tell the kind of a run."""

_REPEAT: Final = re.compile(r"(.)\1+")
_LEAST_DISTINCT: Final = 12
"""Characters of encoded data without repeats: a picture of one colour is mostly `A`; a rule of
`====` is no data."""

_NEIGHBOURS: Final = re.compile(r"(?<=[A-Za-z0-9])[A-Za-z0-9]")
_CHANGE: Final = re.compile(r"(?<=[a-z])[A-Z0-9]|(?<=[A-Z])[a-z0-9]|(?<=[0-9])[A-Za-z]")

_NUMBERS: Final = re.compile(r"\d(?<![\w.]\d)[\d.eE+-]*+(?:(?:,\s*+| ++)-?\d[\d.eE+-]*+){255,}+")
"""256 numbers in a row are a vector or a picture: the smallest encoders give so many. No row of a
table has them, and the rows of one do not end in a comma."""

_LEAST_LINE: Final = 1_000
"""A line longer than a passage: no person writes one of code."""

_MOST_BLANKS, _MOST_QUOTES, _LEAST_MARKS, _LEAST_ENDS = 0.04, 0.06, 0.05, 0.02
"""Shares of blanks, of double quotes, of `;{}()` and of `;{}` in minified code. Six bundles have
blanks up to .026, quotes up to .036, marks from .062 and ends from .023 on. Of 314 long lines of
agents' logs those with as few blanks are JSON, with quotes from .119 on, and lists of addresses,
with marks up to .060, which are round brackets.
"""


def bulk_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each piece of a text that is bulk, in order.

    >>> list(bulk_spans("sha256 " + "9f3c2ab1" * 8)), list(bulk_spans("png: " + "Qk0Zx9" * 50))
    ([], [(5, 305)])
    """
    if len(text) < _LEAST_ENCODED:
        return
    found = [found.span() for found in _ENCODED.finditer(text) if _is_encoded(found[0])]
    found += (found.span() for found in _NUMBERS.finditer(text))
    found += _minified_lines(text)
    end = 0
    for first, last in sorted(found, key=lambda span: (span[0], -span[1])):
        if first >= end:  # what lies in a longer piece is gone with it
            yield first, last
            end = last


def without_bulk(text: str) -> str:
    """Return a text in which only the beginning of bulk is left, and `…` for the rest.

    >>> without_bulk("png: " + "Qk0Zx9" * 50 + ".")
    'png: Qk0Zx9Qk0Zx9Qk0Zx9Qk0Zx9Qk0Zx9Qk0Zx9Qk0Zx9Qk0Zx9….'
    """
    pieces: list[str] = []
    copied = 0
    for first, last in bulk_spans(text):
        pieces += (text[copied : first + BULK_HEAD], "…")
        copied = last
    return "".join((*pieces, text[copied:])) if copied else text


def is_head_of_bulk(text: str) -> bool:
    """Tell whether a text ends as one does of which only the beginning of bulk is left.

    >>> is_head_of_bulk("png: " + "Qk0Zx9" * 8 + "…"), is_head_of_bulk("Loading…")
    (True, False)
    """
    head = text[-1 - BULK_HEAD : -1]
    return text.endswith("…") and len(head) == BULK_HEAD and len(head.split()) <= _MOST_PARTS


def _is_encoded(run: str) -> bool:
    if len(run) < _LEAST_ENCODED:
        return False
    piece = _PIECE.match(run)
    if piece is None or (len(piece[0]) < _LEAST_ENCODED and (run.islower() or run.isupper())):
        return False  # in lines, a list of hashes looks the same, and these are asked for
    distinct = _REPEAT.sub(r"\1", run[:_SAMPLE])
    neighbours = len(_NEIGHBOURS.findall(distinct))
    return (
        len(distinct) >= _LEAST_DISTINCT
        and len(_CHANGE.findall(distinct)) >= _LEAST_CHANGES * neighbours
        and sum(map(str.isdigit, distinct)) >= _LEAST_DIGITS * len(distinct)
    )


def _minified_lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.split("\n"):
        if len(line) >= _LEAST_LINE and _is_minified(line):
            yield start, start + len(line)
        start += len(line) + 1


def _is_minified(line: str) -> bool:
    return (
        line.count(" ") + line.count("\t") < _MOST_BLANKS * len(line)
        and (ends := sum(map(line.count, ";{}"))) >= _LEAST_ENDS * len(line)
        and ends + line.count("(") + line.count(")") >= _LEAST_MARKS * len(line)
        and line.count('"') < _MOST_QUOTES * len(line)
    )
