"""Cuts: where a quotation begins or ends within a line, and whether a reader can see it.

A quotation is a contiguous part of an atom, or several in order with `…` between them. An edge of a
part is a cut when something of its line is left out beyond it; whole lines that are left out are
told by the citation. A cut is marked when `…` stands at it, within the quotation or right beside
it. It is inside a word when letters, digits or a number go on beyond it.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["MARK", "UNCUT", "Cutting", "cutting", "found_parts"]

MARK = "…"

_NEAR = 80
"""Characters on both sides of an edge in which a word is looked for."""

_WORD = re.compile(r"\d+(?:[.,]\d+)+|\w+")
_UNSPACED = re.compile(r"[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff]")
"""Thai, Lao, Burmese and Khmer are written without blanks, and are not wide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cutting:
    """How the excerpts of a payload are cut.

    Attributes:
        excerpts: How many there are.
        in_word: Those cut inside a word.
        cuts: Edges within a line.
        unmarked: Those of the edges at which nothing says so.
    """

    excerpts: int = 0
    in_word: int = 0
    cuts: int = 0
    unmarked: int = 0

    def __add__(self, other: Cutting) -> Cutting:
        """Return the counts of both together."""
        return Cutting(
            excerpts=self.excerpts + other.excerpts,
            in_word=self.in_word + other.in_word,
            cuts=self.cuts + other.cuts,
            unmarked=self.unmarked + other.unmarked,
        )


UNCUT = Cutting()
"""Of a payload without excerpts."""


def found_parts(quoted: str, source: str) -> list[tuple[int, int]] | None:
    """Return where the parts of a quotation stand in the text it cites; None if they do not.

    Where one stands more than once, the place with the fewest cuts is taken.

    >>> found_parts("one … four", "one two three four"), found_parts("five", "one two")
    ([(0, 3), (14, 18)], None)
    """
    if quoted in source:
        return [_best_place(quoted, source)]
    parts = [part.strip(" ") for part in quoted.split(MARK)]
    found: list[tuple[int, int]] = []
    at = 0
    for part in filter(None, parts):
        start = source.find(part, at)
        if start < 0:
            return None
        at = start + len(part)
        found.append((start, at))
    return found or None


def _best_place(quoted: str, source: str) -> tuple[int, int]:
    places: list[tuple[int, int]] = []
    at = source.find(quoted)
    while at >= 0:
        places.append((at, at + len(quoted)))
        at = source.find(quoted, at + 1)
    return min(places, key=lambda place: sum(map(bool, _cut_edges([place], source))))


def cutting(
    quoted: str, parts: Sequence[tuple[int, int]], source: str, *, marked: tuple[bool, bool]
) -> Cutting:
    """Return how one quotation is cut.

    Args:
        quoted: The quotation.
        parts: Where its parts stand in the atom.
        source: The whole atom.
        marked: Whether `…` stands right before it and right behind it in the payload.
    """
    edges = _cut_edges(parts, source)
    is_marked = [True] * len(edges)  # between two parts the mark is what parts them
    is_marked[0] = marked[0] or quoted.startswith(MARK)
    is_marked[-1] = marked[1] or quoted.endswith(MARK)
    cut = [edge is not None for edge in edges]
    return Cutting(
        excerpts=1,
        in_word=int(any(edge is not None and _is_in_word(source, edge) for edge in edges)),
        cuts=sum(cut),
        unmarked=sum(is_cut and not shown for is_cut, shown in zip(cut, is_marked, strict=True)),
    )


def _cut_edges(parts: Sequence[tuple[int, int]], source: str) -> list[int | None]:
    """Return beginning and end of each part where it is a cut, None where it is not."""
    edges: list[int | None] = []
    for first, last in parts:
        part = source[first:last]
        start, end = last - len(part.lstrip()), first + len(part.rstrip())
        before = source[source.rfind("\n", 0, start) + 1 : start]
        stop = source.find("\n", end)
        behind = source[end : len(source) if stop < 0 else stop]
        edges += [start if before.strip() else None, end if behind.strip() else None]
    return edges


def _is_in_word(source: str, edge: int) -> bool:
    if _is_unspaced(source[edge - 1]) or _is_unspaced(source[edge]):
        return False
    first = max(0, edge - _NEAR)
    near = source[first : edge + _NEAR]
    return any(found.start() < edge - first < found.end() for found in _WORD.finditer(near))


def _is_unspaced(char: str) -> bool:
    return unicodedata.east_asian_width(char) in {"W", "F"} or bool(_UNSPACED.match(char))
