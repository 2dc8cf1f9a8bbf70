"""The episodic structure: BM25 over passages, by SQLite's FTS5 in the transaction of the text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from stepwell.store.read import trajectory_passages
from stepwell.store.rowids import number_of, span
from stepwell.structures.base import Query, Ranking, Within
from stepwell.text.search import match_expression, search_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import apsw

    from stepwell.trajectory.passages import Passage

__all__ = ["Episodic", "index_text"]

_POSTINGS = 500
"""Matches scored: BM25 costs some microseconds each, a common term a scan of all its places, and
it tells few passages apart. On AMA-Bench's questions the evidence found is the same (.516 and .507
of it at 500 tokens, .670 and .674 at 1,000)."""

_ENOUGH = 10
"""Matches below which a wider expression is tried."""

_STALE = 1.1

_RANGES_EACH = 32
"""Scopes of up to so many trajectories are searched range by range, which costs only the ranges."""


def index_text(passage: Passage) -> str:
    """Return what is indexed of a passage: its text, and at an atom's start its tool or actor."""
    starts = passage.first_line == 1 and passage.first_column == 1
    return f"{passage.label} {passage.text}" if starts else passage.text


@dataclass(slots=True)
class Episodic:
    """BM25 (k1 = 1.2, b = .75, FTS5's constants) over the passages of a store.

    score(q, d) = Σ_t idf(t) · f(t,d)·(k1+1) / (f(t,d) + k1·(1 - b + b·|d|/avg|d|)), with the
    document frequencies of the whole store (Robertson and Zaragoza, 2009).
    """

    db: apsw.Connection
    name: str = "episodic"
    _frequencies: dict[str, int] = field(default_factory=dict[str, int], repr=False)
    _counted_at: int = field(default=0, repr=False)

    def build(self, trajectory: int) -> None:
        """Index a trajectory's passages from nothing; inside the caller's transaction."""
        first, last = span(trajectory)
        self.db.execute(
            "DELETE FROM passages_fts WHERE rowid IN "
            "(SELECT id FROM passages WHERE id BETWEEN ? AND ?)",
            (first, last),
        )
        rows = list(trajectory_passages(self.db, trajectory))
        self.append([row for row, _ in rows], [passage for _, passage in rows])

    def append(self, rowids: Sequence[int], passages: Sequence[Passage]) -> None:
        """Index further passages; inside the transaction that stores them."""
        self.db.executemany(
            "INSERT INTO passages_fts (rowid, tokens) VALUES (?, ?)",
            (
                (row, " ".join(search_tokens(index_text(passage))))
                for row, passage in zip(rowids, passages, strict=True)
            ),
        )

    def search(self, query: Query, *, within: Within, limit: int) -> Ranking:
        """Return the passages that hold any of the question's terms, best BM25 first.

        Where more than 500 would match, the commonest terms are left out, or the two rarest are
        wanted together when all are common, or else the rarest; if a choice of rare terms finds
        next to nothing, every term counts.
        """
        found: list[tuple[int, float]] = []
        for expression in self._expressions(query.terms, within):
            found = self._matches(expression, within, limit)
            if len(found) >= _ENOUGH:
                break
        rows = np.asarray([row for row, _ in found], dtype=np.int64)
        scores = np.asarray([score for _, score in found], dtype=np.float64)
        # A passage without any term scores 0: the moments are over all passages in scope.
        n = max(within.n_passages, len(found), 1)
        mean = float(scores.sum()) / n
        deviation = float(np.sqrt(max(float((scores**2).sum()) / n - mean**2, 0.0)))
        best = np.lexsort((rows, -scores))[:limit]
        return Ranking(
            structure=self.name,
            rowids=rows[best],
            scores=scores[best],
            mean=mean,
            deviation=deviation or 1.0,
        )

    def _expressions(self, terms: Sequence[str], within: Within) -> Iterator[str]:
        """Yield what to match: the cheapest expression that will do, then wider ones."""
        every = match_expression(terms)
        if not every:
            return
        if within.n_passages > _POSTINGS:
            counts = {term: self._frequency(term, within) for term in dict.fromkeys(terms)}
            known = sorted((n, term) for term, n in counts.items() if n)
            rare: list[str] = []
            total = 0
            for n, term in known:
                total += n
                if total * within.share > _POSTINGS:
                    break
                rare.append(term)
            if rare and len(rare) < len(known):
                yield match_expression(rare)
            elif not rare and len(known) > 1:
                both = (match_expression([term]) for _, term in known[:2])
                yield " AND ".join(both)
            if known and known[0][0] * within.share > _POSTINGS:
                yield match_expression([known[0][1]])
                return
        yield every

    def _frequency(self, term: str, within: Within) -> int:
        """Return in how many passages a term stands, not older than a tenth of growth."""
        if within.n_passages > self._counted_at * _STALE:
            self._frequencies.clear()
            self._counted_at = within.n_passages
            self.db.execute(
                "CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms "
                "USING fts5vocab(main, passages_fts, row)"
            )
        if term not in self._frequencies:
            row = self.db.execute("SELECT doc FROM temp.terms WHERE term = ?", (term,)).fetchone()
            self._frequencies[term] = 0 if row is None else int(row[0])
        return self._frequencies[term]

    def _matches(self, expression: str, within: Within, limit: int) -> list[tuple[int, float]]:
        """Return row ids and BM25 of matches, the best of them if there are more than `limit`."""
        ranked = "SELECT rowid, -rank FROM passages_fts WHERE passages_fts MATCH ?"
        if within.is_all:
            return self._rows(f"{ranked} ORDER BY rank LIMIT ?", expression, limit)
        if len(within.spans) <= _RANGES_EACH:
            return [
                row
                for span_ in within.spans
                for row in self._rows(f"{ranked} AND rowid BETWEEN ? AND ?", expression, *span_)
            ]
        ends = {number_of(first): last for first, last in within.spans}
        return [
            row
            for row in self._rows(ranked, expression)
            if row[0] <= ends.get(number_of(row[0]), -1)
        ]

    def _rows(self, sql: str, *parameters: str | int) -> list[tuple[int, float]]:
        return [(int(row), float(score)) for row, score in self.db.execute(sql, parameters)]
