"""The six families of state graphs, as CTMC's Synthetic Graph World makes them.

Undirected graphs are read both ways. Where that leaves several strongly connected components, one
state of each is drawn and these are joined in a ring, so that no walk gets stuck. The order of a
state's successors is part of the world, because actions are segments of it: it is the order in
which edges were made, which is ascending in grown and in block graphs and random in the others.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from stepwell.errors import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

__all__ = ["LEAST_STATES", "Family", "Successors", "make_graph"]

Successors = tuple[tuple[int, ...], ...]
"""The states that follow each state, in order, at least one."""

LEAST_STATES = 20
"""Below this a graph of degree 6 is nearly complete."""

_DEGREE = 6
_MEAN_DEGREE = 6.0
_MOST_LINKS = 3
_STATES_PER_LINK = 30
_BLOCKS = 5
_MIXED_BLOCKS = 3
_INSIDE, _BETWEEN = 0.15, 0.01
_BRIDGES = 5

Edges = list[tuple[int, int]]


class Family(StrEnum):
    """A family of graphs, in the order of the paper's tables."""

    UNIFORM = "uniform"
    EXPONENTIAL = "exponential"
    SCALE_FREE = "scale-free"
    MODULAR = "modular"
    MIXED = "mixed"
    SYMMETRIC = "baseline-symmetric"


def make_graph(family: Family, n_states: int, *, rng: np.random.Generator) -> Successors:
    """Return a strongly connected graph of a family.

    Args:
        family: The recipe.
        n_states: How many states, at least 20.
        rng: What it is drawn from.

    Raises:
        InvalidInputError: There are too few states.

    >>> graph = make_graph(Family.UNIFORM, 20, rng=np.random.default_rng(0))
    >>> {len(next_states) for next_states in graph}
    {6}
    """
    if n_states < LEAST_STATES:
        raise InvalidInputError(
            f"A graph of {n_states} states has no room for its family's shape.",
            hint=f"Use at least {LEAST_STATES} states.",
        )
    return _joined(_both_ways(_RECIPES[family](n_states, rng), n_states), rng)


def _regular(n: int, rng: np.random.Generator) -> Edges:
    """Return a 6-regular simple graph: stubs are paired at random, bad pairs drawn anew.

    Pairs that would make a loop or a second edge go back into the hat, and when no good pair is
    left, all starts again (Steger and Wormald, 1999).
    """
    while True:
        edges = _paired(np.repeat(np.arange(n), _DEGREE), rng)
        if edges is not None:
            return edges


def _paired(stubs: NDArray[np.int64], rng: np.random.Generator) -> Edges | None:
    made: dict[tuple[int, int], None] = {}
    while len(stubs):
        left: list[int] = []
        for u, v in rng.permutation(stubs).reshape(-1, 2).tolist():
            pair = (min(u, v), max(u, v))
            if u == v or pair in made:
                left += (u, v)
            else:
                made[pair] = None
        if left and not _has_good_pair(left, made):
            return None
        stubs = np.asarray(left, dtype=np.int64)
    return list(made)


def _has_good_pair(left: Sequence[int], made: dict[tuple[int, int], None]) -> bool:
    states = sorted(set(left))
    return any((u, v) not in made for i, u in enumerate(states) for v in states[i + 1 :])


def _exponential(n: int, rng: np.random.Generator) -> Edges:
    """Return a configuration model with degrees ⌊Exp(6)⌋+1, without loops and parallel edges."""
    while True:
        degrees = rng.exponential(_MEAN_DEGREE, size=n).astype(np.int64) + 1
        if degrees.sum() % 2 == 0:
            break
    pairs = rng.permutation(np.repeat(np.arange(n), degrees)).reshape(-1, 2).tolist()
    return list(dict.fromkeys((min(u, v), max(u, v)) for u, v in pairs if u != v))


def _grown(n: int, rng: np.random.Generator) -> Edges:
    """Return a Barabási-Albert graph that starts as a star."""
    links = min(_MOST_LINKS, max(1, n // _STATES_PER_LINK))
    edges = [(0, leaf) for leaf in range(1, links + 1)]
    ends = [state for edge in edges for state in edge]
    for new in range(links + 1, n):
        targets: set[int] = set()
        while len(targets) < links:
            targets.add(ends[rng.integers(len(ends))])
        edges += [(target, new) for target in sorted(targets)]
        ends += [*sorted(targets), *[new] * links]
    return edges


def _blocks(n: int, n_blocks: int, rng: np.random.Generator) -> Edges:
    """Return a stochastic block model of equal blocks; the last takes what is left over."""
    block = np.minimum(np.arange(n) // (n // n_blocks), n_blocks - 1)
    likely = np.where(block[:, None] == block[None, :], _INSIDE, _BETWEEN)
    u, v = np.nonzero(np.triu(rng.random((n, n)) < likely, k=1))
    return list(zip(u.tolist(), v.tolist(), strict=True))


def _modular(n: int, rng: np.random.Generator) -> Edges:
    return _blocks(n, _BLOCKS, rng)


def _mixed(n: int, rng: np.random.Generator) -> Edges:
    """Return a grown half and a half of three blocks, joined by five bridges."""
    half = n // 2
    blocks = [(u + half, v + half) for u, v in _blocks(n - half, _MIXED_BLOCKS, rng)]
    bridges = [(int(rng.integers(half)), int(rng.integers(half, n))) for _ in range(_BRIDGES)]
    return list(dict.fromkeys([*_grown(half, rng), *blocks, *bridges]))


_RECIPES: dict[Family, Callable[[int, np.random.Generator], Edges]] = {
    Family.UNIFORM: _regular,
    Family.EXPONENTIAL: _exponential,
    Family.SCALE_FREE: _grown,
    Family.MODULAR: _modular,
    Family.MIXED: _mixed,
    Family.SYMMETRIC: _regular,
}


def _both_ways(edges: Edges, n: int) -> list[list[int]]:
    successors: list[list[int]] = [[] for _ in range(n)]
    for u, v in edges:
        successors[u].append(v)
        successors[v].append(u)
    return successors


def _joined(successors: list[list[int]], rng: np.random.Generator) -> Successors:
    """Return the graph with one state of each component led to one of the next, in a ring."""
    drawn = [part[rng.integers(len(part))] for part in _components(successors)]
    for u, v in zip(drawn, [*drawn[1:], *drawn[:1]], strict=True):
        if u != v:
            successors[u].append(v)
    return tuple(tuple(row) for row in successors)


def _components(successors: list[list[int]]) -> list[list[int]]:
    """Return the connected parts of a graph whose edges go both ways, each ascending."""
    found: list[list[int]] = []
    seen: set[int] = set()
    for start in range(len(successors)):
        if start in seen:
            continue
        part, left = {start}, [start]
        while left:
            new = [v for v in successors[left.pop()] if v not in part]
            part.update(new)
            left += new
        seen |= part
        found.append(sorted(part))
    return found
