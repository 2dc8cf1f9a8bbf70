"""Which direction to take next: upper confidence bounds over four ways of changing a policy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["BETA", "DIRECTIONS", "Arm", "Direction", "arms_of", "bounds", "means", "schedule"]

Direction: TypeAlias = Literal["demand", "utility", "composition", "robustness"]

DIRECTIONS: Final[dict[Direction, str]] = {
    "demand": (
        "Infer what the question demands. Read its lexical cues (numbered steps, why or cause, "
        "before and after, counts, final states, quotes) and what structures say they know of it, "
        "and let these decide."
    ),
    "utility": (
        "Estimate how useful each structure is. Use what was measured on training questions by "
        "domain, kind of question and cue; trust a mean the less, the fewer questions are behind "
        "it."
    ),
    "composition": (
        "Construct the subset. Start from the structure that is worth most, add what adds most to "
        "it, reward pairs that are worth more together, leave out what repeats another; one to "
        "four structures."
    ),
    "robustness": (
        "Balance robustness against cost. Where little is known of such questions, read more, up "
        "to everything or a backup pair; where structures repeat each other, leave one out; "
        "change how many tokens a structure may take."
    ),
}
"""The mechanisms a selection policy is made of (MESA), in the order that breaks ties."""

BETA: Final = 0.05
"""Weight of the bonus: about .04 at 30 candidates, 5 of them under a direction, which is the size
of real differences between policies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """What is known of a direction.

    Attributes:
        n: Candidates evaluated under it.
        total: Sum of their objectives.
    """

    n: int = 0
    total: float = 0.0


def arms_of(scores: Iterable[tuple[Direction, float]]) -> dict[Direction, Arm]:
    """Return every direction's arm, from the objectives of candidates in the order they came."""
    arms = dict.fromkeys(DIRECTIONS, Arm())
    for direction, objective in scores:
        arm = arms[direction]
        arms[direction] = Arm(n=arm.n + 1, total=arm.total + objective)
    return arms


def means(arms: Mapping[Direction, Arm], *, prior: float) -> dict[Direction, float]:
    """Return the mean objective of each direction; `prior` where there is no candidate yet."""
    return {name: arm.total / arm.n if arm.n else prior for name, arm in arms.items()}


def bounds(
    arms: Mapping[Direction, Arm], *, prior: float, beta: float = BETA
) -> dict[Direction, float]:
    """Return the upper confidence bound of each direction.

    UCB(a) = J̄_a + β·√(log(N + 2) / (n_a + 1)), with N = Σ_a n_a (MESA, prior-guided search).

    Args:
        arms: What is known of each.
        prior: J̄ of a direction without candidates: the objective of the policy at the start.
        beta: β, in units of the objective.

    >>> arms = {"demand": Arm(n=1, total=0.5), "utility": Arm()}
    >>> {name: round(bound, 4) for name, bound in bounds(arms, prior=0.4).items()}
    {'demand': 0.5371, 'utility': 0.4524}
    """
    spread = math.log(sum(arm.n for arm in arms.values()) + 2)
    return {
        name: mean + beta * math.sqrt(spread / (arms[name].n + 1))
        for name, mean in means(arms, prior=prior).items()
    }


def schedule(
    arms: Mapping[Direction, Arm], *, prior: float, beta: float = BETA
) -> tuple[Direction, Direction]:
    """Return the direction to exploit and another one to explore; the first of equals is taken.

    Exploit argmax J̄_a, and of the others explore argmax UCB(a).
    """
    score = means(arms, prior=prior)
    exploit = max(score, key=score.__getitem__)
    bound = bounds(arms, prior=prior, beta=beta)
    return exploit, max((name for name in bound if name != exploit), key=bound.__getitem__)
