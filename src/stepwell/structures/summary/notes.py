"""What a summary says: the run, its sessions, and the chunks a question is about."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from stepwell.structures.base import Note
from stepwell.structures.summary.view import CHUNKS, Chosen, Chunk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from stepwell.structures.base import Query
    from stepwell.structures.summary.view import SummaryView

__all__ = ["chunk_notes", "nearest", "overview", "span_of"]

_OVERVIEW_CHARS: Final = 560 * 4
"""Characters of the sessions' lines: with the counts, about 700 tokens."""

_MOST_CHARS: Final = 300
"""Characters of a note."""

_MOST_NAMED: Final = 6
"""Tools, errors or names that a line of counts lists."""

_NAMED_STEP = re.compile(r"\b(?:steps?|turns?|turn index)[ #]{1,3}(\d{1,6})", re.IGNORECASE)


def overview(number: int, view: SummaryView, *, task: str, n_chars: int) -> Iterator[Note]:
    """Yield what the whole run comes to: task, counts, and the best lines of each session.

    Args:
        number: The trajectory.
        view: Its view.
        task: Its task; empty when none is stated.
        n_chars: Characters that the sessions' lines may take.
    """
    chunks = view.read()
    if not chunks:
        return
    last = view.n_steps - 1
    if task:
        yield Note(number=number, text=_cut(f"task: {' '.join(task.split())}"), steps=(0,))
    yield Note(number=number, text=_cut(_counts_of(chunks, view)), steps=span_of(0, last))
    for chosen in _best_of_sessions(chunks, min(n_chars, _OVERVIEW_CHARS)):
        yield _line(number, chosen)


def _counts_of(chunks: Sequence[Chunk], view: SummaryView) -> str:
    digests = [digest for chunk in chunks for digest in chunk.digests]
    speakers = Counter(digest.speaker for digest in digests if digest.speaker)
    errors = sum(bool(digest.faults) for digest in digests)
    parts = [f"{view.n_steps} steps"]
    parts += [f"said by: {_listed(speakers)}"] if speakers else []
    parts += [f"tools: {_listed(view.tools)}"] if view.tools else []
    parts += [f"steps with errors: {errors}"] if errors else []
    return "; ".join(parts)


def _best_of_sessions(chunks: Sequence[Chunk], n_chars: int) -> list[Chosen]:
    """Return the best lines of each session, in proportion to its chunks, in time order."""
    ranked: list[tuple[float, Chosen]] = []
    for at in range(0, len(chunks), CHUNKS):
        session = chunks[at : at + CHUNKS]
        lines = (chosen for chunk in session for chosen in chunk.best)
        best = sorted(lines, key=lambda chosen: (-chosen.score, chosen.step))
        ranked += [(place / len(session), chosen) for place, chosen in enumerate(best)]
    ranked.sort(key=lambda entry: (entry[0], -entry[1].score, entry[1].step))
    taken: dict[str, Chosen] = {}
    for _, chosen in ranked:
        text = chosen.line.text
        if text not in taken and len(text) <= n_chars:
            n_chars -= len(text)
            taken[text] = chosen
    return sorted(taken.values(), key=lambda chosen: chosen.step)


def nearest(
    query: Query, chunks: Sequence[tuple[int, Chunk]], *, n: int
) -> list[tuple[int, Chunk]]:
    """Return the chunks a question is about, best first, the later of equally near ones.

    score = Σ idf of the question's terms that stand in the chunk, idf over the chunks given; a
    step that the question names counts as a term that stands in its chunk alone.

    Args:
        query: The question.
        chunks: Trajectory and chunk.
        n: How many.
    """
    terms = set(query.terms)
    holders = Counter(term for _, chunk in chunks for term in chunk.terms & terms)
    named = {int(step) for step in _NAMED_STEP.findall(query.asked or query.text)}

    def score(entry: tuple[int, tuple[int, Chunk]]) -> tuple[float, int]:
        at, (_, chunk) = entry
        idf = sum(_idf(holders[term], len(chunks)) for term in sorted(chunk.terms & terms))
        steps = sum(chunk.first <= step <= chunk.last for step in named)
        return idf + steps * _idf(0, len(chunks)), at

    best = sorted(enumerate(chunks), key=score, reverse=True)
    return [chunk for _, chunk in best[:n]]


def _idf(n_holding: int, n: int) -> float:
    return math.log(1 + (n - n_holding + 0.5) / (n_holding + 0.5))


def chunk_notes(number: int, chunk: Chunk) -> Iterator[Note]:
    """Yield what a chunk comes to: its counts, then its best lines."""
    yield _counts(number, chunk)
    for chosen in chunk.best:
        yield _line(number, chosen)


def span_of(first: int, last: int) -> tuple[int, ...]:
    """Return the first and the last of a range of steps, once if they are one.

    >>> span_of(3, 3), span_of(3, 8)
    ((3,), (3, 8))
    """
    return (first,) if first == last else (first, last)


def _counts(number: int, chunk: Chunk) -> Note:
    """Return how a chunk changes things: steps, tools, errors with their steps, names."""
    tools = Counter(tool for digest in chunk.digests for tool in digest.tools)
    names = Counter(name for digest in chunk.digests for name in digest.names)
    faults = {
        f"{fault[:60]} ({step})": None
        for step, digest in enumerate(chunk.digests, start=chunk.first)
        for fault in digest.faults[:1]
    }
    parts = [f"steps {chunk.first} to {chunk.last}"]
    parts += [f"tools: {_listed(tools)}"] if tools else []
    parts += [f"touched: {', '.join(_most(names))}"] if names else []
    parts += [f"errors: {'; '.join(list(faults)[:_MOST_NAMED])}"] if faults else []
    return Note(number=number, text=_cut("; ".join(parts)), steps=span_of(chunk.first, chunk.last))


def _line(number: int, chosen: Chosen) -> Note:
    line = chosen.line
    return Note(number=number, text=_cut(line.text), steps=(chosen.step,), quote=line.quote)


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} ×{counts[name]}" for name in _most(counts))  # noqa: RUF001  (times)


def _most(counts: Counter[str]) -> Iterable[str]:
    return sorted(counts, key=lambda name: (-counts[name], name))[:_MOST_NAMED]


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_CHARS else f"{text[: _MOST_CHARS - 1]}…"
