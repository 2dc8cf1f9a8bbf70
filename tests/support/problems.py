"""Small random selection problems, with units of all views."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from stepwell.recall.rank.selection.base import Problem
from stepwell.structures.units.model import PRIORITY, Units

MAX_STEPS = 14


def units_of(members: list[list[int]], *, n_steps: int, vectors: np.ndarray | None) -> Units:
    """Return units with the given members; views go round."""
    centroids = None
    if vectors is not None:
        sums = [vectors[one].sum(axis=0) for one in members]
        rows = [one / max(float(np.linalg.norm(one)), 1e-9) for one in sums]
        centroids = np.asarray(rows, dtype=np.float32).reshape(len(members), vectors.shape[1])
    sizes = [len(one) for one in members]
    return Units(
        n_steps=n_steps,
        views=np.arange(len(members)).astype(np.int8) % len(PRIORITY),
        keys=tuple(f"unit {number}" for number in range(len(members))),
        starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        members=np.asarray([step for one in members for step in one], dtype=np.int64),
        centroids=centroids,
    )


def made(seed: int, *, n: int, n_units: int, encoded: bool = True, equal: bool = False) -> Problem:
    """Return a random problem; ties among scores are frequent when it has no vectors."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, 5)).astype(np.float32)
    vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    query = vectors[0] if n else np.ones(5, dtype=np.float32)
    sizes = rng.integers(1, max(2, n // 2 + 1), size=n_units) if n else np.zeros(0, dtype=int)
    members = [sorted(rng.choice(n, size=size, replace=False).tolist()) for size in sizes]
    scores = vectors @ query if encoded else rng.integers(0, 4, size=n) / 4
    costs = np.full(n, 7) if equal else rng.integers(1, 20, size=n)
    return Problem(
        scores=scores.astype(np.float64),
        costs=costs.astype(np.int64),
        units=units_of(members, n_steps=n, vectors=vectors if encoded else None),
        vectors=vectors if encoded else None,
        query=query if encoded else None,
    )


problems = st.builds(
    made,
    st.integers(0, 2**32 - 1),
    n=st.integers(0, MAX_STEPS),
    n_units=st.integers(0, 8),
    encoded=st.booleans(),
    equal=st.booleans(),
)
