"""TextRank: the lines that the other lines of a text speak of."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from stepwell.structures.pagerank import pagerank, undirected
from stepwell.text.search import query_tokens

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["terms_of", "textrank"]


@lru_cache(maxsize=1 << 14)
def terms_of(line: str) -> frozenset[str]:
    """Return the search tokens of a line, without the words any line has."""
    return frozenset(query_tokens(line))


@lru_cache(maxsize=1 << 12)
def textrank(lines: tuple[str, ...]) -> tuple[float, ...]:
    """Return the PageRank of each line, 1 on average.

    Lines are joined by the terms they share, Σ_{t ∈ A ∩ B} idf(t) / (log(1 + |A|) + log(1 + |B|)),
    with idf(t) = log(n / lines that hold t): TextRank (Mihalcea and Tarau, 2004), but what stands
    in every line joins none. A line that shares nothing has what a random jump gives it.

    >>> ranks = textrank(("the red door", "the red door is shut", "a whale"))
    >>> ranks[0] > ranks[2] and ranks[1] > ranks[2]
    True
    """
    n = len(lines)
    if n == 0:
        return ()
    shared, sizes = _shared([terms_of(line) for line in lines])
    logs = np.log1p(sizes)
    firsts, seconds = np.nonzero(np.triu(shared, k=1))
    weights = shared[firsts, seconds] / (logs[firsts] + logs[seconds])
    graph = undirected(n, np.column_stack((firsts, seconds)))
    ranks = pagerank(graph, weights=weights, reset=np.ones(n)) * n
    return tuple(ranks.tolist())


def _shared(terms: list[frozenset[str]]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the idf of the terms that each two lines share, and how many terms each has."""
    places: dict[str, int] = {}
    for line in terms:
        for term in line:
            places.setdefault(term, len(places))
    holds = np.zeros((len(terms), len(places)))
    for row, line in enumerate(terms):
        holds[row, [places[term] for term in line]] = 1
    idf = np.log(len(terms) / np.maximum(holds.sum(axis=0), 1))
    return (holds * idf) @ holds.T, holds.sum(axis=1)
