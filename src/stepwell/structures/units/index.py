"""The units structure: groups of steps of a trajectory, which order what other structures find."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from stepwell.structures.base import Traits
from stepwell.structures.derived import Derived, Deriving, Part
from stepwell.structures.sparse import sparse_ranking
from stepwell.structures.units.growing import DEFAULT
from stepwell.structures.units.marks import PLAIN, AnnotateOptions, Marks, marks_of, version_of
from stepwell.structures.units.model import UnitOptions, Units
from stepwell.structures.units.view import UnitView

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from stepwell.store.database import Database
    from stepwell.structures.base import Query, Ranking, Within
    from stepwell.structures.units.model import Annotation

__all__ = ["LIVE_NAMES", "LIVE_UNITS", "UnitIndex"]

LIVE_NAMES = AnnotateOptions(written=True)
"""Names in what an agent writes bind steps 2.6 times as often as chance where a question needs them
together; names in what comes back 1.7 times, for twice the memberships."""

LIVE_UNITS = UnitOptions(max_share=0.25)
"""A name that more than a quarter of all steps hold tells none of them from the others."""


@dataclass(slots=True)
class UnitIndex:
    """The units of the trajectories in a database.

    Attributes:
        db: The database; one that can only be read will do.
        options: How units are built.
        annotate: What is taken as an entity and as a tool.
    """

    name = "units"
    tokens = 3_700
    traits = Traits(orders=True)
    db: Database
    options: UnitOptions = DEFAULT
    annotate: AnnotateOptions = PLAIN
    _views: Derived[Marks, UnitView] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        deriving = Deriving(
            structure=self.name,
            version=version_of(self.annotate),
            type=Marks,
            extract=partial(marks_of, options=self.annotate),
            start=partial(UnitView, self.options),
            cut=UnitView.cut,
        )
        self._views = Derived(self.db, deriving)

    def save(self) -> None:
        """Store what was derived and is not stored yet."""
        self._views.save()

    def signals(self, query: Query, *, within: Within) -> dict[str, float]:  # noqa: ARG002
        """Return nothing: units tell something of what was found, and nothing of a question."""
        return {}

    def search(self, query: Query, *, within: Within, limit: int) -> Ranking:  # noqa: ARG002
        """Return nothing: units order what other structures find."""
        return sparse_ranking(self, {}, n_passages=within.n_passages, limit=limit)

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
        return self._views.view(Part(number=trajectory)).units(vectors)

    def annotations(self, trajectory: int) -> Sequence[Annotation]:
        """Return the annotation of each step of a trajectory as it is stored now.

        Raises:
            NotFoundError: There is no such trajectory.
        """
        return tuple(self._views.view(Part(number=trajectory)).annotations)
