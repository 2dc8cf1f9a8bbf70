"""Selection by relevance alone, and by relevance less redundancy: no units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stepwell.errors import InvalidInputError
from stepwell.recall.rank.selection.packing import Novelty, best_first, pack_novel, pack_whole

if TYPE_CHECKING:
    from stepwell.recall.rank.selection.base import Problem

__all__ = ["MMR_TRADE_OFF", "Flat", "Mmr"]

MMR_TRADE_OFF = 0.7
"""λ of the Flat + MMR baseline (OSU-Mem, section 5.1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flat:
    """The most relevant steps that fit (OSU-Mem's Flat Vector baseline)."""

    name: str = "flat"

    def select(self, problem: Problem, budget: int) -> list[int]:
        """Return the chosen steps, best first."""
        return pack_whole(best_first(problem.scores), problem.costs, budget)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mmr:
    """Maximal marginal relevance: λ·s_i - (1 - λ)·max_{j∈S} h_i·h_j (Carbonell, Goldstein 1998).

    Attributes:
        trade_off: λ; 1 is `Flat`.
    """

    name: str = "mmr"
    trade_off: float = MMR_TRADE_OFF

    def select(self, problem: Problem, budget: int) -> list[int]:
        """Return the chosen steps, in the order of the picks.

        Raises:
            InvalidInputError: The problem has no vectors, so redundancy has no measure.
        """
        if problem.vectors is None:
            raise InvalidInputError(
                "Maximal marginal relevance needs the vectors of the steps.",
                hint="Use an encoder, or the selector `flat`.",
            )
        return pack_novel(
            self.trade_off * problem.scores,
            problem.costs,
            budget,
            vectors=problem.vectors,
            novelty=Novelty(weight=1 - self.trade_off),
        )
