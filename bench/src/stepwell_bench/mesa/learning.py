"""Learn policies on one part of the episodes, and compare them with controls on another.

Each seed splits the episodes anew: a search proposes from training questions, chooses by validation
questions, and what it found is judged on test questions once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from stepwell.learn.controls import best_table, controls
from stepwell.learn.proposers.guide import Guide
from stepwell.learn.proposers.offline import OfflineProposer
from stepwell.learn.replay.readings import REWARDS
from stepwell.learn.search import PENALTY, Search, SearchOptions
from stepwell.learn.split import split_cases
from stepwell.learn.tables import structures_of, subset_table, subsets_of
from stepwell.policy.kinds import All
from stepwell_bench.mesa.sweeping import BUDGET

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from stepwell.learn.cases import Case, Evaluation
    from stepwell.learn.proposers.base import Proposer
    from stepwell.learn.replay.readings import Readings
    from stepwell.learn.search import SearchResult
    from stepwell.learn.split import Split
    from stepwell.policy.base import Policy

__all__ = [
    "ABLATIONS",
    "FULL",
    "LEARNED",
    "LEARNING",
    "ROUTED",
    "SEEDS",
    "LearnSettings",
    "Trial",
    "Trials",
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
        largest: Structures of the largest subset that is read for every question, besides all of
            them; None for all subsets. A search may go beyond.
        with_limits: Whether policies may give a structure other tokens than its own most, which has
            to be read anew each time.
    """

    budgets: tuple[int, ...] = (BUDGET,)
    rewards: tuple[str, ...] = REWARDS[:1]
    seeds: tuple[int, ...] = SEEDS
    iterations: int = 10
    structures: tuple[str, ...]
    with_kind: bool = True
    with_domain: bool = True
    penalty: float = PENALTY
    largest: int | None = None
    with_limits: bool = False


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
        guide = Guide(
            evaluator=self.readings,
            cases=split.train,
            penalty=self.settings.penalty,
            reach=self.settings.largest or len(self.settings.structures),  # those that are read
            limits=self.settings.with_limits,
        )
        return OfflineProposer(guide=guide)

    def _controls(self, split: Split, seed: int) -> dict[str, Policy]:
        if not self.with_controls:
            return {"all": All()}
        seen, penalty = (*split.train, *split.validation), self.settings.penalty
        single = subset_table(self.readings, seen, subsets_of(structures_of(seen), largest=1))
        return {
            **controls(
                self.readings, seen, penalty=penalty, seed=seed, largest=self.settings.largest
            ),
            ROUTED: best_table(single, penalty, kinds=True),
        }
