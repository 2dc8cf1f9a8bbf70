"""Compare policies on cases that no choice was made on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.stats.bootstrap import paired_difference
from stepwell.stats.permutation import by_episode, sign_flip

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from stepwell.learn.cases import Case, Evaluation, Evaluator
    from stepwell.policy.base import Policy
    from stepwell.stats.bootstrap import Interval

__all__ = ["Comparison", "HeldOut", "compare", "hold_out", "lower_sum", "shares"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A policy against another one on the same cases: differences, the policy minus the other.

    Attributes:
        name: The other policy.
        reward: J of the other policy.
        tokens: C of the other policy.
        objective: J - λ·C of the other policy.
        reward_difference: By how much J is higher.
        tokens_difference: By how many tokens C is higher.
        objective_difference: By how much J - λ·C is higher.
        p: Two-sided p-value that the objectives' difference is symmetric about zero, by sign flips
            of its means by episode.
    """

    name: str
    reward: float
    tokens: float
    objective: float
    reward_difference: Interval
    tokens_difference: Interval
    objective_difference: Interval
    p: float

    @property
    def beats(self) -> bool:
        """Whether the objective is higher, its interval wholly above zero."""
        return self.objective_difference.low > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOut:
    """A policy on held-out cases, and against others.

    Attributes:
        reward: J.
        tokens: C.
        objective: J - λ·C.
        n_cases: Cases.
        n_episodes: Episodes they are about.
        against: A comparison for each of the others.
    """

    reward: float
    tokens: float
    objective: float
    n_cases: int
    n_episodes: int
    against: tuple[Comparison, ...]


def hold_out(
    evaluator: Evaluator,
    policy: Policy,
    others: Mapping[str, Policy],
    cases: Sequence[Case],
    *,
    penalty: float,
    seed: int = 0,
) -> HeldOut:
    """Evaluate a policy and others on held-out cases.

    Args:
        evaluator: What tells their worth.
        policy: The policy.
        others: What it is compared with, by name.
        cases: The held-out cases.
        penalty: λ, in reward per token.
        seed: Of what is drawn for intervals and p-values.

    Raises:
        PolicyError: A policy fails on one of the cases.
        InvalidInputError: There are no cases.
    """
    found = evaluator.evaluate(policy, cases)
    return HeldOut(
        reward=found.reward,
        tokens=found.cost,
        objective=found.objective(penalty),
        n_cases=len(cases),
        n_episodes=len({case.episode for case in cases}),
        against=tuple(
            compare(found, evaluator.evaluate(other, cases), name=name, penalty=penalty, seed=seed)
            for name, other in others.items()
        ),
    )


def compare(
    found: Evaluation, other: Evaluation, *, name: str, penalty: float, seed: int = 0
) -> Comparison:
    """Compare two evaluations of the same cases, in the same order.

    Intervals are bootstrapped over episodes, 95 %.

    Args:
        found: Of the policy.
        other: Of the other policy.
        name: The other policy's name.
        penalty: λ, in reward per token.
        seed: Of what is drawn.

    Raises:
        InvalidInputError: There are no cases, or they differ in number.
    """
    episodes = [case.episode for case in found.cases]
    pairs = {
        "reward": (shares(found, found.rewards), shares(other, other.rewards)),
        "tokens": (shares(found, found.tokens), shares(other, other.tokens)),
    }
    one, two = (
        reward - penalty * tokens
        for reward, tokens in zip(pairs["reward"], pairs["tokens"], strict=True)
    )
    rewards, tokens, objectives = (
        paired_difference(first, second, episodes, rng=np.random.default_rng(seed))
        for first, second in (pairs["reward"], pairs["tokens"], (one, two))
    )
    flips = sign_flip(by_episode(one - two, episodes), rng=np.random.default_rng(seed))
    return Comparison(
        name=name,
        reward=other.reward,
        tokens=other.cost,
        objective=other.objective(penalty),
        reward_difference=rewards,
        tokens_difference=tokens,
        objective_difference=objectives,
        p=flips.p,
    )


def shares(evaluation: Evaluation, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return numbers per case whose mean is the weighted mean of values, shape (n,).

    v̄ + w_i·(v_i - v̄) / w̄: the weighted mean and each case's influence on it, so that intervals of
    plain means hold for weighted ones to first order. Where all weights are 1, it is v_i.
    """
    weights = evaluation.weights
    total = float(weights.sum())
    if total == 0:
        return np.zeros(len(values))
    mean = float((values * weights).sum()) / total
    return mean + weights * (values - mean) * (len(values) / total)


def lower_sum(added: NDArray[np.float64], episodes: NDArray[np.int64], *, caution: float) -> float:
    """Return Σ d - z·√(Σ_e (Σ_{i∈e} d_i)²): a sum less z standard errors, by episode.

    Questions about one episode share its text, so their sum is one observation. The error is not
    centred, so that what one lucky episode adds is nothing at z = 1.

    Args:
        added: What each case adds, shape (n,).
        episodes: Number of each case's episode, from 0, shape (n,).
        caution: z.
    """
    sums = np.bincount(episodes, weights=added)
    return float(sums.sum() - caution * np.sqrt(np.square(sums).sum()))
