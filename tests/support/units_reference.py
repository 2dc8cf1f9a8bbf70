"""Units built the slow way, straight from the rules, to hold the fast way to."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

from stepwell.structures.units.grid import grid_scale, on_grid
from stepwell.structures.units.model import PRIORITY, Annotation, UnitOptions, Units, View

if TYPE_CHECKING:
    from numpy.typing import NDArray

Plain = list[tuple[str, str, list[int]]]
"""Units as view, key and steps."""


@dataclass
class Candidate:
    view: View
    key: str
    steps: list[int]
    total: list[int] = field(default_factory=list)

    @property
    def place(self) -> tuple[int, int, str]:
        return PRIORITY.index(self.view), self.steps[0], self.key


def named_candidates(annotations: list[Annotation], options: UnitOptions) -> list[Candidate]:
    gaps = {
        View.ENTITY: max(60, 8 * options.gap),
        View.TOOL: max(12, 2 * options.gap),
        View.SUBGOAL: max(8, options.gap),
    }
    found = []
    for view in options.views:
        if view == View.SIMILARITY:
            continue
        groups: dict[str, list[int]] = {}
        for step, annotation in enumerate(annotations):
            for name in names_of(annotation, view):
                groups.setdefault(name, []).append(step)
        for key, steps in groups.items():
            if view == View.ENTITY and is_common(steps, len(annotations), gaps[view], options):
                continue
            for segment in split(steps, gaps[view]):
                chunks = range(0, len(segment), options.max_size)
                found += [
                    Candidate(view, key, segment[at : at + options.max_size]) for at in chunks
                ]
    return [c for c in found if len(c.steps) >= options.min_size]


def is_common(steps: list[int], n: int, gap: int, options: UnitOptions) -> bool:
    """Return whether a name's candidates have too many steps together."""
    sizes = [
        len(segment[at : at + options.max_size])
        for segment in split(steps, gap)
        for at in range(0, len(segment), options.max_size)
    ]
    n_bound = sum(size for size in sizes if size >= options.min_size)
    return options.max_share < 1 and n_bound > max(3, options.max_share * n)


def names_of(annotation: Annotation, view: View) -> set[str]:
    if view == View.ENTITY:
        return set(annotation.entities)
    if view == View.TOOL:
        return set(annotation.tools)
    return set() if annotation.subgoal is None else {annotation.subgoal}


def split(steps: list[int], gap: int) -> list[list[int]]:
    segments = [[steps[0]]]
    for before, step in pairwise(steps):
        if step - before > gap:
            segments.append([])
        segments[-1].append(step)
    return segments


def pruned(candidates: list[Candidate], rows: list[list[int]], options: UnitOptions) -> Plain:
    """Return the units left after pruning, sorted."""
    for c in candidates:
        c.total = [sum(column) for column in zip(*(rows[s] for s in c.steps), strict=True)]

    def cosine(step: int, c: Candidate) -> float:
        length = math.sqrt(sum(x * x for x in c.total))
        dot = sum(x * y for x, y in zip(rows[step], c.total, strict=True))
        return dot / length if length else 0.0

    kept: dict[tuple[int, int, str], list[int]] = {c.place: [] for c in candidates}
    for step in range(len(rows)):
        mine = [c for c in candidates if step in c.steps]
        mine.sort(key=lambda c: (c.place[0], -cosine(step, c), c.steps[0], c.key))
        for c in mine[: options.max_memberships]:
            kept[c.place].append(step)
    units = [
        (c.view, c.key, kept[c.place]) for c in candidates if len(kept[c.place]) >= options.min_size
    ]
    units.sort(key=lambda unit: (PRIORITY.index(unit[0]), unit[2][0], unit[1]))
    return [(str(view), key, steps) for view, key, steps in units]


def grid_rows(vectors: NDArray[np.float32], options: UnitOptions) -> list[list[int]]:
    scale = grid_scale(vectors.shape[1], terms=options.max_size)
    return [[int(x) for x in row] for row in on_grid(vectors, scale=scale)]


def plain(units: Units) -> Plain:
    return [
        (str(PRIORITY[view]), key, units.of(at).tolist())
        for at, (view, key) in enumerate(zip(units.views, units.keys, strict=True))
    ]


def assert_equal(one: Units, other: Units) -> None:
    assert plain(one) == plain(other)
    assert one.n_steps == other.n_steps
    for a, b in ((one.centroids, other.centroids), (one.coherence, other.coherence)):
        assert (a is None) == (b is None)
        assert a is None or b is None or np.array_equal(a, b)


names = st.sampled_from([f"r::{letter}" for letter in "abcdef"])
some_annotations = st.builds(
    Annotation,
    entities=st.lists(names, max_size=4).map(tuple),
    tools=st.lists(names, max_size=2).map(tuple),
    subgoal=st.none() | names,
)
# Runs of steps without any name let gaps of more than 60 steps occur.
some_runs = st.lists(
    st.one_of(
        some_annotations.map(lambda a: [a]),
        st.integers(1, 70).map(lambda n: [Annotation()] * n),
    ),
    max_size=40,
).map(lambda parts: [a for part in parts for a in part])
some_options = st.builds(
    UnitOptions,
    min_size=st.integers(1, 3),
    max_size=st.integers(3, 20),
    max_memberships=st.integers(1, 5),
    gap=st.integers(0, 9),
    neighbours=st.integers(1, 8),
    max_share=st.sampled_from([1.0, 0.5, 0.1, 0.0]),
    min_cosine=st.none() | st.sampled_from([0.0, 0.3, 0.9]),
    views=st.lists(st.sampled_from(PRIORITY), unique=True).map(tuple),
)


def vectors_of(n: int, *, seed: int, dimension: int = 5, topics: int = 4) -> NDArray[np.float32]:
    """Return unit vectors around a few topics; some are equal, some are zero."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(topics, dimension))
    rows = centres[rng.integers(topics, size=n)]
    rows += 0.5 * rng.normal(size=rows.shape) * (rng.random((n, 1)) < 0.7)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows[rng.random(n) < 0.05] = 0
    return rows.astype(np.float32)
