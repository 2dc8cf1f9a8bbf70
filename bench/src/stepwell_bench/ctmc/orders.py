"""Controls of allocation: whole steps by rank, and the same chances given to other ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from stepwell.recall.allocation import Allocation

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Reordered", "WholeSteps"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reordered:
    """Gives each candidate the chance of another rank: of the opposite one, or of a drawn one.

    Attributes:
        order: Which.
        seed: Of the drawn ranks.
        inner: The allocation whose chances these are.
    """

    order: Literal["shuffled", "reversed"]
    seed: int = 0
    inner: Allocation = Allocation()  # noqa: RUF009  (frozen)
    shows_parts: bool = True

    @property
    def tail(self) -> float:
        """As the allocation's."""
        return self.inner.tail

    def chances(
        self, scores: NDArray[np.float64], rest: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the allocation's chances in another order."""
        own = self.inner.chances(scores, rest)
        if self.order == "reversed":
            return own[::-1]
        return np.random.default_rng(self.seed).permutation(own)

    def grants(
        self,
        chance: NDArray[np.float64],
        outlines: NDArray[np.float64],
        wholes: NDArray[np.float64],
        *,
        room: float,
    ) -> tuple[NDArray[np.float64], bool]:
        """Return what the allocation grants for these chances."""
        return self.inner.grants(chance, outlines, wholes, room=room)


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeSteps:
    """Flat packing: steps are quoted whole, in order of rank, while they fit."""

    tail: float = 0.05
    shows_parts: bool = False

    def chances(
        self, scores: NDArray[np.float64], rest: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the usual chances, which decide nothing here."""
        return Allocation(tail=self.tail).chances(scores, rest)

    def grants(
        self,
        chance: NDArray[np.float64],  # noqa: ARG002  (of an Allocator)
        outlines: NDArray[np.float64],  # noqa: ARG002
        wholes: NDArray[np.float64],
        *,
        room: float,
    ) -> tuple[NDArray[np.float64], bool]:
        """Grant each step the whole of it, in order, as long as the room lasts."""
        return np.where(np.cumsum(wholes) <= room, wholes, 0.0), True
