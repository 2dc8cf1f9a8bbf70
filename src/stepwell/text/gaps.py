"""Gaps: the places of a text where it may be cut without tearing a word or a character apart."""

from __future__ import annotations

import unicodedata
from string import ascii_letters, digits
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["first_gap", "is_gap", "last_gap", "word_around"]

_NEAR = 16
"""Characters a cut may move to stand at a blank rather than beside a mark, as in a path."""

_LONGEST = 80
"""Characters beyond which a run of letters and digits is a blob and no word."""

_PLAIN = f"{ascii_letters}{digits}_"
"""Between two of these is never a gap."""

_TONES, _FLAGS = range(0x1F3FB, 0x1F400), range(0x1F1E6, 0x1F200)

_GLUE = {**dict.fromkeys(".,:", str.isdigit), **dict.fromkeys("'\u2019", str.isalpha)}
"""What belongs to the word between two digits, as in 3.14 and 12:30, or letters, as in don't."""

_UNSPACED = (
    *("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "BOPOMOFO", "IDEOGRAPHIC"),
    *("THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN"),
)
"""Scripts that write no blank between words, by how their characters' names begin."""


def is_gap(text: str, place: int) -> bool:
    """Tell whether a text may be cut before the character at a place.

    Not inside a word or a number, and not inside what is seen as one character. Scripts that write
    no blanks are cut between characters.

    >>> is_gap("port 5433", 5), is_gap("port 5433", 7), is_gap("3.14", 1), is_gap("端口", 1)
    (True, False, False, True)
    """
    if not 0 < place < len(text):
        return True
    before, after = text[place - 1], text[place]
    if before.isspace() or after.isspace():
        return True
    if before.isascii() and after.isascii() and before not in _GLUE and after not in _GLUE:
        return not (_is_word(before) and _is_word(after))
    if _is_joined(before, after):
        return False
    is_inner: Callable[[str], bool] = _is_word
    if after in _GLUE:
        is_inner, after = _GLUE[after], text[place + 1 : place + 2]
    elif before in _GLUE:
        is_inner, before = _GLUE[before], text[max(place - 2, 0) : place - 1]
    is_one = is_inner(before) and is_inner(after)
    return not is_one or _is_unspaced(before) or _is_unspaced(after)


def first_gap(text: str, start: int, end: int) -> int:
    """Return the first gap from `start`, behind a blank if one is near; `end` if there is none."""
    blanks = (
        place
        for place in range(start, min(start + _NEAR, end) + 1)
        if text[max(place - 1, 0) : place].isspace() and not text[place : place + 1].isspace()
    )
    gaps = (place for place in range(start, end) if is_gap(text, place))
    return next(blanks, None) or next(gaps, end)


def last_gap(text: str, start: int, end: int) -> int:
    """Return the last gap from `start` to `end`, one before a blank if it is near.

    A word that fills all of it is taken to its end; a blob is torn, between characters.
    """
    blanks = (
        place
        for place in range(end, max(end - _NEAR, start) - 1, -1)
        if text[place : place + 1].isspace() and not text[max(place - 1, 0) : place].isspace()
    )
    gaps = (place for place in range(end, start - 1, -1) if is_gap(text, place))
    torn = (p for p in range(end, start, -1) if not _is_joined(text[p - 1 : p], text[p : p + 1]))
    found = next(blanks, None) or next(gaps, None) or word_around(text, end, end)[1]
    return found if is_gap(text, found) else next(torn, end)


def word_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a part of a text with the rest of the words it begins and ends in.

    What is longer than a word is, a blob, is not followed to its ends.
    """
    first, last = start, end
    if not is_gap(text, start):
        before = text[max(start - _LONGEST, 0) : start]
        plain = len(before) - len(before.rstrip(_PLAIN))
        firsts = range(start - max(plain, 1), max(start - _LONGEST, -1), -1)
        first = next((place for place in firsts if is_gap(text, place)), start)
    if not is_gap(text, end):
        after = text[end : end + _LONGEST]
        plain = len(after) - len(after.lstrip(_PLAIN))
        lasts = range(end + max(plain, 1), min(end + _LONGEST, len(text) + 1))
        last = next((place for place in lasts if is_gap(text, place)), end)
    return (first, last) if last - first <= max(_LONGEST, end - start) else (start, end)


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_" or _is_mark(character)


def _is_mark(character: str) -> bool:
    return character >= "\u0300" and unicodedata.category(character) in {"Mn", "Mc", "Me"}


def _is_unspaced(character: str) -> bool:
    return character > "\u0e00" and unicodedata.name(character, "").split(" ")[0] in _UNSPACED


def _is_joined(before: str, after: str) -> bool:
    """Tell whether two characters are seen as one: accents, joiners, tones of skin, flags."""
    if not after or max(before, after) < "\u00ad":
        return False
    return (
        _is_mark(after)
        or "Cf" in {unicodedata.category(before), unicodedata.category(after)}
        or ord(after) in _TONES
        or (ord(before) in _FLAGS and ord(after) in _FLAGS)
    )
