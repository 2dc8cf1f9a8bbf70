"""What is learned from: questions, what a policy chooses for them, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from stepwell.policy.base import Context, Policy

__all__ = ["Case", "Evaluation", "Evaluator"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question as a policy meets it.

    Attributes:
        id: Unique among the cases; the same question asked in two ways is two cases.
        episode: The trajectory it is about: splits and intervals go by episodes.
        question: The question as asked.
        context: What a policy sees besides.
    """

    id: str
    episode: str
    question: str
    context: Context


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evaluation:
    """What a policy is worth on some cases.

    Attributes:
        cases: The cases.
        chosen: The structures chosen for each, in the order of their sections.
        rewards: Reward of each case, shape (n,), float64, from 0 to 1.
        tokens: Evidence tokens of each, shape (n,), float64.
        weights: Weight of each, shape (n,), float64: 1 where the policy's choice was tried, 0 where
            nothing is known of it, and 1 / chance for logged choices.
    """

    cases: Sequence[Case]
    chosen: Sequence[tuple[str, ...]]
    rewards: NDArray[np.float64]
    tokens: NDArray[np.float64]
    weights: NDArray[np.float64]

    @property
    def reward(self) -> float:
        """J: the weighted mean reward; 0 where nothing is known."""
        return _mean(self.rewards, self.weights)

    @property
    def cost(self) -> float:
        """C: the weighted mean of evidence tokens."""
        return _mean(self.tokens, self.weights)

    def objective(self, penalty: float) -> float:
        """Return J - λ·C, λ being the penalty per token."""
        return self.reward - penalty * self.cost


class Evaluator(Protocol):
    """Tells what policies are worth."""

    def evaluate(self, policy: Policy, cases: Sequence[Case]) -> Evaluation:
        """Return what a policy is worth on some cases.

        Raises:
            PolicyError: The policy fails on one of them.
        """
        ...


def _mean(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    total = float(weights.sum())
    return float((values * weights).sum()) / total if total > 0 else 0.0
