"""Learn policies on one part of the episodes, and compare them with controls on another.

Each seed splits the episodes anew: a search proposes from training questions, chooses by validation
questions, and what it found is judged on test questions once. An episode may be in the test part of
several seeds, so differences are averaged by episode before anything is said of them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.bench.mesa.readings import REWARDS
from stepwell.bench.mesa.sweeping import BUDGET
from stepwell.learn.controls import best_table, controls
from stepwell.learn.proposers.guide import Guide
from stepwell.learn.proposers.offline import OfflineProposer
from stepwell.learn.search import PENALTY, Search, SearchOptions
from stepwell.learn.split import split_cases
from stepwell.learn.tables import structures_of, subset_table, subsets_of
from stepwell.policy.kinds import All
from stepwell.stats.bootstrap import bootstrap_mean
from stepwell.stats.permutation import by_episode, sign_flip

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from stepwell.bench.mesa.readings import Readings
    from stepwell.learn.cases import Case, Evaluation
    from stepwell.learn.proposers.base import Proposer
    from stepwell.learn.search import SearchResult
    from stepwell.learn.split import Split
    from stepwell.policy.base import Policy
    from stepwell.stats.bootstrap import Interval

__all__ = [
    "ABLATIONS",
    "FULL",
    "LEARNED",
    "LEARNING",
    "ROUTED",
    "SEEDS",
    "Difference",
    "LearnSettings",
    "Standing",
    "Trial",
    "Trials",
    "differences",
    "standings",
]

SEEDS: Final = (0, 1, 2)
LEARNED: Final = "learned"
FULL: Final = "full search"

ROUTED: Final = "routed by kind"
"""The best single structure for each domain and kind of question: routing to one, at its best."""

ABLATIONS: Final[Mapping[str, Callable[[SearchOptions], SearchOptions]]] = {
    FULL: lambda options: options,
    "no UCB": lambda options: replace(options, use_ucb=False),
    "no prior": lambda options: replace(options, use_prior=False),
    "no repair": lambda options: replace(options, use_repair=False),
}
"""Searches without one part each: directions drawn at random; changes of any kind; no candidate
that repairs failures, so that there are two a round instead of three."""

LEARNING: Final[Mapping[str, Callable[[SearchOptions], SearchOptions]]] = {
    LEARNED: lambda options: options
}
"""The search as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnSettings:
    """How policies are learned and compared.

    Attributes:
        budgets: Tokens of a payload.
        rewards: What is learned from: `evidence`, `literal`; each on its own.
        seeds: Of splits and searches.
        iterations: Rounds of a search.
        structures: Those that may be read.
        with_kind: Whether a policy sees the question's type.
        with_domain: Whether it sees what the run is about.
        penalty: λ, in reward per token.
    """

    budgets: tuple[int, ...] = (BUDGET,)
    rewards: tuple[str, ...] = REWARDS[:1]
    seeds: tuple[int, ...] = SEEDS
    iterations: int = 10
    structures: tuple[str, ...]
    with_kind: bool = True
    with_domain: bool = True
    penalty: float = PENALTY


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trial:
    """What came of one seed.

    Attributes:
        seed: The seed.
        split: Its cases.
        searches: What each search found, by name.
        evaluations: What each policy is worth on the test cases, by name; those learned first.
        violations: How often each rule was broken in what the policies read for the test cases.
        n_readings: How many readings those were.
    """

    seed: int
    split: Split
    searches: Mapping[str, SearchResult]
    evaluations: Mapping[str, Evaluation]
    violations: Mapping[str, int]
    n_readings: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Trials:
    """Learns and compares, a seed at a time.

    Attributes:
        readings: What tells the worth of policies.
        cases: All cases, with everything that is known of them.
        settings: How to learn.
        visible: What a policy sees of a case.
        searches: The searches, by name, as changes of the options.
        with_controls: Whether all controls are compared with, else only reading everything.
        model: Makes a proposer from training cases; None proposes without a model.
    """

    readings: Readings
    cases: Sequence[Case]
    settings: LearnSettings
    visible: Callable[[Case], Case]
    searches: Mapping[str, Callable[[SearchOptions], SearchOptions]]
    with_controls: bool = True
    model: Callable[[Sequence[Case]], Proposer] | None = None

    def run(self, seed: int, progress: Callable[[str, int, int], None]) -> Trial:
        """Return what comes of a seed.

        Args:
            seed: Of the split and the searches.
            progress: Called with what is done, how much of it, and out of how much.

        Raises:
            InvalidInputError: There are too few episodes to split.
            PolicyError: A policy cannot be evaluated.
            ModelUnavailableError: A model is to propose, and gave no reply.
        """
        split = self._split(seed)
        searches = {
            name: self._search(name, change, split, seed, progress)
            for name, change in self.searches.items()
        }
        policies: dict[str, Policy] = {name: found.policy for name, found in searches.items()}
        policies |= self._controls(split, seed)
        selections = [
            (case, policy.select(case.question, case.context))
            for case in split.test
            for policy in policies.values()
        ]
        read = self.readings.read(selections)  # in one batch, so that searches are shared
        return Trial(
            seed=seed,
            split=split,
            searches=searches,
            evaluations={
                name: self.readings.evaluate(policy, split.test)
                for name, policy in policies.items()
            },
            violations=Counter(rule for one in read for rule in one.violations.split()),
            n_readings=len(read),
        )

    def _split(self, seed: int) -> Split:
        """Split by what is known of cases, then leave them what a policy sees."""
        split = split_cases(self.cases, seed=seed)
        return replace(
            split,
            train=tuple(map(self.visible, split.train)),
            validation=tuple(map(self.visible, split.validation)),
            test=tuple(map(self.visible, split.test)),
        )

    def _search(
        self,
        name: str,
        change: Callable[[SearchOptions], SearchOptions],
        split: Split,
        seed: int,
        progress: Callable[[str, int, int], None],
    ) -> SearchResult:
        settings = self.settings
        options = SearchOptions(iterations=settings.iterations, penalty=settings.penalty, seed=seed)
        search = Search(
            evaluator=self.readings,
            validation=split.validation,
            proposer=self._proposer(split),
            options=change(options),
        )
        what = f"seed {seed}: {name}"
        return search(progress=lambda round_, _c, _b: progress(what, round_, settings.iterations))

    def _proposer(self, split: Split) -> Proposer:
        if self.model is not None:
            return self.model(split.train)
        guide = Guide(evaluator=self.readings, cases=split.train, penalty=self.settings.penalty)
        return OfflineProposer(guide=guide)

    def _controls(self, split: Split, seed: int) -> dict[str, Policy]:
        if not self.with_controls:
            return {"all": All()}
        seen, penalty = (*split.train, *split.validation), self.settings.penalty
        single = subset_table(self.readings, seen, subsets_of(structures_of(seen), largest=1))
        return {
            **controls(self.readings, seen, penalty=penalty, seed=seed),
            ROUTED: best_table(single, penalty, kinds=True),
        }


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
