"""What a memory structure is: an index over passages with build, append and search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from stepwell.trajectory.passages import Passage

__all__ = ["Query", "Ranking", "Structure", "Within"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question, prepared once for every structure.

    Attributes:
        text: The question as asked.
        terms: Its search tokens (`stepwell.text.search`), in order, repeats included.
        vector: Its unit vector; None when no encoder runs.
    """

    text: str
    terms: tuple[str, ...]
    vector: NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Within:
    """Where a search may look.

    Attributes:
        spans: First and last passage row id of each trajectory in scope, inclusive, ascending.
        n_passages: How many passages that is.
        is_all: Whether that is all of the store, so that nothing found has to be checked.
        share: Share of the store's passages that these are, from 0 to 1.
    """

    spans: tuple[tuple[int, int], ...]
    n_passages: int
    is_all: bool = False
    share: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """What a structure found.

    Attributes:
        structure: Its name.
        rowids: Passage row ids, best first, shape (n,), int64.
        scores: Their scores, higher is better, shape (n,), float64.
        mean: Mean score over all passages searched, not only those returned.
        deviation: Standard deviation over the same.
        coverage: Share of the passages in scope that the structure has indexed, from 0 to 1.
    """

    structure: str
    rowids: NDArray[np.int64]
    scores: NDArray[np.float64]
    mean: float = 0.0
    deviation: float = 1.0
    coverage: float = 1.0


class Structure(Protocol):
    """An index over the passages of a store.

    Building a trajectory from nothing and appending its passages in any portions give the same
    index: the conformance suite holds every structure to it.
    """

    @property
    def name(self) -> str:
        """Name in rankings, evidence and options."""
        ...

    def build(self, trajectory: int) -> None:
        """Index all passages of the trajectory with this number from nothing."""
        ...

    def append(self, rowids: Sequence[int], passages: Sequence[Passage]) -> None:
        """Index further passages, given with their row ids in ascending order."""
        ...

    def search(self, query: Query, *, within: Within, limit: int) -> Ranking:
        """Return at most `limit` passages, best first, ties by row id."""
        ...
