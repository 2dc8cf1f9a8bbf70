"""Which triples answer a question: personalised PageRank from the names it speaks of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.structures.graph.linking import links
from stepwell.structures.graph.model import WEAK
from stepwell.structures.pagerank import pagerank, undirected

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
    """Return a score per triple: how near the question's names it is, and what words it shares.

    score = f / max f + w · Σ idf of the question's terms in the triple / Σ idf of all its terms,
    with f = w · log(e · steps) · (p(subject) / W(subject) + p(object) / W(object)): the mass p of
    either end by personalised PageRank (α = .5) in two hops around the linked names, shared among
    the triples of that end, W being the sum of their weights. w is .5 where a triple only says
    that two names stand together, else 1. A name of hundreds of triples so says little of each.
    """
    strengths = np.array([_WEAK if triple.relation in WEAK else 1.0 for triple in view.triples])
    scores = strengths * _overlaps(query.terms, view)
    linked = links(query.text, view)
    if linked:
        times = np.fromiter(map(len, view.steps), dtype=np.float64, count=len(view.steps))
        flow = _flow(linked, view, strengths * (1 + np.log(times)))
        scores += flow / (flow.max() or 1.0)
    return scores


def _flow(
    linked: dict[int, float], view: GraphView, weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    edges = view.edges
    reset = np.zeros(len(view.names))
    reset[list(linked)] = list(linked.values())
    near = reset > 0
    for _ in range(_HOPS - 1):
        near[edges[near[edges].any(axis=1)]] = True
    # A triple is in the neighbourhood when one of its ends is at most one hop away.
    inside = near[edges].any(axis=1)
    weights = np.where(inside, weights, 0)
    mass = _mass(edges[inside], weights[inside], reset)
    totals = np.bincount(edges.ravel(), weights=np.repeat(weights, 2), minlength=len(mass))
    shares = mass / np.where(totals > 0, totals, 1)
    flow: NDArray[np.float64] = weights * shares[edges].sum(axis=1)
    return flow


def _mass(
    edges: NDArray[np.int64], weights: NDArray[np.float64], reset: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the mass of every name, walking in a graph of these triples alone."""
    nodes, ends = np.unique(np.append(edges.ravel(), np.flatnonzero(reset)), return_inverse=True)
    graph = undirected(len(nodes), ends[: edges.size].reshape(-1, 2))
    mass = np.zeros(len(reset))
    mass[nodes] = pagerank(graph, weights=weights, reset=reset[nodes], restart=_RESTART)
    return mass


def _overlaps(terms: Sequence[str], view: GraphView) -> NDArray[np.float64]:
    """Return the share of the question's terms, weighted by idf, that each triple holds."""
    n, edges = len(view.triples), view.edges
    scores, total = np.zeros(n), 0.0
    for term in dict.fromkeys(terms):
        has = np.zeros(len(view.names), dtype=bool)
        has[view.holders.get(term, [])] = True
        held = has[edges[:, 0]] | has[edges[:, 1]]
        held[view.tellers.get(term, [])] = True
        idf = np.log(1 + (n - held.sum() + 0.5) / (held.sum() + 0.5))
        scores[held] += idf
        total += idf
    return scores / total if total else scores
