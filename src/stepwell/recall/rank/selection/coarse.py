"""Budgeted coarse-to-fine selection: route to units, then rank the steps inside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from stepwell.recall.rank.selection.packing import Novelty, best_first, pack_novel, pack_whole
from stepwell.recall.rank.selection.routing import Routing, owners, route, unit_scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stepwell.recall.rank.selection.base import Problem

__all__ = ["NOVELTY", "NOVELTY_FROM", "ROUTED_SHARE", "Coarse"]

ROUTED_SHARE = 0.20
"""κ; K "adapts proportionally" to the number of units (OSU-Mem, section 4), the factor is ours.

κ, a and m are open in the paper. Of a few values of each, these serve OSU-Mem best on made-up
episodes (seed 7, which no result is reported on), so that it is compared at its strongest.
"""

NOVELTY = 0.03
"""OSU-Mem finds that its novelty term changes nothing significantly (section 6.4), so it has to be
small: cosines of a real encoder are five times those of made-up vectors, and .1 already costs five
points of Hit@2 there."""

NOVELTY_FROM = 192
"""Least budget, in tokens, at which the novelty term is on (OSU-Mem, section 6.4)."""

_ROUTING = Routing(share=ROUTED_SHARE)

_COUNTED = 3
"""Routed units counted per step; more of them say little that three did not."""

_NO_SCORE = np.finfo(np.float64).min
"""Below every score of a unit, and finite, so that a weight of 0 makes it vanish."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coarse:
    """OSU-Mem's default retrieval (sections 3 and 6.4, with the constants it leaves open chosen).

    Let U_K be the routed units, c_u the score of a unit and s_i that of a step. The candidates are
    the steps of routed units, each worth a·s_i + (1 - a)·max_{u∈U_K, u∋i} c_u + m·min(n_i, 3), with
    n_i the number of routed units that hold it. They are taken greedily; from a budget of
    `novelty_from` on, less w·max(0, max_{j∈S} h_i·h_j) for the steps S taken before.

    Attributes:
        mode: `paper` stops when the candidates are used up; `plus` spends what is left on the other
            steps by s_i.
        routing: Which units may be routed to, and how many.
        mix: a, the weight of the step's own score.
        bonus: m, per routed unit that holds the step.
        novelty: w; without vectors there is no novelty term.
        novelty_from: Budget in tokens from which w applies.
    """

    name: str = "coarse"
    mode: Literal["paper", "plus"] = "plus"
    routing: Routing = _ROUTING
    mix: float = 0.3
    bonus: float = 0.12
    novelty: float = NOVELTY
    novelty_from: int = NOVELTY_FROM

    def select(self, problem: Problem, budget: int) -> list[int]:
        """Return the chosen steps, in the order of the picks."""
        values = self._values(problem)
        taken = self._fine(problem, values, budget)
        if self.mode == "paper":
            return taken
        left = budget - int(problem.costs[taken].sum())
        others = best_first(problem.scores)
        others = others[np.isneginf(values[others])]
        return taken + pack_whole(others, problem.costs, left)

    def _values(self, problem: Problem) -> NDArray[np.float64]:
        """Return what each candidate is worth, shape (n,); minus infinity for the other steps."""
        units, scores = problem.units, unit_scores(problem)
        routed = np.zeros(len(units), dtype=np.bool_)
        routed[route(units, scores, routing=self.routing)] = True
        owner = owners(units)
        kept = routed[owner]
        steps, owner = units.members[kept], owner[kept]
        counts = np.bincount(steps, minlength=units.n_steps)
        best = np.full(units.n_steps, _NO_SCORE)
        np.maximum.at(best, steps, scores[owner])
        values = self.mix * problem.scores + (1 - self.mix) * best
        values += self.bonus * np.minimum(counts, _COUNTED)
        return np.where(counts > 0, values, -np.inf)

    def _fine(self, problem: Problem, values: NDArray[np.float64], budget: int) -> list[int]:
        if problem.vectors is None or self.novelty == 0 or budget < self.novelty_from:
            order = best_first(values)
            return pack_whole(order[np.isfinite(values[order])], problem.costs, budget)
        return pack_novel(
            values,
            problem.costs,
            budget,
            vectors=problem.vectors,
            novelty=Novelty(weight=self.novelty, least=0.0),
        )
