"""Units over a trajectory that grows."""

from __future__ import annotations

import math
from itertools import count
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.errors import InvalidInputError
from stepwell.structures.units.assemble import assemble
from stepwell.structures.units.centroids import Sums
from stepwell.structures.units.communities import HORIZON, Communities
from stepwell.structures.units.grid import grid_scale, on_grid
from stepwell.structures.units.grouping import Group, candidates_of, groups_of, without_common
from stepwell.structures.units.likeness import Likeness
from stepwell.structures.units.model import UnitOptions, View
from stepwell.structures.units.prune import prune

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from stepwell.structures.units.grouping import Groups
    from stepwell.structures.units.model import Annotation, Units

__all__ = ["DEFAULT", "Growing"]

DEFAULT: Final = UnitOptions()
"""The options of the paper."""

_FEW: Final = 3
"""Steps an entity may always bind: in a run of ten, three are no sign of a common name."""


class Growing:
    """The units of a trajectory whose steps arrive one after another.

    At any time they are exactly those of `build_units` on the steps so far: groups never change
    but at their end, communities are detected on a schedule that depends on the number of steps
    alone, and cosines are compared in exact arithmetic (`grid`).

    >>> from stepwell.structures.units.model import Annotation
    >>> growing = Growing()
    >>> for name in ("r::oslo", "r::rome", "r::oslo"):
    ...     growing.append(Annotation(entities=(name,)))
    >>> len(growing.units())
    1
    """

    def __init__(self, options: UnitOptions = DEFAULT) -> None:
        """Start without steps.

        Raises:
            InvalidInputError: Options that cannot be.
        """
        _check(options)
        self.options = options
        self.n = 0
        numbers = count()
        self._groups: dict[View, Groups] = {
            view: groups_of(view, options, numbers)
            for view in options.views
            if view != View.SIMILARITY
        }
        self._likeness = Likeness(options.max_size)
        self._sums = Sums(options.max_size)
        self._annotations: list[Annotation] = []
        self._vectors: NDArray[np.float32] | None = None
        self._rows: NDArray[np.float32] | None = None
        self._n_rows = 0
        self._scale = 0
        self._horizons: list[Communities] = []

    @property
    def vectors(self) -> NDArray[np.float32] | None:
        """The vectors of the steps so far, shape (n, d); not to be written to."""
        return None if self._vectors is None else self._vectors[: self.n]

    def append(self, annotation: Annotation, vector: NDArray[np.float32] | None = None) -> None:
        """Add a step; `vector` is its unit vector, shape (d,), for all steps or for none."""
        self.extend((annotation,), None if vector is None else vector[None, :])

    def extend(
        self, annotations: Sequence[Annotation], vectors: NDArray[np.float32] | None = None
    ) -> None:
        """Add steps; `vectors` are their unit vectors, shape (n, d), for all steps or for none.

        Raises:
            InvalidInputError: Vectors that do not fit the steps, or those before them.
        """
        self._keep(vectors, len(annotations))
        for view, groups in self._groups.items():
            groups.extend(self.n, _names(annotations, view))
        self.n += len(annotations)
        self._annotations.extend(annotations)

    def cut(self, n: int) -> None:
        """Take back all steps from index n on; what they take to undo depends on them alone."""
        gone = [self._annotations.pop() for _ in range(n, self.n)]
        for view, groups in self._groups.items():
            groups.cut(n, _names(gone, view))
        self.n = min(n, self.n)
        self._n_rows = min(self._n_rows, self.n)
        while len(self._horizons) > -(-self.n // HORIZON):
            self._horizons.pop()
        if self._horizons:
            last = len(self._horizons) - 1
            self._horizons[last].cut(self.n - last * HORIZON)

    def units(self) -> Units:
        """Return the units of the steps so far."""
        rows = self._on_grid()
        found = {view: self._large(view) for view in self._groups}
        if rows is not None and View.SIMILARITY in self.options.views:
            found[View.SIMILARITY] = self._similar(rows)
        candidates = candidates_of(found)
        keeps = prune(candidates, rows, likeness=self._likeness, options=self.options)
        return assemble(candidates, keeps, n_steps=self.n, vectors=self.vectors, sums=self._sums)

    def _large(self, view: View) -> Sequence[Group]:
        groups = self._groups[view].large()
        if view != View.ENTITY or self.options.max_share >= 1:
            return groups
        return without_common(groups, most=max(_FEW, self.options.max_share * self.n))

    def _keep(self, vectors: NDArray[np.float32] | None, n: int) -> None:
        """Store the vectors of the next n steps."""
        if vectors is None and self._vectors is None:
            return
        width = None if self._vectors is None else self._vectors.shape[1]
        if vectors is None or vectors.ndim != 2 or len(vectors) != n:  # noqa: PLR2004
            raise InvalidInputError(
                "There is not one vector for each step.",
                hint="Give vectors of shape (n, d) for all steps of a trajectory, or for none.",
            )
        if (width is not None and vectors.shape[1] != width) or (width is None and self.n):
            raise InvalidInputError(
                "The vectors do not fit those of the steps before.",
                hint="Build the units anew when the encoder changes.",
            )
        self._vectors = _with_room(self._vectors, self.n, n, vectors.shape[1])
        with np.errstate(over="ignore"):  # what float32 cannot hold is refused with the infinite
            self._vectors[self.n : self.n + n] = vectors

    def _on_grid(self) -> NDArray[np.float32] | None:
        """Return the rows of all steps on the grid, shape (n, d)."""
        if self._vectors is None:
            return None
        fresh = self._vectors[self._n_rows : self.n]
        self._scale = self._scale or grid_scale(fresh.shape[1], terms=self.options.max_size)
        self._rows = _with_room(self._rows, self._n_rows, len(fresh), fresh.shape[1])
        self._rows[self._n_rows : self.n] = on_grid(fresh, scale=self._scale)
        self._n_rows = self.n
        return self._rows[: self.n]

    def _similar(self, rows: NDArray[np.float32]) -> list[Group]:
        """Return the communities of at least `min_size` steps, by first step."""
        while len(self._horizons) * HORIZON < self.n:
            self._horizons.append(Communities(options=self.options, scale=self._scale))
        large: list[Group] = []
        for offset, horizon in zip(count(step=HORIZON), self._horizons, strict=False):
            if offset + horizon.n < min(self.n, offset + HORIZON):
                horizon.extend(rows[offset : offset + HORIZON])
            for group in horizon.groups:
                if len(group) >= self.options.min_size:
                    steps = [offset + step for step in group] if offset else group
                    large.append(Group(steps[0], "", -1, steps))
        large.sort()
        return large


def _names(annotations: Sequence[Annotation], view: View) -> Iterable[tuple[str, ...]]:
    """Return what a view binds each step by."""
    if view == View.ENTITY:
        return (annotation.entities for annotation in annotations)
    if view == View.TOOL:
        return (annotation.tools for annotation in annotations)
    goals = (annotation.subgoal for annotation in annotations)
    return (() if goal is None else (goal,) for goal in goals)


def _with_room(
    array: NDArray[np.float32] | None, n: int, more: int, width: int
) -> NDArray[np.float32]:
    """Return the array with room for more rows, at least doubled when it has to be copied."""
    if array is not None and n + more <= len(array):
        return array
    roomy = np.empty((n + more if array is None else max(2 * n, n + more), width), dtype=np.float32)
    if array is not None:
        roomy[:n] = array[:n]
    return roomy


def _check(options: UnitOptions) -> None:
    least = {
        "min_size": (options.min_size, 1),
        "max_size": (options.max_size, options.min_size),
        "max_memberships": (options.max_memberships, 1),
        "gap": (options.gap, 0),
        "neighbours": (options.neighbours, 1),
    }
    for name, (value, bound) in least.items():
        if not value >= bound:  # NaN is not, either
            raise InvalidInputError(
                f"{name} is {value}.", hint=f"It is at least {bound} for these units."
            )
    if not 0 <= options.max_share <= 1:
        raise InvalidInputError(f"max_share is {options.max_share}.", hint="It is from 0 to 1.")
    if options.min_cosine is not None and math.isnan(options.min_cosine):
        raise InvalidInputError("min_cosine is no number.", hint="It is from -1 to 1, or None.")
    if unknown := set(options.views) - set(View):
        raise InvalidInputError(
            f"There is no view {', '.join(sorted(map(repr, unknown)))}.",
            hint=f"There are {', '.join(View)}.",
        )
