"""The words of passages: a full-text index by SQLite's FTS5, written with the passages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import apsw

__all__ = [
    "add_words",
    "best_matches",
    "count_words",
    "matches_within",
    "matching_rows",
    "n_holding",
]

_MATCHES = "passages_fts WHERE passages_fts MATCH ?"


def add_words(db: apsw.Connection, rows: Iterable[tuple[int, str]]) -> None:
    """Index passages, each a row id and its search tokens; inside the caller's transaction."""
    db.executemany("INSERT INTO passages_fts (rowid, tokens) VALUES (?, ?)", rows)


def count_words(db: apsw.Connection) -> None:
    """Let the words of this connection's database be counted by `n_holding`."""
    db.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab(main, passages_fts, row)"
    )


def n_holding(db: apsw.Connection, term: str) -> int:
    """Return how many passages of the store hold a search token."""
    row = db.execute("SELECT doc FROM temp.terms WHERE term = ?", (term,)).fetchone()
    return 0 if row is None else int(row[0])


def best_matches(db: apsw.Connection, expression: str, *, limit: int) -> dict[int, float]:
    """Return row ids and BM25 of the best matches in the store, higher is better."""
    rows = db.execute(
        f"SELECT rowid, -rank FROM {_MATCHES} ORDER BY rank LIMIT ?",  # noqa: S608  (fixed text)
        (expression, limit),
    )
    return {int(row): float(score) for row, score in rows}


def matches_within(
    db: apsw.Connection, expression: str, spans: Sequence[tuple[int, int]]
) -> dict[int, float]:
    """Return row ids and BM25 of all matches within spans of row ids, both ends inclusive."""
    within = f"SELECT rowid, -rank FROM {_MATCHES} AND rowid BETWEEN ? AND ?"  # noqa: S608
    return {
        int(row): float(score)
        for span in spans
        for row, score in db.execute(within, (expression, *span))
    }


def matching_rows(
    db: apsw.Connection, expression: str, *, span: tuple[int, int] | None = None, most: int = -1
) -> Iterator[int]:
    """Yield the row ids of matches, ascending.

    Args:
        db: The database.
        expression: What they match.
        span: Row ids they are between, both ends inclusive; None for the whole store.
        most: So many at most; -1 for all.
    """
    within = "" if span is None else "AND rowid BETWEEN ? AND ? "
    rows = db.execute(
        f"SELECT rowid FROM {_MATCHES} {within}LIMIT ?",  # noqa: S608  (fixed texts)
        (expression, *(span or ()), most),
    )
    return (int(row) for (row,) in rows)
