"""The episodic structure: BM25 over passages, by SQLite's FTS5 in the transaction of the text."""

from __future__ import annotations

from dataclasses import dataclass
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

_RANGES_EACH = 32
"""Scopes of up to so many trajectories are searched range by range, which costs only the ranges."""


def index_text(passage: Passage) -> str:
    """Return what is indexed of a passage: its text, and at an atom's start its tool or actor."""
    starts = passage.first_line == 1 and passage.first_column == 1
    return f"{passage.label} {passage.text}" if starts else passage.text


@dataclass(frozen=True, slots=True)
class Episodic:
    """BM25 (k1 = 1.2, b = .75, FTS5's constants) over the passages of a store.

    score(q, d) = Σ_t idf(t) · f(t,d)·(k1+1) / (f(t,d) + k1·(1 - b + b·|d|/avg|d|)), with the
    document frequencies of the whole store (Robertson and Zaragoza, 2009).
    """

    db: apsw.Connection
    name: str = "episodic"

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
        """Return the passages that hold any of the question's terms, best BM25 first."""
        expression = match_expression(query.terms)
        found = list(self._matches(expression, within, limit)) if expression else []
        found.sort(key=lambda hit: (-hit[1], hit[0]))
        found = found[:limit]
        scores = np.asarray([score for _, score in found], dtype=np.float64)
        # A passage without any term scores 0: the moments are over all passages in scope.
        n = max(within.n_passages, len(found), 1)
        mean = float(scores.sum()) / n
        deviation = float(np.sqrt(max(float((scores**2).sum()) / n - mean**2, 0.0)))
        return Ranking(
            structure=self.name,
            rowids=np.asarray([row for row, _ in found], dtype=np.int64),
            scores=scores,
            mean=mean,
            deviation=deviation or 1.0,
        )

    def _matches(self, expression: str, within: Within, limit: int) -> Iterator[tuple[int, float]]:
        ranked = "SELECT rowid, -rank FROM passages_fts WHERE passages_fts MATCH ? "
        if within.spans is None:
            yield from self.db.execute(f"{ranked} ORDER BY rank LIMIT ?", (expression, limit))
        elif len(within.spans) <= _RANGES_EACH:
            for first, last in within.spans:
                yield from self.db.execute(
                    f"{ranked} AND rowid BETWEEN ? AND ? ORDER BY rank LIMIT ?",
                    (expression, first, last, limit),
                )
        else:
            ends = {number_of(first): last for first, last in within.spans}
            for row, score in self.db.execute(
                "SELECT rowid, -bm25(passages_fts) FROM passages_fts WHERE passages_fts MATCH ?",
                (expression,),
            ):
                if row <= ends.get(number_of(row), -1):
                    yield row, score
