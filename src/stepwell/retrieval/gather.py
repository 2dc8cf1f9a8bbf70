"""Gather: prepare the question once, and ask every structure for its ranking over the scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.store.rowids import rowid, span
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
    ends = [_passages_before(db, entry, before) for entry in entries]
    return Within(
        spans=tuple(
            (rowid(entry.number, 0), rowid(entry.number, n) - 1)
            for entry, n in zip(entries, ends, strict=True)
            if n > 0
        ),
        n_passages=sum(ends),
    )


def _passages_before(db: apsw.Connection, entry: Entry, before: int | datetime) -> int:
    if isinstance(before, int):
        condition, parameter = "id >= ?", rowid(entry.number, max(before, 0))
    else:
        condition, parameter = "t_start >= ?", round(before.timestamp() * 1_000_000)
    first, last = span(entry.number)
    row = db.execute(
        f"SELECT first_passage FROM steps WHERE id BETWEEN ? AND ? AND {condition} "  # noqa: S608  (fixed texts)
        "ORDER BY id LIMIT 1",
        (first, last, parameter),
    ).fetchone()
    return entry.n_passages if row is None else int(row[0])
