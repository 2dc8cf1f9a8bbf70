"""Overlapping semantic units: annotations of steps, options, finished units."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PRIORITY", "Annotation", "UnitOptions", "Units", "View"]


class View(StrEnum):
    """What binds the steps of a unit."""

    ENTITY = "entity"
    TOOL = "tool"
    SUBGOAL = "subgoal"
    SIMILARITY = "similarity"


PRIORITY = (View.ENTITY, View.TOOL, View.SUBGOAL, View.SIMILARITY)
"""Which view's memberships a step keeps first (OSU-Mem: entity before tool, similarity last)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """What a step is about; each name carries the namespace of the run it comes from.

    Attributes:
        entities: Names and values the step is about, without repeats, in order of appearance.
        tools: Signatures of the tools it calls, boilerplate left out.
        subgoal: What it is done for; None when unknown.
    """

    entities: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    subgoal: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitOptions:
    """How units are built (OSU-Mem, section 3; `max_memberships=1` is the disjoint variant).

    Attributes:
        views: The views that are built.
        min_size: f_min, the fewest steps of a unit.
        max_size: S_max, the most steps of a unit.
        max_memberships: M_max, the most units a step stays in.
        gap: Δ_gap, in steps: groups are split where two of their steps are more than
            max(60, 8Δ) (entity), max(12, 2Δ) (tool) or max(8, Δ) (subgoal) apart.
        neighbours: k of the nearest-neighbour graph behind the similarity view.
        max_share: Share of the steps above which an entity binds nothing, three steps always
            excepted; 1 keeps every entity, as the paper does.
        min_cosine: Least cosine of an edge of that graph. None derives it from the data as
            max(.35, mean + one deviation of the neighbours' cosines), which is above 1 where
            neighbours are near copies: on long runs encoded by MiniLM it bound a tenth of the
            steps that belong together which .35 does.
    """

    views: tuple[View, ...] = PRIORITY
    min_size: int = 2
    max_size: int = 20
    max_memberships: int = 5
    gap: int = 6
    neighbours: int = 8
    max_share: float = 1.0
    min_cosine: float | None = 0.35


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Units:
    """Finished units over n steps, sorted by view priority, then first step, then key.

    Attributes:
        n_steps: Steps of the trajectory, in units or not.
        views: Place in `PRIORITY` of each unit's view, shape (u,), int8.
        keys: What binds each unit: an entity, a tool, a subgoal, `similar:<first step>`.
        starts: Where the members of each unit begin in `members`, shape (u + 1,), int64.
        members: Step indices, ascending within a unit, shape (m,), int64.
        centroids: Unit mean vectors, l2-normalised, shape (u, d), float32; None without vectors.
        coherence: Mean correlation of each unit's vectors, shape (u,), from 0 to 1
            (`coherence.coherence_of`); None without vectors.
    """

    n_steps: int
    views: NDArray[np.int8]
    keys: tuple[str, ...]
    starts: NDArray[np.int64]
    members: NDArray[np.int64]
    centroids: NDArray[np.float32] | None
    coherence: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.keys)

    def of(self, unit: int) -> NDArray[np.int64]:
        """Return the steps of a unit, ascending."""
        return self.members[self.starts[unit] : self.starts[unit + 1]]
