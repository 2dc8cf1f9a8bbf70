"""Excerpts: what to show of a step when so many characters are granted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stepwell.recall.show.windows import best_window
from stepwell.trajectory.passages import MAX_CHARS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from stepwell.recall.show.texts import Block, StepText

__all__ = ["Excerpt", "deep", "outline"]

_CALL, _BRIEF, _LINE, _MESSAGE = 96, 24, 80, 80
"""Characters of an outline: of a call; below which a call says too little and a line of its result
is shown too; of that line; of a message. A call names its step best: 96 characters hold most shell
commands whole, in some 25 tokens."""

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

    def address(self, step: int) -> str:
        """Return the smallest citation of this text: the atom, lines of it, or characters.

        Lines are named whole even where a part is quoted; characters only of a line that is
        longer than a passage, for which its number would say too little.
        """
        block, text = self.block, self.block.text
        atom = f"s{step}.{block.part}"
        if block.is_whole and len(text) <= MAX_CHARS and "\n" not in text.strip():
            return atom
        before = text.count("\n", 0, self.start)
        first = block.first_line + before
        last = first + text.count("\n", self.start, self.end)
        if first == last:
            line_start = text.rfind("\n", 0, self.start) + 1
            if self._is_in_long_line(line_start):
                column = self.start - line_start + (block.first_column if before == 0 else 1)
                return f"{atom}:L{first}C{column}-{column + self.end - self.start - 1}"
        if block.is_whole and not text[: self.start].strip() and not text[self.end :].strip():
            return atom
        return f"{atom}:L{first}" if first == last else f"{atom}:L{first}-L{last}"

    def _is_in_long_line(self, line_start: int) -> bool:
        block, text = self.block, self.block.text
        line_end = text.find("\n", self.end)
        if line_start == 0 and block.first_column > 1:
            return True
        if line_end < 0 and not block.is_whole:
            line_end = line_start + MAX_CHARS if len(text) - line_start >= MAX_CHARS * 0.9 else 0
        return (len(text) if line_end < 0 else line_end) - line_start >= MAX_CHARS


def deep(view: StepText, *, weights: Mapping[str, float], most: int) -> list[Excerpt]:
    """Return excerpts of all of a step's atoms within `most` characters in total.

    A third at least is for what was said or called, the rest for what came back; what the one
    does not need the other gets.
    """
    heads = [block for block in view.blocks if not block.part.startswith("o")]
    tails = [block for block in view.blocks if block.part.startswith("o")]
    wanted = sum(len(block.text.strip()) for block in tails)
    shown = _shared(heads, weights, max(most // 3, most - wanted))
    left = most - sum(e.end - e.start for e in shown)
    shown += _shared(tails, weights, left, is_more=bool(shown))
    places = {id(block): place for place, block in enumerate(view.blocks)}
    return sorted(shown, key=lambda excerpt: places[id(excerpt.block)])


def _shared(
    blocks: Sequence[Block], weights: Mapping[str, float], most: int, *, is_more: bool = False
) -> list[Excerpt]:
    """Share characters among blocks, each enough of it to say something.

    A short text is shown whole, and what it does not need the longer ones get in equal parts; the
    worst scored are left out as long as they would get next to nothing, if another is shown, here
    or before (`is_more`).
    """
    ranked = sorted(blocks, key=lambda block: -block.best)
    granted: list[int] = []
    while ranked:
        granted = _granted([len(block.text) for block in ranked], most)
        is_little = granted[-1] < min(_LEAST, len(ranked[-1].text.strip()))
        if not (is_little and (is_more or len(ranked) > 1)):
            break
        ranked.pop()
    found = (_excerpt(block, weights, n) for block, n in zip(ranked, granted, strict=False))
    return [excerpt for excerpt in found if excerpt is not None]


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
        excerpt = _excerpt(block, weights, most)
        if excerpt is not None:
            excerpts.append(excerpt)
            shown += excerpt.end - excerpt.start
    return excerpts


def _excerpt(block: Block, weights: Mapping[str, float], most: int) -> Excerpt | None:
    start, end = 0, len(block.text)
    if end > most:
        start, end = _around_best(block, most)
        first, last = best_window(block.text[start:end], weights=weights, most=most)
        start, end = start + first, start + last
    while end > start and block.text[end - 1].isspace():
        end -= 1
    while start < end and block.text[start] == "\n":
        start += 1
    return Excerpt(block=block, start=start, end=end) if end > start else None


def _around_best(block: Block, most: int) -> tuple[int, int]:
    """Return the best passage's place, grown when more characters than it has are granted."""
    best = max(range(len(block.scores)), key=lambda place: (block.scores[place], -place))
    start, end = block.edges[best], block.edges[best + 1]
    spare = max(0, most - (end - start))
    return max(0, start - spare // 3), min(len(block.text), end + spare)
