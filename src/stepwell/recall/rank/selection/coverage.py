"""Coverage-guided greedy selection: relevance plus a bonus for seeing relevant units twice."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.recall.rank.selection.routing import Routing, route, unit_scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from stepwell.recall.rank.selection.base import Problem

__all__ = ["BETA", "SATURATION", "Coverage"]

BETA = 0.12
"""β, the midpoint of OSU-Mem's sweep from .04 to .20 (section 6.1)."""

SATURATION = 2
"""Steps after which a unit counts as covered: the least that shows what binds it (Hit@2)."""

_SHARE = 0.25
"""κ; wider than for coarse-to-fine, since a unit routed in vain costs only its small bonus."""


_ROUTING = Routing(share=_SHARE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Greedy on f(S) = Σ_{i∈S} s_i + β·Σ_{u∈U_K} w_u·min(1, |S∩u|/2), w_u = max(0, c_u)/max c.

    All steps are candidates, so β = 0 is `Flat`. f is submodular: a sum of s_i plus concave
    functions of counts; it is monotone where no s_i is negative. The pick is the greatest marginal
    gain among the steps that still fit, whatever they cost, as with every other method here.

    What that guarantees, for monotone f under a budget of tokens: no constant factor, since one
    dear step can crowd out many cheap ones that are each worth a little less. Until a step is first
    refused for its cost, picks are those of greedy under a limit on numbers: with k picks by then,
    and k* steps in the optimum, f is at least (1 - exp(-k/k*)) times the optimum; with equal costs
    k = k*, hence 1 - 1/e = .632 (Nemhauser, Wolsey and Fisher, 1978). Greedy on gain per token has
    no constant either; the better of both has (1 - 1/e)/2 (Leskovec et al., 2007), but that is not
    the published method.

    Evaluation is lazy (Minoux, 1978): a gain computed earlier bounds the gain now, so only steps
    that reach the top of the heap are evaluated again. The picks are those of plain greedy.

    Attributes:
        beta: β.
        routing: Which units are covered, and how many.
    """

    name: str = "coverage"
    beta: float = BETA
    routing: Routing = _ROUTING

    def select(self, problem: Problem, budget: int) -> list[int]:
        """Return the chosen steps, in the order of the picks."""
        weights, held = self._bonuses(problem)
        return _lazy(problem, weights, held, budget)

    def _bonuses(self, problem: Problem) -> tuple[list[float], list[list[int]]]:
        """Return the bonus of one more step in each routed unit, and the routed units per step."""
        units, scores = problem.units, unit_scores(problem)
        routed = route(units, scores, routing=self.routing)
        positive = np.maximum(scores[routed], 0.0)
        top = float(positive.max(initial=0.0))
        shares = positive / top if top > 0 else positive
        held = [list[int]() for _ in range(units.n_steps)]
        for place, unit in enumerate(routed.tolist()):
            members: list[int] = units.of(unit).tolist()
            for step in members:
                held[step].append(place)
        bonuses: NDArray[np.float64] = shares * (self.beta / SATURATION)
        return bonuses.tolist(), held


def _lazy(
    problem: Problem, bonuses: Sequence[float], held: Sequence[Sequence[int]], budget: int
) -> list[int]:
    costs: list[int] = problem.costs.tolist()
    scores: list[float] = problem.scores.tolist()
    seen = [0] * len(bonuses)

    def gain(step: int) -> float:
        # Correctly rounded, so that a stale gain is an upper bound in floats as well.
        open_units = (bonuses[unit] for unit in held[step] if seen[unit] < SATURATION)
        return math.fsum((scores[step], *open_units))

    heap = [(-gain(step), step) for step in range(len(scores)) if costs[step] <= budget]
    heapq.heapify(heap)
    left, least, taken = budget, min(costs, default=0), list[int]()
    while heap and left >= least:
        stale, step = heapq.heappop(heap)
        if costs[step] > left:
            continue
        now = -gain(step)
        if now > stale:
            heapq.heappush(heap, (now, step))
            continue
        taken.append(step)
        left -= costs[step]
        for unit in held[step]:
            seen[unit] += 1
    return taken
