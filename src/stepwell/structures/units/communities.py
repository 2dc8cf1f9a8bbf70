"""The similarity view: communities of the graph of nearest neighbours.

Detecting communities costs the square of the steps, so it is done at checkpoints that lie ever
further apart, and steps after the last checkpoint join the community of their nearest earlier
neighbours. What has grown and what is built at once follow the same schedule, and so agree.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.structures.units.leiden import leiden
from stepwell.structures.units.nearest import earlier_neighbours, neighbours

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stepwell.structures.units.model import UnitOptions

__all__ = ["CHECKPOINTS", "HORIZON", "Communities", "detect"]

HORIZON: Final = 4_096
"""Steps among which similar ones are looked for; then the next 4,096. It bounds the cost per step
of very long runs, and leaves two hundred times the steps that fit a unit to choose from."""

_FIRST, _GROWTH = 4, 1.25
"""Detection at 4, 5, 7, 9, … steps: all detections together cost 1/(1 - 1.25⁻²) = 2.8 times the
last one, and at most a fifth of the steps are placed by their earlier neighbours alone."""

_LEAST_COSINE: Final = 0.35
"""The data never lower the threshold further: MiniLM's cosines of unrelated texts stay below."""


def _schedule() -> tuple[int, ...]:
    points = [_FIRST]
    while points[-1] < HORIZON:
        points.append(min(HORIZON, math.ceil(points[-1] * _GROWTH)))
    return tuple(points)


CHECKPOINTS: Final = _schedule()
"""Numbers of steps, counted within a horizon, at which communities are detected."""


def detect(
    rows: NDArray[np.float32], *, scale: int, options: UnitOptions
) -> tuple[list[list[int]], float]:
    """Return the communities among rows, and the least dot product of an edge.

    Edges join rows that are among each other's k nearest and whose cosine reaches the threshold:
    `options.min_cosine`, or max(.35, mean + one deviation of the neighbours' cosines). Leiden's
    communities of more than `max_size` steps are cut into stretches of time of equal size.

    Args:
        rows: Rows on the grid, shape (n, d).
        scale: Their length.
        options: k, threshold and sizes.

    Returns:
        Row numbers of each community, single rows included, ascending, and the threshold.
    """
    n = len(rows)
    k = min(options.neighbours, n - 1)
    near, dots = neighbours(rows, k=k)
    cosines = dots.astype(np.float64) / scale**2
    least = options.min_cosine
    if least is None:
        least = max(_LEAST_COSINE, float(cosines.mean() + cosines.std()))
    own = np.repeat(np.arange(n), k)
    other = near.reshape(-1)
    close = cosines.reshape(-1) >= least
    pairs = np.minimum(own, other) * n + np.maximum(own, other)
    codes, at, counts = np.unique(pairs[close], return_index=True, return_counts=True)
    is_mutual = counts > 1  # both ends have found the pair
    edges = np.stack([codes[is_mutual] // n, codes[is_mutual] % n], axis=1)
    labels = leiden(n, edges, cosines.reshape(-1)[close][at[is_mutual]])
    return _cut(labels, options.max_size), least * scale**2


def _cut(labels: NDArray[np.int64], max_size: int) -> list[list[int]]:
    """Return the rows of each label, cut into stretches of at most `max_size` and equal size."""
    groups: dict[int, list[int]] = {}
    for row, label in enumerate(labels.tolist()):
        groups.setdefault(label, []).append(row)
    parts: list[list[int]] = []
    for group in groups.values():
        n_parts = -(-len(group) // max_size)
        bounds = [len(group) * part // n_parts for part in range(n_parts + 1)]
        parts += [group[first:last] for first, last in pairwise(bounds)]
    return parts


@dataclass(slots=True)
class Communities:
    """The communities of one horizon of steps, kept up as steps arrive.

    Attributes:
        options: k, threshold and sizes.
        scale: Length of the rows.
        detected_at: Steps at the last detection; 0 before the first.
        n: Steps placed.
        groups: Steps of each community, ascending.
    """

    options: UnitOptions
    scale: int
    detected_at: int = 0
    n: int = 0
    groups: list[list[int]] = field(default_factory=list[list[int]])
    _label: list[int] = field(default_factory=list[int])
    _least: float = math.inf

    def extend(self, rows: NDArray[np.float32]) -> None:
        """Place further rows; `rows` are all of this horizon so far, shape (n, d)."""
        point = max((point for point in CHECKPOINTS if point <= len(rows)), default=0)
        if point > self.detected_at:
            self.detected_at = self.n = point
            self.groups, self._least = detect(rows[:point], scale=self.scale, options=self.options)
            self._label = [0] * point
            for label, group in enumerate(self.groups):
                for step in group:
                    self._label[step] = label
        if self.detected_at and self.n < len(rows):
            self._join(rows)

    def cut(self, n: int) -> None:
        """Take back the rows from n on; a detection among them is to be made again."""
        if n < self.detected_at:
            self.detected_at = self.n = 0
            self.groups, self._label = [], []
        while self.n > n:
            self.n -= 1
            label = self._label.pop()
            self.groups[label].pop()
            if not self.groups[label]:  # it was the first of the latest community
                self.groups.pop()

    def _join(self, rows: NDArray[np.float32]) -> None:
        k = min(self.options.neighbours, self.detected_at)
        near, dots = earlier_neighbours(rows, k=k, first=self.n)
        for step, (others, likeness) in enumerate(
            zip(near.tolist(), dots.tolist(), strict=True), start=self.n
        ):
            label = self._nearest(others, likeness)
            if label is None:
                label = len(self.groups)
                self.groups.append([])
            self.groups[label].append(step)
            self._label.append(label)
        self.n = len(rows)

    def _nearest(self, others: list[int], likeness: list[float]) -> int | None:
        """Return the community with room whose steps are most like a step, summed over them."""
        votes: dict[int, float] = {}
        for other, dot in zip(others, likeness, strict=True):
            label = self._label[other]
            if dot >= self._least and len(self.groups[label]) < self.options.max_size:
                votes[label] = votes.get(label, 0) + dot
        return max(votes, key=lambda label: (votes[label], -label), default=None)
