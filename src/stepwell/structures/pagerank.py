"""PageRank over an undirected weighted graph, by igraph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import igraph
    from numpy.typing import NDArray

__all__ = ["pagerank", "undirected"]


def undirected(n: int, edges: NDArray[np.int64]) -> igraph.Graph:
    """Return an undirected graph.

    Args:
        n: Number of nodes.
        edges: Pairs of nodes, shape (m, 2).
    """
    import igraph  # noqa: PLC0415  (it imports plotting libraries where there are any)

    return igraph.Graph(n=n, edges=edges)


def pagerank(
    graph: igraph.Graph,
    *,
    weights: NDArray[np.float64],
    reset: NDArray[np.float64],
    restart: float = 0.15,
) -> NDArray[np.float64]:
    """Return where a walker is who follows edges, and now and then jumps back to a start.

    p = restart · v + (1 - restart) · W p, with W the weights of edges divided by their sum at the
    node they leave (Page et al., 1999; personalised: Haveliwala, 2002).

    Args:
        graph: The graph.
        weights: A weight per edge, at least 0; an edge of weight 0 is not there, shape (m,).
        reset: How likely a jump ends at each node, at least 0 and not all 0, shape (n,).
        restart: Probability of a jump.

    Returns:
        Mass of each node, adding up to 1, shape (n,).

    >>> path = undirected(3, np.array([[0, 1], [1, 2]]))
    >>> start = np.array([1.0, 0.0, 0.0])
    >>> pagerank(path, weights=np.ones(2), reset=start, restart=0.5).round(3).tolist()
    [0.583, 0.333, 0.083]
    """
    mass = graph.personalized_pagerank(
        directed=False, damping=1 - restart, reset=reset.tolist(), weights=weights.tolist()
    )
    return np.asarray(mass, dtype=np.float64)
