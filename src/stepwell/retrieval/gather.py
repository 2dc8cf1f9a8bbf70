"""Gather: prepare the question once, and ask every structure for its ranking over the scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.store.rowids import span, step_of
from stepwell.structures.base import Query, Within
from stepwell.text.search import query_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    import apsw

    from stepwell.encode.base import Encoder
    from stepwell.store.read import Entry

__all__ = ["prepare", "within"]


def prepare(question: str, *, encoder: Encoder | None) -> Query:
    """Return the question with its search tokens and, when an encoder runs, its vector."""
    vector = None if encoder is None else encoder.encode([question])[0]
    return Query(text=question, terms=tuple(query_tokens(question)), vector=vector)


def within(
    db: apsw.Connection, entries: Sequence[Entry], *, before: int | datetime | None = None
) -> Within:
    """Return where to search.

    Args:
        db: The database.
        entries: The trajectories in scope.
        before: Only what was known before this step index, or before this moment.
    """
    if before is None:
        spans = tuple(span(entry.number) for entry in entries)
        return Within(spans=spans, n_passages=sum(entry.n_passages for entry in entries))
    ends = [_step_at(db, entry, before) for entry in entries]
    spans = tuple(
        span(entry.number, end=end) for entry, end in zip(entries, ends, strict=True) if end > 0
    )
    counted = (
        db.execute("SELECT count(*) FROM passages WHERE id BETWEEN ? AND ?", ends).fetchone()
        for ends in spans
    )
    return Within(spans=spans, n_passages=sum(int(row[0]) for row in counted if row))


def _step_at(db: apsw.Connection, entry: Entry, before: int | datetime) -> int:
    """Return the index of the first step that is not before the given step or moment."""
    if isinstance(before, int):
        return min(max(before, 0), entry.n_steps)
    row = db.execute(
        "SELECT min(id) FROM steps WHERE id BETWEEN ? AND ? AND t_start >= ?",
        (*span(entry.number), round(before.timestamp() * 1_000_000)),
    ).fetchone()
    return entry.n_steps if row is None or row[0] is None else step_of(int(row[0]))
