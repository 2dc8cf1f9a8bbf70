"""Adaptive selection: trust each unit, and the flat scores, as far as the data speak for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.recall.rank.selection.binding import PRIOR, Prior, bind, bindings_of
from stepwell.recall.rank.selection.packing import best_first
from stepwell_bench.osu.noise import explained_share, standard_scores
from stepwell_bench.osu.pursuit import pack_explaining

if TYPE_CHECKING:
    from stepwell.recall.rank.selection.base import Problem

__all__ = ["Adaptive"]

_LEAST_EXPLAINED = 0.01
"""Below, a question is noise, and nothing of it can be explained away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adaptive:
    """Take steps by the odds that they are evidence, per token.

    The odds weigh each step's own score, in deviations of its noise, and what the units that hold
    it say (`binding.bind`). Steps are taken by odds divided by tokens: the order that finds the
    most evidence per token, and one that costs nothing where scores are sharp, since odds then
    differ by far more than costs.

    The better steps explain a question, the more it is a question about several of them, and the
    more a step counts that explains what those before it leave (`pursuit.pack_explaining`): a step
    loses `away` · e · δ / σ per unit of cosine explained before it, with e the share explained,
    δ the strength of evidence and σ the noise of a score.

    Attributes:
        prior: What is believed of any question.
        away: Share of what is explained already that counts no more, for a question that is
            explained in full.
    """

    name: str = "adaptive"
    prior: Prior = PRIOR
    away: float = 0.4

    def select(self, problem: Problem, budget: int) -> list[int]:
        """Return the chosen steps, in the order of the picks."""
        share = explained_share(problem.scores, vectors=problem.vectors, query=problem.query)
        scores = standard_scores(problem.scores, share=share, query=problem.query)
        bound = bind(scores, bindings_of(problem.units, self.prior), self.prior)
        values = bound.odds - np.log(problem.costs)
        weight = 0.0
        if share >= _LEAST_EXPLAINED and problem.scores.std() > 0:
            slope = float(scores.std() / problem.scores.std())  # deviations per unit of cosine
            weight = self.away * share * bound.strength * slope
        by_score = best_first(scores)  # of equal values, the better score first
        order = by_score[best_first(values[by_score])]
        return pack_explaining(values, order, problem, budget, weight=weight)
