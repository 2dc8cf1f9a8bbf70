"""Passages, the windows of atoms that are indexed: small enough to rank, whole lines if possible.

An observation can be one line of 20 MB. It becomes many passages, so a needle at its end is found
by any index over passages, and quoting a hit never needs the whole blob.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from stepwell.text.bulk import BULK_HEAD, bulk_spans
from stepwell.trajectory.atoms import atoms_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.trajectory.atoms import Atom
    from stepwell.trajectory.model import Step

__all__ = ["MAX_CHARS", "Passage", "cut", "passages_of"]

MAX_CHARS = 1000
"""About 250 tokens: what a small sentence encoder reads, and what fits a tight budget twice."""

_PLACES = 1 << 16
"""Passages of a step that can be addressed; a step of more passages is indexed up to here."""

_WORD = re.compile(r"\w")

_MOST = 60_000
"""Passages that a step is cut into, roughly. A text of more than 30 MB gets longer passages instead
of more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A window of an atom.

    Attributes:
        step: 0-based step index.
        part: The atom, as in a citation.
        label: The atom's label (tool or actor).
        text: The window, verbatim; joined in order, an atom's passages give the atom's text, save
            what this memory itself once recalled, and bulk, of which the beginning stays and `…`
            says that it goes on.
        first_line: Line of the atom on which it starts, from 1.
        first_column: Character of that line at which it starts, from 1; above 1 only inside a
            line longer than a passage.
    """

    step: int
    part: str
    label: str
    text: str
    first_line: int
    first_column: int = 1

    def goes_on_in(self, other: Passage) -> bool:
        """Return whether another passage of the atom starts where this one ends."""
        behind = _behind(self.first_line, self.first_column, self.text)
        return self.part == other.part and behind == (other.first_line, other.first_column)


def cut(text: str, *, max_chars: int = MAX_CHARS) -> Iterator[tuple[int, int, str]]:
    r"""Cut text into windows of at most `max_chars` characters, at line ends where possible.

    Yields:
        First line (from 1), first column (from 1) and text of each window. The windows, joined,
        are the text; only a line longer than `max_chars` is cut inside, at a blank if there is
        one in the last tenth of the window. The last may be a fifth longer.

    >>> list(cut("ab\ncd\nef", max_chars=6))
    [(1, 1, 'ab\ncd\n'), (3, 1, 'ef')]
    """
    start, line, column = 0, 1, 1
    while start < len(text):
        end = _window_end(text, start, max_chars)
        window = text[start:end]
        yield line, column, window
        line, column = _behind(line, column, window)
        start = end


def _behind(line: int, column: int, window: str) -> tuple[int, int]:
    newlines = window.count("\n")
    after = len(window) - window.rfind("\n") if newlines else column + len(window)
    return line + newlines, after


def _window_end(text: str, start: int, max_chars: int) -> int:
    limit = start + max_chars
    if limit + max_chars // 5 >= len(text):  # a last piece so short would say nothing on its own
        return len(text)
    newline = text.rfind("\n", start, limit)
    if newline >= start:
        return newline + 1
    blank = text.rfind(" ", limit - max_chars // 10, limit)
    return blank + 1 if blank > start else limit


def passages_of(step: Step, *, max_chars: int = MAX_CHARS) -> tuple[Passage, ...]:
    """Return the passages of a step in reading order.

    What this memory itself returned and the log recorded is left out: indexed again, it would
    outrank its own sources and grow with every recall.
    """
    atoms = atoms_of(step)
    longest = max(max_chars, sum(len(atom.text) for atom in atoms) * 2 // _MOST)
    passages = (passage for atom in atoms for passage in _passages_of_atom(atom, longest))
    return tuple(islice(passages, _PLACES))


def _passages_of_atom(atom: Atom, max_chars: int) -> Iterator[Passage]:
    for start, text in _prose(atom):
        before = atom.text.count("\n", 0, start)
        shift = start - (atom.text.rfind("\n", 0, start) + 1)
        for line, column, window in cut(text, max_chars=max_chars):
            yield Passage(
                step=atom.step,
                part=atom.part,
                label=atom.label,
                text=window,
                first_line=line + before,
                first_column=column + (shift if line == 1 else 0),
            )


def _prose(atom: Atom) -> Iterator[tuple[int, str]]:
    """Yield where each part of a text starts that is worth indexing, and the part."""
    text = atom.text
    bulk = list(bulk_spans(text))
    for begin, end in _own_words(atom):
        start = begin
        for first, last in bulk:
            if start <= first and last <= end:
                yield start, f"{text[start : first + BULK_HEAD]}…"
                start = last
        if start == begin or _WORD.search(text, start, end):  # behind bulk mostly a bracket
            yield start, text[start:end]


def _own_words(atom: Atom) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text around what this memory once recalled."""
    start = 0
    for begin, end in (*atom.recalled, (len(atom.text), len(atom.text))):
        is_whole = not atom.recalled and begin > start
        if is_whole or _WORD.search(atom.text, start, begin):
            yield start, begin
        start = end
