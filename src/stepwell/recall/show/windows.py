"""Windows: the contiguous part of a text, at most so long, that holds most of what was asked."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, TypeAlias

from stepwell.text.gaps import first_gap, last_gap, word_around

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Window", "best_window"]

Window: TypeAlias = tuple[int, int]
"""First character and end of a part of a text."""

_Hit: TypeAlias = tuple[int, int, str]

_HITS_PER_TERM = 12
"""A word found everywhere tells no window from another."""


def best_window(text: str, *, weights: Mapping[str, float], most: int) -> Window:
    """Return the run of whole lines, at most `most` characters, with most weight of distinct terms.

    What room is left is filled with the lines after it, then those before; a single line that is
    longer is cut around its terms, a third of the room before them, and between words. A word that
    is longer than the room is shown nevertheless.

    Args:
        text: The text.
        weights: Weight of each search token of the question, above 0.
        most: Characters.
    """
    lines = _lines(text)
    if not lines:
        return 0, 0
    hits = _hits(text, weights)
    first, last = _heaviest_run(lines, hits, weights, most)
    start, end = lines[first][0], lines[last][1]
    if end - start > most:
        return _clipped(text, (start, end), hits, weights, most)
    while last + 1 < len(lines) and lines[last + 1][1] - start <= most:
        last += 1
        end = lines[last][1]
    while first > 0 and end - lines[first - 1][0] <= most:
        first -= 1
        start = lines[first][0]
    return start, end


def _hits(text: str, weights: Mapping[str, float]) -> list[_Hit]:
    """Find the terms where a word starts; a stem so finds its inflections."""
    low = text.lower()
    if len(low) != len(text):  # a few capitals grow when lowered; keep the places right
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    hits: list[_Hit] = []
    for term in weights:
        place, count = low.find(term), 0
        while place >= 0 and count < _HITS_PER_TERM:
            if place == 0 or not (low[place - 1].isalpha() and low[place].isalpha()):
                hits.append((place, place + len(term), term))
                count += 1
            place = low.find(term, place + len(term))
    hits.sort()
    return hits


def _lines(text: str) -> list[Window]:
    """Return the lines that are not blank, without their ends."""
    lines: list[Window] = []
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if not text[start:end].isspace() and end > start:
            lines.append((start, end))
        start = end + 1
    return lines


def _heaviest_run(
    lines: Sequence[Window], hits: Sequence[_Hit], weights: Mapping[str, float], most: int
) -> tuple[int, int]:
    starts = [start for start, _ in lines]
    held: dict[int, set[str]] = {}
    for start, _, term in hits:
        held.setdefault(max(0, bisect_right(starts, start) - 1), set()).add(term)
    best, run = 0.0, (0, 0)
    places = sorted(held)
    for number, first in enumerate(places):
        seen: set[str] = set()
        weight = 0.0
        for last in places[number:]:
            if last > first and lines[last][1] - lines[first][0] > most:
                break
            weight += sum(weights[term] for term in held[last] - seen)
            seen |= held[last]
            if weight > best + 1e-9:
                best, run = weight, (first, last)
    return run


def _clipped(
    text: str, window: Window, hits: Sequence[_Hit], weights: Mapping[str, float], most: int
) -> Window:
    low, high = window
    inside = [hit for hit in hits if low <= hit[0] and hit[1] <= high]
    first, last = _heaviest_words(text, inside, weights, most) or (low, low)
    most = max(most, last - first)
    start = max(low, min(first - (most - (last - first)) // 3, high - most))
    if start > low:
        start = first_gap(text, start, first)
    end = min(high, start + most)
    return start, end if end == high else last_gap(text, max(last, start + 1), end)


def _heaviest_words(
    text: str, hits: Sequence[_Hit], weights: Mapping[str, float], most: int
) -> Window | None:
    """Return the place, about so long at most, of the words with most weight of distinct terms."""
    words = [word_around(text, start, end) for start, end, _ in hits]
    best, found = 0.0, None
    for number, (start, _) in enumerate(words):
        seen: set[str] = set()
        weight, last = 0.0, start
        for (_, end), (_, _, term) in zip(words[number:], hits[number:], strict=True):
            if end - start > most and last > start:
                break
            last = max(last, end)
            weight += 0.0 if term in seen else weights[term]
            seen.add(term)
        if weight > best + 1e-9:
            best, found = weight, (start, last)
    return found
