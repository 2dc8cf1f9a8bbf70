"""Excerpts: what to show of a step when so many characters are granted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stepwell.recall.show.windows import best_window
from stepwell.text.gaps import first_gap, is_gap, last_gap, word_around

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from stepwell.recall.show.texts import Block, StepText

__all__ = ["Excerpt", "deep", "outline"]

_CALL, _BRIEF, _LINE, _MESSAGE = 96, 24, 80, 120
"""Characters of an outline: of a call; below which a call says too little and a line of its result
is shown too; of that line; of a message. A call names its step best: 96 characters hold most shell
commands whole, in some 25 tokens."""

_SPARED = 32
"""Characters that are not cut off: the mark and the columns of a cut cost about as much, some six
tokens, and a whole text says more than a cut one."""

_LEAST = 48
"""Characters below which a piece of a longer text says nothing: the room goes to another part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """A contiguous part of an atom.

    Attributes:
        block: The text it is cut from.
        start: First character in the block.
        end: End in the block.
    """

    block: Block
    start: int
    end: int

    @property
    def text(self) -> str:
        """The quoted text, verbatim."""
        return self.block.text[self.start : self.end]

    @property
    def begins_cut(self) -> bool:
        """Whether something of the atom stands before it."""
        return bool(self.block.before or self.block.text[: self.start].strip())

    @property
    def ends_cut(self) -> bool:
        """Whether something of the atom stands behind it."""
        return bool(self.block.after or self.block.text[self.end :].strip())

    def address(self, step: int) -> str:
        """Return the smallest citation of this text and no more: the atom, lines, or characters."""
        atom = f"s{step}.{self.block.part}"
        if not (self.begins_cut or self.ends_cut):
            return atom
        (first, column), (last, last_column) = self._place(self.start), self._place(self.end - 1)
        if self._is_whole_lines():
            return f"{atom}:L{first}" if first == last else f"{atom}:L{first}-L{last}"
        if first > 1:
            end = f"L{last}C{last_column}" if last > first else f"{last_column}"
            return f"{atom}:L{first}C{column}-{end}"
        return f"{atom}:C{column}-{column + self.end - 1 - self.start}"

    def _place(self, at: int) -> tuple[int, int]:
        """Return the line of a character, and its place on it, from 1."""
        block, before = self.block, self.block.text.count("\n", 0, at)
        line_start = block.text.rfind("\n", 0, at) + 1
        return block.first_line + before, at - line_start + (1 if before else block.first_column)

    def _is_whole_lines(self) -> bool:
        """Tell whether it begins and ends where lines do, but for blanks."""
        block, start, end = self.block, self.start, self.end
        head = block.text[block.text.rfind("\n", 0, start) + 1 : start]
        is_first = not block.text.count("\n", 0, start) and block.first_column > 1
        line_end = block.text.find("\n", end)
        goes_on = line_end < 0 and block.after not in {"", "\n"}
        tail = block.text[end : line_end if line_end >= 0 else None]
        return not (head.strip() or is_first or tail.strip() or goes_on)


def deep(view: StepText, *, weights: Mapping[str, float], most: int) -> list[Excerpt]:
    """Return excerpts of all of a step's atoms within about `most` characters in total.

    A third at least is for what was said or called, the rest for what came back; what the one
    does not need the other gets.
    """
    heads = [block for block in view.blocks if not block.part.startswith("o")]
    tails = [block for block in view.blocks if block.part.startswith("o")]
    wanted = sum(len(block.text.strip()) for block in tails)
    shown = _shared(heads, weights, max(most // 3, most - wanted))
    left = max(most - sum(e.end - e.start for e in shown), 0)
    shown += _shared(tails, weights, left, is_more=bool(shown))
    places = {id(block): place for place, block in enumerate(view.blocks)}
    return sorted(shown, key=lambda excerpt: (places[id(excerpt.block)], excerpt.start))


def _shared(
    blocks: Sequence[Block], weights: Mapping[str, float], most: int, *, is_more: bool = False
) -> list[Excerpt]:
    """Share characters among blocks, each enough of it to say something.

    A short text is shown whole, and what it does not need the longer ones get in equal parts; the
    worst scored are left out as long as they would get next to nothing, if another is shown, here
    or before (`is_more`). How a failure ended comes before all else.
    """
    ranked = sorted(blocks, key=lambda block: (block.verdict is None, -block.best))
    granted: list[int] = []
    while ranked:
        granted = _granted([len(block.text) for block in ranked], most)
        is_little = granted[-1] < min(_LEAST, len(ranked[-1].text.strip()))
        if not (is_little and (is_more or len(ranked) > 1)):
            break
        ranked.pop()
    pairs = zip(ranked, granted, strict=False)
    return [excerpt for block, n in pairs for excerpt in _excerpts(block, weights, n)]


def _granted(lengths: Sequence[int], most: int) -> list[int]:
    """Return the characters of each text, equal parts but for short texts; the first has enough.

    >>> _granted([500, 20, 300], 320), _granted([500, 500], 120)
    ([150, 20, 150], [96, 24])
    """
    granted = _even(lengths, most)
    enough = min(lengths[0], most, 2 * _LEAST)
    if granted[0] < enough:
        granted = [enough, *_even(lengths[1:], most - enough)]
    return granted


def _even(lengths: Sequence[int], most: int) -> list[int]:
    granted = [0] * len(lengths)
    shortest = sorted(range(len(lengths)), key=lambda place: lengths[place])
    for left, place in zip(range(len(lengths), 0, -1), shortest, strict=True):
        granted[place] = min(lengths[place], most // left)
        most -= granted[place]
    return granted


def outline(view: StepText, *, weights: Mapping[str, float]) -> list[Excerpt]:
    """Return the shortest excerpt that tells what a step did."""
    excerpts: list[Excerpt] = []
    shown = 0
    for block in view.blocks:
        kind = block.part[0]
        if kind in "to" and shown >= _BRIEF:
            continue
        most = {"c": _CALL, "m": _MESSAGE}.get(kind, _LINE)
        found = _excerpts(block, weights, most)
        excerpts += found
        shown += sum(excerpt.end - excerpt.start for excerpt in found)
    return excerpts


def _excerpts(block: Block, weights: Mapping[str, float], most: int) -> list[Excerpt]:
    """Return the excerpts of a block: how a failure ended, and what is most about the question."""
    if len(block.text) <= most + _SPARED:
        return _stripped(block, 0, len(block.text))
    if block.verdict is None:
        return _stripped(block, *_window(block, weights, most, end=len(block.text)))
    start, end = block.verdict
    if end - start > most:
        end = last_gap(block.text, start + 1, start + most)
    first, last = 0, 0
    if most - (end - start) >= _LEAST:
        first, last = _window(block, weights, most - (end - start), end=start)
    if not block.text[last:start].strip():
        return _stripped(block, first, end)
    return _stripped(block, first, last) + _stripped(block, start, end)


def _stripped(block: Block, start: int, end: int) -> list[Excerpt]:
    """Return a part of a block without the blank edges; of a torn word nothing at its edges."""
    text = block.text
    if start == 0 and block.before and not is_gap(block.before + text[:2], 1):
        start = first_gap(text, 1, end)
    if end == len(text) and block.after and not is_gap(text[-2:] + block.after, len(text[-2:])):
        end = last_gap(text, start + 1, end - 1)
    while end > start and text[end - 1].isspace():
        end -= 1
    while start < end and text[start] == "\n":
        start += 1
    return [Excerpt(block=block, start=start, end=end)] if end > start else []


def _window(block: Block, weights: Mapping[str, float], most: int, *, end: int) -> tuple[int, int]:
    """Return what to show of the text before `end`: around its best passage, whole lines if so."""
    low, high = _around_best(block, most)
    high = min(high, end)
    low = min(low, high)
    first, last = best_window(block.text[low:high], weights=weights, most=most)
    return low + first, low + last


def _around_best(block: Block, most: int) -> tuple[int, int]:
    """Return the best passage's place, grown when more characters than it has are granted."""
    text = block.text
    best = max(range(len(block.scores)), key=lambda place: (block.scores[place], -place))
    start, end = block.edges[best], block.edges[best + 1]
    spare = max(0, most - (end - start))
    low, high = max(0, start - spare // 3), min(len(text), end + spare)
    if 0 < low < start:
        line = text.find("\n", low - 1, start)
        low = line + 1 if line >= 0 else first_gap(text, low, start)
    if end < high < len(text):
        line = text.rfind("\n", end, high)
        high = line if line >= 0 else last_gap(text, end, high)
    return word_around(text, low, low)[0], word_around(text, high, high)[1]
