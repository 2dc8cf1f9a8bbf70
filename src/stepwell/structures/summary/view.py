"""A trajectory in chunks that grow: each closes when it is full, with the lines that say most."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from stepwell.structures.summary.textrank import terms_of, textrank

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from stepwell.structures.summary.digest import Digest, Line

__all__ = ["CHUNKS", "Chosen", "Chunk", "SummaryView"]

_CHUNK_CHARS: Final = 2_048 * 4
"""2,048 tokens of four characters, an estimate, since borders need no exact count."""

CHUNKS: Final = 8
"""Chunks of a session: 16,384 tokens."""

_MOST_LINES: Final = 96
"""Lines of a chunk that are ranked."""

_CHARS: Final = 200 * 4
"""Characters taken of a chunk."""

_FEW_TERMS: Final = 6
"""Terms below which a line counts less, in proportion: `Wow, great!` is like many other lines."""

_START: Final = 32
"""Characters in which lines that repeat from step to step agree, whatever they list behind."""

_DIGITS = re.compile(r"\d+")


class Chosen(NamedTuple):
    """A line that was chosen, the step it is of, and its score in its chunk."""

    step: int
    line: Line
    score: float


@dataclass(slots=True)
class Chunk:
    """Consecutive steps of about 2,048 tokens, at least one.

    Attributes:
        first: Its first step.
        digests: A digest per step.
        n_chars: Characters of their texts.
        best: The lines that say most, in time order; empty while it is open.
        terms: Terms of its lines, tools and names; empty while it is open.
    """

    first: int
    digests: list[Digest] = field(default_factory=list["Digest"])
    n_chars: int = 0
    best: tuple[Chosen, ...] = ()
    terms: frozenset[str] = frozenset()

    @property
    def last(self) -> int:
        """Its last step."""
        return self.first + len(self.digests) - 1


@dataclass(slots=True)
class SummaryView:
    """The chunks of a trajectory. Where they end depends on earlier steps alone.

    Attributes:
        chunks: The chunks, the last one open.
        tools: How often each tool was called.
        n_steps: Steps taken in.
    """

    chunks: list[Chunk] = field(default_factory=list[Chunk])
    tools: Counter[str] = field(default_factory=Counter[str])
    n_steps: int = 0
    _read_at: int = field(default=0, repr=False)
    _starts: Counter[str] = field(default_factory=Counter[str], repr=False)

    def extend(self, values: Sequence[Digest]) -> None:
        """Take in the digests of the next steps, in order."""
        for digest in values:
            if not self.chunks or self._is_full(self.chunks[-1], digest):
                if self.chunks:
                    _choose(self.chunks[-1], self._starts, self.n_steps)
                self.chunks.append(Chunk(first=self.n_steps))
            chunk = self.chunks[-1]
            chunk.digests.append(digest)
            chunk.n_chars += digest.n_chars
            self.tools.update(digest.tools)
            self._starts.update({_start(line.text) for line in digest.lines})
            self.n_steps += 1

    def read(self) -> list[Chunk]:
        """Return the chunks with their lines chosen, the open one as far as it is."""
        if self.chunks and self._read_at < self.n_steps:
            self._read_at = self.n_steps
            _choose(self.chunks[-1], self._starts, self.n_steps)
        return self.chunks

    def _is_full(self, chunk: Chunk, digest: Digest) -> bool:
        return chunk.n_chars + digest.n_chars > _CHUNK_CHARS


def _choose(chunk: Chunk, starts: Counter[str], n_steps: int) -> None:
    """Choose the lines of a chunk, as what was seen up to its end says."""
    lines: dict[str, tuple[int, Line]] = {}
    for step, digest in enumerate(chunk.digests, start=chunk.first):
        for line in digest.lines:
            lines.setdefault(line.text, (step, line))
    kept = sorted(lines.values(), key=lambda at: (-_worth(at[1], starts, n_steps), at[0]))
    kept = sorted(kept[:_MOST_LINES], key=lambda at: at[0])
    ranks = textrank(tuple(line.text for _, line in kept))
    scored = [
        Chosen(step, line, rank * _worth(line, starts, n_steps))
        for (step, line), rank in zip(kept, ranks, strict=True)
    ]
    chunk.best = tuple(sorted(_fitting(scored), key=lambda chosen: chosen.step))
    chunk.terms = _terms(chunk)


def _worth(line: Line, starts: Counter[str], n_steps: int) -> float:
    """Return a line's weight, little where most steps have such a line or it has hardly a word."""
    repeated = max(0.05, 1 - (starts[_start(line.text)] - 1) / max(n_steps, 1))
    return line.weight * repeated * min(1.0, len(terms_of(line.text)) / _FEW_TERMS)


def _fitting(scored: Iterable[Chosen]) -> list[Chosen]:
    """Return the best lines that fit, one of each form."""
    chosen: list[Chosen] = []
    seen: set[str] = set()
    n_left = _CHARS
    for line in sorted(scored, key=lambda line: (-line.score, line.step)):
        form = _form(line.line.text)
        if form not in seen and len(line.line.text) <= n_left:
            seen.add(form)
            n_left -= len(line.line.text)
            chosen.append(line)
    return chosen


def _terms(chunk: Chunk) -> frozenset[str]:
    texts = {line.text for digest in chunk.digests for line in digest.lines}
    texts.update(name for digest in chunk.digests for name in digest.names)
    return frozenset[str]().union(*map(terms_of, texts))


def _form(text: str) -> str:
    return _DIGITS.sub("#", text)


def _start(text: str) -> str:
    return _form(text[:_START])
