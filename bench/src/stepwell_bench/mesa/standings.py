"""How policies stand on test questions over several seeds, and how they differ.

An episode may be in the test part of several seeds, so differences are averaged by episode before
anything is said of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.stats.bootstrap import bootstrap_mean
from stepwell.stats.permutation import by_episode, sign_flip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from stepwell.stats.bootstrap import Interval
    from stepwell_bench.mesa.learning import Trial

__all__ = ["Difference", "Standing", "differences", "standings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What a policy is worth on test questions.

    Attributes:
        policy: Its name.
        reward: J, mean over seeds.
        tokens: C, mean over seeds.
        objective: J - λ·C, mean over seeds.
        of_all: C as a share of that of reading everything.
        rewards: J of each seed.
    """

    policy: str
    reward: float
    tokens: float
    objective: float
    of_all: float
    rewards: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A policy minus another one on the same test questions, averaged by episode.

    Attributes:
        a: The policy.
        b: The other one.
        reward: Difference in reward; 95 % interval over episodes.
        tokens: Difference in tokens.
        objective: Difference in J - λ·C.
        p_reward: Two-sided p-value of the reward's, by sign flips of episodes.
        p_objective: The same of the objective's.
    """

    a: str
    b: str
    reward: Interval
    tokens: Interval
    objective: Interval
    p_reward: float
    p_objective: float


def standings(trials: Sequence[Trial], *, penalty: float) -> list[Standing]:
    """Return what each policy is worth on average over seeds.

    Args:
        trials: One for each seed; all compare with reading everything.
        penalty: λ, in reward per token.
    """
    everything = float(np.mean([trial.evaluations["all"].cost for trial in trials]))
    found: list[Standing] = []
    for name in trials[0].evaluations:
        own = [trial.evaluations[name] for trial in trials]
        tokens = float(np.mean([one.cost for one in own]))
        found.append(
            Standing(
                policy=name,
                reward=float(np.mean([one.reward for one in own])),
                tokens=tokens,
                objective=float(np.mean([one.objective(penalty) for one in own])),
                of_all=tokens / everything if everything else 1.0,
                rewards=tuple(one.reward for one in own),
            )
        )
    return found


def differences(
    trials: Sequence[Trial], pairs: Sequence[tuple[str, str]], *, penalty: float, seed: int = 0
) -> list[Difference]:
    """Return how policies differ, pooled over seeds, on the questions whose reward is known.

    Args:
        trials: One for each seed.
        pairs: Names of policies, the first minus the second.
        penalty: λ, in reward per token.
        seed: Of intervals and p-values.

    Raises:
        InvalidInputError: No reward is known.
    """
    return [_difference(trials, a, b, penalty=penalty, seed=seed) for a, b in pairs]


def _difference(
    trials: Sequence[Trial], a: str, b: str, *, penalty: float, seed: int
) -> Difference:
    pairs = [(trial.evaluations[a], trial.evaluations[b]) for trial in trials]
    known = [(one.weights > 0) & (two.weights > 0) for one, two in pairs]
    episodes = [
        case.episode
        for (one, _), rows in zip(pairs, known, strict=True)
        for case, is_known in zip(one.cases, rows, strict=True)
        if is_known
    ]
    rewards, tokens = (
        np.concatenate([values[rows] for values, rows in zip(gaps, known, strict=True)])
        for gaps in (
            [one.rewards - two.rewards for one, two in pairs],
            [one.tokens - two.tokens for one, two in pairs],
        )
    )
    means = {
        "reward": by_episode(rewards, episodes),
        "tokens": by_episode(tokens, episodes),
        "objective": by_episode(rewards - penalty * tokens, episodes),
    }
    return Difference(
        a=a,
        b=b,
        **{name: _interval(values, seed) for name, values in means.items()},
        p_reward=sign_flip(means["reward"], rng=np.random.default_rng(seed)).p,
        p_objective=sign_flip(means["objective"], rng=np.random.default_rng(seed)).p,
    )


def _interval(values: NDArray[np.float64], seed: int) -> Interval:
    return bootstrap_mean(values, range(len(values)), rng=np.random.default_rng(seed))
