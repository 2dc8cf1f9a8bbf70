"""The episodic structure: BM25 over passages, by SQLite's FTS5 in the transaction of the text."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import accumulate, combinations, islice
from typing import TYPE_CHECKING

from stepwell.store.rowids import number_of
from stepwell.store.words import (
    add_words,
    best_matches,
    count_words,
    matches_within,
    matching_rows,
    n_holding,
)
from stepwell.structures.base import Query, Ranking, Traits, Within
from stepwell.structures.sparse import sparse_ranking
from stepwell.text.search import match_expression

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from stepwell.store.database import Database
    from stepwell.trajectory.passages import Passage

__all__ = ["Episodic", "candidate_expression"]

_LARGE = 1_000
"""Passages in the store up to which every match is scored by BM25. That costs some microseconds a
match, and for each term a scan of all its places in the store, also for a small part of it."""

_WIDE = 5_000
"""Passages in scope up to which every passage with a term is a candidate."""

_POSTINGS = 500
"""Passages that a choice of terms may bring in, as far as their counts tell."""

_PAIRED = 4
"""Terms after the rare ones that count in pairs."""

_MOST = _WIDE
"""Rows taken of one term or choice of terms: all there are in a scope that is not wide."""

_STALE = 1.1
"""Growth of the scope after which frequencies are counted anew; a tenth moves no idf by much."""


@dataclass(slots=True)
class Episodic:
    """BM25 (k1 = 1.2, b = .75, FTS5's constants) over the passages of a store.

    score(q, d) = Σ_t idf(t) · f(t,d)·(k1+1) / (f(t,d) + k1·(1 - b + b·|d|/avg|d|)), with the
    document frequencies of the whole store (Robertson and Zaragoza, 2009).
    """

    name = "episodic"
    tokens = 3_800
    traits = Traits(matches="words", is_wide=True, why="its words match")
    db: Database
    _frequencies: dict[str, int] = field(default_factory=dict[str, int], repr=False)
    _counted_at: int = field(default=0, repr=False)

    def append(self, rowids: Sequence[int], passages: Sequence[Passage]) -> None:
        """Index further passages; inside the transaction that stores them."""
        add_words(self.db, zip(rowids, passages, strict=True))

    def save(self) -> None:
        """Do nothing: what is added is stored at once."""

    def signals(self, query: Query, *, within: Within) -> dict[str, float]:  # noqa: ARG002
        """Return nothing: what it can tell of a question is what it finds."""
        return {}

    def search(self, query: Query, *, within: Within, limit: int) -> Ranking:
        """Return the passages that hold any of the question's terms, best BM25 first.

        In a store of more than 1,000 passages a match's score is Σ idf(t) over the terms it holds:
        BM25 without frequencies, which passages of one size hardly differ in. In a scope of more
        than 5,000 passages the candidates are those that hold one of the rarest terms or a pair of
        rare ones.
        """
        terms = list(dict.fromkeys(query.terms))
        if within.n_passages > _LARGE * within.share:
            scores = self._light_matches(terms, within)
        else:
            scores = self._matches(match_expression(terms), within, limit) if terms else {}
        return sparse_ranking(self, scores, n_passages=within.n_passages, limit=limit)

    def _light_matches(self, terms: Sequence[str], within: Within) -> dict[int, float]:
        n = max(1, round(within.n_passages / within.share)) if within.share else 1
        counts = {term: self._frequency(term, within) for term in terms}
        known = {term: count for term, count in counts.items() if count}
        # In a wide scope only candidates count; FTS5 walks both lists at once and skips in them.
        chosen = candidate_expression(known, n_passages=n) if within.n_passages > _WIDE else ""
        scores = dict.fromkeys(self._rows_of(chosen, within), 0.0) if chosen else {}
        for term, count in known.items():
            weight = math.log(1 + (n - count + 0.5) / (count + 0.5))
            holds = match_expression([term])
            for row in self._rows_of(f"({chosen}) AND {holds}" if chosen else holds, within):
                if row in scores or not chosen:
                    scores[row] = scores.get(row, 0.0) + weight
        return scores

    def _frequency(self, term: str, within: Within) -> int:
        """Return in how many passages a term stands, not older than a tenth of growth."""
        if within.n_passages > self._counted_at * _STALE:
            self._frequencies.clear()
            self._counted_at = within.n_passages
            count_words(self.db)
        if term not in self._frequencies:
            n = n_holding(self.db, term)
            if n == 0:  # not kept: the term may be in the next step
                return 0
            self._frequencies[term] = n
        return self._frequencies[term]

    def _matches(self, expression: str, within: Within, limit: int) -> dict[int, float]:
        """Return row ids and BM25 of matches, the best of them if there are more than `limit`."""
        if within.is_all:
            return best_matches(self.db, expression, limit=limit)
        return matches_within(self.db, expression, within.spans)

    def _rows_of(self, expression: str, within: Within) -> list[int]:
        """Return the row ids in scope that match, without scores."""
        if within.is_all:
            return list(matching_rows(self.db, expression, most=_MOST))
        if len(within.spans) == 1:
            return list(matching_rows(self.db, expression, span=within.spans[0], most=_MOST))
        ends = {number_of(first): last for first, last in within.spans}
        rows = matching_rows(self.db, expression)
        return list(islice((row for row in rows if row <= ends.get(number_of(row), -1)), _MOST))


def candidate_expression(counts: Mapping[str, int], *, n_passages: int) -> str:
    """Return what a passage must hold to be looked at: a rare term, or two that are rare together.

    Terms are taken from the rarest on while their passages sum up to at most 500; of the next
    four, pairs that would stand together in at most 500 if they were independent. If that leaves
    nothing, the rarest term alone.

    Args:
        counts: In how many passages each term stands, above 0.
        n_passages: Passages in the store.

    >>> candidate_expression({"zx77": 3, "port": 900, "use": 4000}, n_passages=10_000)
    '"zx77" OR ("port" AND "use")'
    """
    ranked = sorted(counts, key=lambda term: (counts[term], term))
    sums = list(accumulate(counts[term] for term in ranked))
    n_rare = sum(total <= _POSTINGS for total in sums)
    parts = [match_expression([term]) for term in ranked[:n_rare]]
    for one, other in combinations(ranked[n_rare : n_rare + _PAIRED], 2):
        if counts[one] * counts[other] <= _POSTINGS * n_passages:
            parts.append(f"({match_expression([one])} AND {match_expression([other])})")
    return " OR ".join(parts or map(match_expression, ([term] for term in ranked[:1])))
