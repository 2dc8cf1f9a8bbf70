"""Which triples answer a question: personalised PageRank from the names it speaks of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.structures.graph.linking import links
from stepwell.structures.graph.model import WEAK
from stepwell.structures.pagerank import pagerank

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from stepwell.structures.base import Query
    from stepwell.structures.graph.view import GraphView

__all__ = ["score_triples"]

_RESTART: Final = 0.5
"""α: half of the mass stays with the names themselves."""

_HOPS: Final = 2

_WEAK: Final = 0.5
"""What a triple counts that only says that two names stand together."""


def score_triples(query: Query, view: GraphView) -> NDArray[np.float64]:
    """Return a score per triple: how near its ends are to the question's names, and its words.

    score = ½ (p(subject) + p(object)) / max p + Σ idf of the question's terms in the triple /
    Σ idf of all its terms, with p the personalised PageRank (α = .5) in two hops around the linked
    names; half of that when the triple only says that two names stand together. Triples that are
    neither near nor share a term score 0.
    """
    scores = _overlaps(query.terms, view)
    linked = links(query.text, view)
    if linked:
        mass = _masses(linked, view)
        scores += mass[view.edges].sum(axis=1) / (2 * mass.max())
    return scores * _strengths(view)


def _strengths(view: GraphView) -> NDArray[np.float64]:
    return np.array([_WEAK if t.relation in WEAK else 1.0 for t in view.triples])


def _masses(linked: dict[int, float], view: GraphView) -> NDArray[np.float64]:
    edges = view.edges
    reset = np.zeros(len(view.names))
    reset[list(linked)] = list(linked.values())
    near = reset > 0
    for _ in range(_HOPS - 1):
        near[edges[near[edges].any(axis=1)]] = True
    # An edge belongs to the neighbourhood when one of its ends is at most one hop away.
    weights = np.fromiter(map(len, view.steps), dtype=np.float64, count=len(view.steps))
    weights = np.where(near[edges].any(axis=1), _strengths(view) * (1 + np.log(weights)), 0)
    return pagerank(view.graph, weights=weights, reset=reset, restart=_RESTART)


def _overlaps(terms: Sequence[str], view: GraphView) -> NDArray[np.float64]:
    """Return the share of the question's terms, weighted by idf, that each triple holds."""
    n, edges = len(view.triples), view.edges
    scores, total = np.zeros(n), 0.0
    for term in dict.fromkeys(terms):
        has = np.zeros(len(view.names), dtype=bool)
        has[view.holders.get(term, [])] = True
        held = has[edges].any(axis=1)
        idf = np.log(1 + (n - held.sum() + 0.5) / (held.sum() + 0.5))
        scores[held] += idf
        total += idf
    return scores / total if total else scores
