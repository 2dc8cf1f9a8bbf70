"""The units of one trajectory as its steps and their vectors come to be known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stepwell.errors import InvalidInputError
from stepwell.structures.units.annotate import START, annotation_of
from stepwell.structures.units.growing import DEFAULT, Growing

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from stepwell.structures.units.annotate import Goal
    from stepwell.structures.units.marks import Marks
    from stepwell.structures.units.model import Annotation, UnitOptions, Units

__all__ = ["UnitView"]


@dataclass(slots=True)
class UnitView:
    """The annotations of a trajectory's steps, and the units over them, built when first asked for.

    Units go on from the steps they know: what is asked for again is built once, and what grows or
    shrinks at its end is not built anew.

    Attributes:
        options: How units are built.
        annotations: One per step.
    """

    options: UnitOptions = DEFAULT
    annotations: list[Annotation] = field(default_factory=list["Annotation"])
    _goals: list[Goal] = field(default_factory=list["Goal"], repr=False)
    _growing: Growing | None = field(default=None, repr=False)
    _units: Units | None = field(default=None, repr=False)

    def extend(self, values: Sequence[Marks]) -> None:
        """Take in what the next steps say of themselves."""
        for marks in values:
            goal = self._goals[-1] if self._goals else START
            annotation, goal = annotation_of(marks, goal)
            self.annotations.append(annotation)
            self._goals.append(goal)

    def cut(self, n: int) -> None:
        """Forget the steps from index n on."""
        del self.annotations[n:], self._goals[n:]
        if self._growing is not None and n < self._growing.n:
            self._growing.cut(n)
            self._units = None

    def units(self, vectors: NDArray[np.float32] | None = None) -> Units:
        """Return the units of the steps so far.

        Args:
            vectors: Unit vectors of the first n steps, shape (n, d): then the units are those of
                these steps. None gives the units of all steps, without a similarity view.

        Raises:
            InvalidInputError: There are more vectors than steps, or they are not finite.
        """
        n = len(self.annotations) if vectors is None else len(vectors)
        if n > len(self.annotations):
            raise InvalidInputError(
                f"There are {n} vectors and {len(self.annotations)} steps.",
                hint="Give the vectors of steps that are stored.",
            )
        growing = self._grown(n, vectors)
        if self._units is None or growing.n < n:
            self._units = None  # until it is known that the vectors can be used
            fresh = slice(growing.n, n)
            growing.extend(self.annotations[fresh], None if vectors is None else vectors[fresh])
            self._units = growing.units()
        return self._units

    def _grown(self, n: int, vectors: NDArray[np.float32] | None) -> Growing:
        """Return the units as far as they are those of the first n steps with these vectors."""
        n_same = 0 if self._growing is None else min(n, _n_same(self._growing, vectors))
        if self._growing is None or n_same == 0:
            self._growing, self._units = Growing(self.options), None
        elif n_same < self._growing.n:
            self._growing.cut(n_same)
            self._units = None
        return self._growing


def _n_same(growing: Growing, vectors: NDArray[np.float32] | None) -> int:
    """Return how many steps of growing units have the vectors given now."""
    before = growing.vectors
    if vectors is None or before is None:
        return growing.n if vectors is None and before is None else 0
    if before.shape[1:] != vectors.shape[1:]:
        return 0
    n = min(len(before), len(vectors))
    differs = (before[:n] != vectors[:n]).any(axis=1)
    return int(differs.argmax()) if differs.any() else n
