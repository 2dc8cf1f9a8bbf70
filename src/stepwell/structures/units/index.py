"""Units of stored trajectories: continued from where they are, not built again."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final

from stepwell.errors import InvalidInputError, NotFoundError, StoreError
from stepwell.store.read import load_steps
from stepwell.store.units import (
    first_rewritten,
    load_annotations,
    progress_of,
    save_annotations,
    snapshot,
)
from stepwell.structures.base import Traits
from stepwell.structures.units.annotate import PLAIN, START, annotate_step
from stepwell.structures.units.growing import DEFAULT, Growing
from stepwell.structures.units.stored import annotator_of, decode_annotation, encode_annotation

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw
    import numpy as np
    from numpy.typing import NDArray

    from stepwell.store.units import Progress
    from stepwell.structures.units.annotate import AnnotateOptions, Goal
    from stepwell.structures.units.model import Annotation, UnitOptions, Units

__all__ = ["UnitIndex"]

_KEPT: Final = 16
"""Trajectories kept in memory: at 2,000 steps of 384 dimensions each takes some 20 MB."""

_SAVED_AT_ONCE: Final = 32
"""New annotations that are worth a transaction; fewer are made again in a few milliseconds."""


@dataclass(slots=True)
class _Known:
    """What is in memory of one trajectory.

    Attributes:
        namespace: The trajectory's id.
        revision: The trajectory's when its steps were read.
        growing: Units of the steps that have been asked for.
        annotations: One per step.
        goals: What each step leaves for the next.
        n_saved: How many annotations are stored.
        units: Those units, read; None after a change.
    """

    namespace: str
    revision: int
    growing: Growing
    annotations: list[Annotation] = field(default_factory=list["Annotation"])
    goals: list[Goal] = field(default_factory=list["Goal"])
    n_saved: int = 0
    units: Units | None = None

    def cut(self, n: int) -> None:
        """Forget the steps from n on."""
        del self.annotations[n:], self.goals[n:]
        self.n_saved = min(self.n_saved, n)
        if n < self.growing.n:
            self.growing.cut(n)
            self.units = None


@dataclass(slots=True)
class UnitIndex:
    """The units of the trajectories in a database.

    Annotations are stored once they are made, where the database can be written at once, and each
    reading goes on from the steps it knows. Like the connection, it is for one thread at a time.

    Attributes:
        db: The database; one that can only be read will do.
        options: How units are built.
        annotate: What is taken as an entity and as a tool.
    """

    name: ClassVar[str] = "units"
    tokens: ClassVar[int] = 3_700
    traits: ClassVar[Traits] = Traits(orders=True)
    db: apsw.Connection
    options: UnitOptions = DEFAULT
    annotate: AnnotateOptions = PLAIN
    _known: OrderedDict[int, _Known] = field(default_factory=OrderedDict[int, _Known], repr=False)

    def units(self, trajectory: int, vectors: NDArray[np.float32] | None = None) -> Units:
        """Return the units of a trajectory as it is stored now.

        Args:
            trajectory: Its number.
            vectors: Unit vectors of its first n steps, shape (n, d): then the units are those of
                these steps. None gives the units of all steps, without a similarity view.

        Raises:
            NotFoundError: There is no such trajectory.
            InvalidInputError: There are more vectors than steps, or they are not finite.
        """
        known = self._current(trajectory)
        n = len(known.annotations) if vectors is None else len(vectors)
        if n > len(known.annotations):
            raise InvalidInputError(
                f"There are {n} vectors and {len(known.annotations)} steps.",
                hint="Give the vectors of steps that are stored.",
            )
        n_same = min(n, _n_same(known.growing, vectors))
        if n_same == 0:
            known.growing, known.units = Growing(self.options), None
        if n_same < known.growing.n:
            known.growing.cut(n_same)
            known.units = None
        units = known.units
        if units is None or n_same < n:
            known.units = None  # until it is known that the vectors can be used
            fresh = slice(n_same, n)
            more = None if vectors is None else vectors[fresh]
            known.growing.extend(known.annotations[fresh], more)
            units = known.units = known.growing.units()
        return units

    def annotations(self, trajectory: int) -> Sequence[Annotation]:
        """Return the annotation of each step of a trajectory as it is stored now.

        Raises:
            NotFoundError: There is no such trajectory.
        """
        return tuple(self._current(trajectory).annotations)

    def save(self) -> None:
        """Store what was annotated within a transaction, in which nothing could be stored."""
        for trajectory, known in self._known.items():
            self._save(trajectory, known)

    def _current(self, trajectory: int) -> _Known:
        """Return what is known of a trajectory, read up to its last step."""
        with snapshot(self.db):
            progress = progress_of(self.db, trajectory)
            if progress is None:
                self._known.pop(trajectory, None)
                raise NotFoundError(
                    f"There is no trajectory {trajectory}.", hint="It may have been forgotten."
                )
            known = self._known.get(trajectory)
            if known is None:
                known = _Known(
                    namespace=progress.trajectory_id,
                    revision=progress.revision,
                    growing=Growing(self.options),
                )
                self._known[trajectory] = known
            self._known.move_to_end(trajectory)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
            self._forget_rewritten(trajectory, known, progress)
            if len(known.annotations) < progress.n_steps:
                self._read_on(trajectory, known)
        self._save(trajectory, known)
        return known

    def _forget_rewritten(self, trajectory: int, known: _Known, progress: Progress) -> None:
        if progress.revision != known.revision:
            first = first_rewritten(self.db, trajectory, since=known.revision)
            known.cut(progress.n_steps if first is None else first)
            known.revision = progress.revision

    def _read_on(self, trajectory: int, known: _Known) -> None:
        """Load the annotations that are stored, and annotate the steps that have none."""
        namespace, first = known.namespace, len(known.annotations)
        annotator = annotator_of(self.annotate)
        if known.n_saved == first:
            bodies = load_annotations(self.db, trajectory, annotator=annotator, first=first)
            with suppress(StoreError):  # what is damaged, and all after it, is made again
                for body in bodies:
                    annotation, goal = decode_annotation(body, namespace=namespace)
                    known.annotations.append(annotation)
                    known.goals.append(goal)
            known.n_saved = len(known.annotations)
        for step in load_steps(self.db, trajectory, first=len(known.annotations)):
            goal = known.goals[-1] if known.goals else START
            annotation, goal = annotate_step(
                step, namespace=namespace, goal=goal, options=self.annotate
            )
            known.annotations.append(annotation)
            known.goals.append(goal)

    def _save(self, trajectory: int, known: _Known) -> None:
        first = known.n_saved
        if len(known.annotations) - first < _SAVED_AT_ONCE:
            return
        bodies = [
            encode_annotation(annotation, goal, namespace=known.namespace)
            for annotation, goal in zip(known.annotations[first:], known.goals[first:], strict=True)
        ]
        if save_annotations(
            self.db,
            trajectory,
            bodies,
            first=first,
            annotator=annotator_of(self.annotate),
            revision=known.revision,
        ):
            known.n_saved = len(known.annotations)


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
