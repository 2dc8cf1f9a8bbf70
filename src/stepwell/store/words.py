"""The words of passages: a full-text index by SQLite's FTS5, written with the passages."""

from __future__ import annotations

from bisect import bisect_right
from itertools import islice
from typing import TYPE_CHECKING

from stepwell.store.rowids import step_of
from stepwell.text.search import match_expression, search_tokens
from stepwell.trajectory.passages import Passage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import apsw

__all__ = [
    "add_words",
    "best_matches",
    "completions",
    "count_words",
    "index_anew",
    "index_text",
    "is_held",
    "matches_within",
    "matching_rows",
    "n_holding",
    "rows_within",
]

_ASKED_APART = 8
"""Spans up to which each is asked for its own matches; of more, all between them are sifted."""

_MATCHES = "passages_fts WHERE passages_fts MATCH ?"


def index_text(passage: Passage) -> str:
    """Return what is indexed of a passage: its text, and at an atom's start its tool or actor."""
    starts = passage.first_line == 1 and passage.first_column == 1
    return f"{passage.label} {passage.text}" if starts else passage.text


def add_words(db: apsw.Connection, rows: Iterable[tuple[int, Passage]]) -> None:
    """Index passages, each behind its row id; inside the caller's transaction."""
    db.executemany(
        "INSERT INTO passages_fts (rowid, tokens) VALUES (?, ?)",
        ((row, " ".join(search_tokens(index_text(passage)))) for row, passage in rows),
    )


def index_anew(db: apsw.Connection) -> None:
    """Index all passages again, because search tokens changed; inside the caller's transaction."""
    db.execute("INSERT INTO passages_fts (passages_fts) VALUES ('delete-all')")
    stored = db.execute("SELECT id, part, label, text, line, col FROM passages ORDER BY id")
    add_words(
        db,
        (
            (
                int(row),
                Passage(
                    step=step_of(int(row)),
                    part=part,
                    label=label,
                    text=text,
                    first_line=line,
                    first_column=column,
                ),
            )
            for row, part, label, text, line, column in stored
        ),
    )


def count_words(db: apsw.Connection) -> None:
    """Let the words of this connection's database be counted by `n_holding`."""
    db.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab(main, passages_fts, row)"
    )


def n_holding(db: apsw.Connection, term: str) -> int:
    """Return how many passages of the store hold a search token."""
    row = db.execute("SELECT doc FROM temp.terms WHERE term = ?", (term,)).fetchone()
    return 0 if row is None else int(row[0])


def is_held(db: apsw.Connection, term: str, spans: Sequence[tuple[int, int]] | None) -> bool:
    """Tell whether a passage within spans of row ids holds a search token; None for anywhere.

    Args:
        db: The database, its words counted (`count_words`).
        term: The token.
        spans: First and last row ids, both inclusive, ascending.
    """
    if not spans or not n_holding(db, term):
        return spans is None and n_holding(db, term) > 0
    return next(_within(matching_rows(db, match_expression([term])), spans), None) is not None


def completions(
    db: apsw.Connection, beginning: str, *, spans: Sequence[tuple[int, int]] | None, most: int
) -> list[str]:
    """Return search tokens within spans that begin so and are longer, in their order.

    Args:
        db: The database, its words counted (`count_words`).
        beginning: Letters, digits and hyphens.
        spans: First and last row ids, both inclusive, ascending; None for the whole store.
        most: So many at most.
    """
    rows = db.execute(
        "SELECT term FROM temp.terms WHERE term > ? AND term < ?",
        (beginning, f"{beginning}\U0010ffff"),
    ).fetchall()
    terms = (str(term) for (term,) in rows)
    return list(islice((one for one in terms if spans is None or is_held(db, one, spans)), most))


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


def rows_within(
    db: apsw.Connection, expression: str, spans: Sequence[tuple[int, int]], *, most: int
) -> list[int] | None:
    """Return the row ids of matches within spans of row ids; None where they are too many.

    Args:
        db: The database.
        expression: What they match.
        spans: First and last row ids, both inclusive.
        most: So many matches are looked at.
    """
    parts = spans if len(spans) <= _ASKED_APART else [(spans[0][0], spans[-1][1])]
    between = (row for part in parts for row in matching_rows(db, expression, span=part))
    # What stands between the spans is passed over uncounted: it may be of others.
    found = list(islice(_within(between, spans), most))
    return found if len(found) < most else None


def _within(rows: Iterable[int], spans: Sequence[tuple[int, int]]) -> Iterator[int]:
    starts = [first for first, _ in spans]
    for row in rows:
        place = bisect_right(starts, row) - 1
        if place >= 0 and row <= spans[place][1]:
            yield row
