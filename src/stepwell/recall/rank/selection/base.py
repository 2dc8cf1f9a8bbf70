"""What a selection chooses from, and what a selector is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from stepwell.structures.units.model import Units

__all__ = ["Problem", "Selector"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Problem:
    """One question over the n steps that may be retrieved, oldest first.

    Attributes:
        scores: Relevance of each step to the question, such as its cosine, shape (n,), float64.
        costs: Tokens of each step, at least 1, shape (n,), int64.
        units: The units over these steps.
        vectors: Unit vectors of the steps, shape (n, d), float32; None without an encoder.
        query: Unit vector of the question, shape (d,), float32; None without an encoder.
    """

    scores: NDArray[np.float64]
    costs: NDArray[np.int64]
    units: Units
    vectors: NDArray[np.float32] | None = None
    query: NDArray[np.float32] | None = None


class Selector(Protocol):
    """A way to choose steps."""

    @property
    def name(self) -> str:
        """Name in tables and options."""
        ...

    def select(self, problem: Problem, budget: int) -> list[int]:
        """Return the chosen steps, best first: no repeats, costs within the budget."""
        ...
