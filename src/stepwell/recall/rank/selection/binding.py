"""Units as hypotheses: how likely each step is evidence, given that a unit may bind it to others.

Retrieval scores are noisy, and the summed score of a unit is less so than that of any step. OSU-Mem
routes to the units with the best centroids and so loses evidence that no unit binds. Here every
unit is a hypothesis beside the null hypothesis that none binds, and what it gives to a step is
bounded: where scores are sharp they decide, where they are noise the units do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stepwell.structures.units.model import Units

__all__ = ["PRIOR", "Bindings", "Bound", "Prior", "bind", "bindings_of", "chance_of_top", "is_open"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prior:
    """What is believed of any question before its scores are seen; chosen on other data.

    Attributes:
        binds: ω, the chance that some unit binds the evidence.
        views: Relative chance of a unit of each view, in the order of `PRIORITY`: a subgoal is one
            stretch of work, most tools serve many ends, and similar steps are what flat search
            finds anyhow.
        bound: Steps of a binding unit that are evidence; at most `most` of all its steps.
        most: The largest share of a unit that is evidence.
        alone: Steps that are evidence without any unit.
        rank: Evidence is taken to score like the step of this rank, from 1.
        strengths: Shares of that score that evidence may have instead.
    """

    binds: float = 0.9
    views: tuple[float, float, float, float] = (1.0, 0.5, 2.0, 0.1)
    bound: float = 4.0
    most: float = 0.95
    alone: float = 0.5
    rank: int = 5
    strengths: tuple[float, ...] = (0.25, 0.5, 1.0)


PRIOR = Prior()

_LEAST_BINDS = 1e-6
"""Below, no unit can move a step past another, and none has to be looked at."""

_LEAST_STRENGTH = 0.5
"""Deviations: below, likelihood ratios say nothing, and only divide by almost zero."""

_TINY = float(np.finfo(np.float64).tiny)

_MOST_EXPONENT = 700.0
"""Odds of e^700 are as good as certain, and the largest exponential is e^709."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bindings:
    """What of the hypotheses does not depend on the question.

    Attributes:
        n_steps: Steps of the trajectory.
        members: Steps of the units, shape (m,).
        starts: Where each unit's members begin, shape (u,).
        owner: The unit of each member, shape (m,).
        share: π, the share of its unit's steps that are evidence, for each member, shape (m,).
        weight: Share of each likelihood ratio that counts, shape (m,): the effective size
            1 / (1 + (k - 1)·ρ) of its unit of k steps with coherence ρ.
        log_prior: Log of the chance that each unit binds, given that one does, shape (u,).
    """

    n_steps: int
    members: NDArray[np.int64]
    starts: NDArray[np.int64]
    owner: NDArray[np.int64]
    share: NDArray[np.float64]
    weight: NDArray[np.float64]
    log_prior: NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bound:
    """What the hypotheses say of each step.

    Attributes:
        odds: Log odds that the step is evidence, shape (n,).
        gain: What units add to its log odds, at least 0, shape (n,).
        unit: The unit that adds most on average over δ, the first of equal ones; -1 where none
            adds anything, shape (n,), int64.
        strength: δ, the score that evidence is taken to have, in deviations.
        binds: ω·c, the chance given beforehand that a unit binds the evidence of this question.
    """

    odds: NDArray[np.float64]
    gain: NDArray[np.float64]
    unit: NDArray[np.int64]
    strength: float
    binds: float


def bindings_of(units: Units, prior: Prior = PRIOR) -> Bindings:
    """Prepare the hypotheses of a trajectory; each unit has one member at least."""
    sizes = np.diff(units.starts)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    rho = np.zeros(len(sizes)) if units.coherence is None else units.coherence
    share = np.minimum(prior.most, prior.bound / np.maximum(sizes, 1))
    # A large unit says less of each of its steps: equal chances for units would favour it.
    chance = np.asarray(prior.views)[units.views] / np.maximum(sizes, 1)
    with np.errstate(divide="ignore"):  # a view may have no chance at all
        log_prior = np.log(chance / max(float(chance.sum()), _TINY))
    return Bindings(
        n_steps=units.n_steps,
        members=units.members,
        starts=units.starts[:-1],
        owner=owner,
        share=share[owner],
        weight=(1 / (1 + (sizes - 1) * rho))[owner],
        log_prior=log_prior,
    )


def bind(
    scores: NDArray[np.float64],
    bindings: Bindings,
    prior: Prior = PRIOR,
    *,
    chance: float | None = None,
) -> Bound:
    """Return what scores and units together say of each step.

    A step that is evidence scores N(δ, 1), any other N(0, 1), so that its likelihood ratio is
    r_i = exp(δ·z_i - δ²/2). Step i is evidence with the chance π_u if its unit u binds, else with
    p = `alone` / n. The members of u but i say that u binds by the ratio

        B_{u∖i} = Π_{j∈u, j≠i} ((1 - π_u + π_u·r_j) / (1 - p + p·r_j))^{w_u}

    which no single step can drive beyond π_u / p; w_u = 1 / (1 + (m - 1)·ρ_u) counts members that
    resemble each other as fewer. That some unit binds has the prior ω·c, with c the chance that
    noise alone gives a best score as good (`chance_of_top`): steps that stand out are left to flat
    search. Against all other units and the null hypothesis, u binds with the chance b_{u∖i}; i is
    evidence with the prior q_i = 1 - (1 - p)·Π_{u∋i} (1 - b_{u∖i}·π_u), and its log odds are
    log(q_i / (1 - q_i)) + log r_i, averaged over δ in probability. δ is the score of the step of
    rank 5, a half and a fourth of it. (The mixture of units and its tempering are Stepwell's own;
    that the message to i leaves i out is belief propagation's, Pearl 1988, section 4.)

    Args:
        scores: z, relevance in deviations of its noise, shape (n,).
        bindings: The units' hypotheses.
        prior: What is believed beforehand.
        chance: c; None takes that of the scores.
    """
    n = len(scores)
    strength = _strength(scores, prior)
    levels = [max(_LEAST_STRENGTH, strength * share) for share in prior.strengths]
    alone = min(0.5, prior.alone / max(n, 1))
    binds = prior.binds * (chance_of_top(scores) if chance is None else chance)
    ratios = np.stack([level * scores - level**2 / 2 for level in levels])
    none = _mean(ratios) + np.log(alone / (1 - alone))
    unit = np.full(n, -1, dtype=np.int64)
    if n == 0 or len(bindings.starts) == 0 or not is_open(binds):
        return Bound(odds=none, gain=np.zeros(n), unit=unit, strength=strength, binds=binds)
    bound, added = np.empty_like(ratios), np.zeros(len(bindings.members))
    for place, ratio in enumerate(ratios):
        bound_by = _chances(ratio, bindings, alone=alone, binds=binds)
        added += bound_by
        bound[place] = _prior_odds(bound_by, bindings, alone=alone) + ratio
    odds = _mean(bound)
    unit = _foremost(added, bindings)
    # A step that no unit holds gains nothing but rounding.
    gain = np.where(unit >= 0, np.maximum(odds - none, 0.0), 0.0)
    return Bound(
        odds=odds,
        gain=gain,
        unit=np.where(gain > 0, unit, -1),
        strength=strength,
        binds=binds,
    )


def is_open(binds: float) -> bool:
    """Tell whether units can still move a step past another, given the chance that one binds."""
    return binds >= _LEAST_BINDS


def chance_of_top(scores: NDArray[np.float64]) -> float:
    """Return how likely noise alone gives a best score as good as this one, from 0 to 1.

    1 - Φ(max z)ⁿ for n standard normals; a best score below 0 counts as 0. Where it is small, the
    best steps stand out of themselves, and flat search needs no help.

    >>> round(chance_of_top(np.array([0.0, 1.0, 2.5])), 3)
    0.019
    """
    if len(scores) == 0:
        return 1.0
    above = 0.5 * math.erfc(float(scores.max()) / math.sqrt(2))
    return max(0.0, -math.expm1(len(scores) * math.log1p(-min(above, 0.5))))


def _strength(scores: NDArray[np.float64], prior: Prior) -> float:
    """Return δ, the score of the step of the prior's rank."""
    if len(scores) == 0:
        return _LEAST_STRENGTH
    place = len(scores) - min(prior.rank, len(scores))
    return max(_LEAST_STRENGTH, float(np.partition(scores, place)[place]))


def _chances(
    ratio: NDArray[np.float64], bindings: Bindings, *, alone: float, binds: float
) -> NDArray[np.float64]:
    """Return b_{u∖i}·π_u for each member i of each unit u, shape (m,).

    Where units are open, the best score is a few deviations and no ratio above half its square, so
    that exponentials of ratios are finite.
    """
    likelihood = np.exp(ratio)
    null = np.log(1 - alone + alone * likelihood)
    own = np.log(1 - bindings.share + bindings.share * likelihood[bindings.members])
    each = bindings.weight * (own - null[bindings.members])
    joint = math.log(binds) + bindings.log_prior + np.add.reduceat(each, bindings.starts)
    # Everything but unit u: the null hypothesis and all other units. Beside a unit that holds all
    # but 1e-16 of the mass it is rounding, and that unit is as good as certain without any one i.
    null_joint = math.log(max(1 - binds, _TINY))
    most = max(float(joint.max()), null_joint)
    mass = np.exp(joint - most)
    others = math.exp(null_joint - most) + mass.sum() - mass
    against = np.log(np.maximum(others, _TINY)) + most - joint
    odds_against = np.exp(np.minimum(against[bindings.owner] + each, _MOST_EXPONENT))
    chances: NDArray[np.float64] = bindings.share / (1 + odds_against)
    return chances


def _prior_odds(
    chance: NDArray[np.float64], bindings: Bindings, *, alone: float
) -> NDArray[np.float64]:
    """Return log(q / (1 - q)) of each step, shape (n,)."""
    missed = np.full(bindings.n_steps, 1 - alone)
    np.multiply.at(missed, bindings.members, 1 - chance)
    missed = np.maximum(missed, _TINY)
    odds: NDArray[np.float64] = np.log((1 - missed) / missed)
    return odds


def _foremost(added: NDArray[np.float64], bindings: Bindings) -> NDArray[np.int64]:
    """Return the unit that adds most to each step, -1 without any, shape (n,)."""
    most = np.zeros(bindings.n_steps)
    np.maximum.at(most, bindings.members, added)
    is_most = added == most[bindings.members]
    unit = np.full(bindings.n_steps, -1, dtype=np.int64)
    # Written from the last to the first, so that the first of equal ones stays.
    unit[bindings.members[is_most][::-1]] = bindings.owner[is_most][::-1]
    return unit


def _mean(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the log of the mean of exponentials over the first axis."""
    most = logs.max(axis=0)
    mean: NDArray[np.float64] = most + np.log(np.exp(logs - most).mean(axis=0))
    return mean
