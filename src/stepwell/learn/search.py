"""Search for a policy: propose, evaluate, keep, and let what was good decide what comes next.

MESA's prior-guided search. The archive starts with the policy that reads everything. Each iteration
proposes three changes of the best policy so far: one in the direction that was best, one in the
direction of the highest upper confidence bound among the others, and one that repairs the largest
cluster of failures. Each is evaluated on validation cases, and its objective J - λ·C counts for its
direction. The best of the archive is returned.

Random choices come from a generator of their own per iteration and role, and a candidate is stored
as soon as it is evaluated. So a search that was interrupted goes on where it was, and ends where it
would have ended.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.errors import PolicyError
from stepwell.learn.archive import Archive, Candidate, key_of
from stepwell.learn.failures import failure_clusters
from stepwell.learn.held_out import lower_sum, shares
from stepwell.learn.proposers.base import Task
from stepwell.learn.ucb import BETA, DIRECTIONS, arms_of, schedule
from stepwell.policy.kinds import All

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from stepwell.learn.archive import Role
    from stepwell.learn.cases import Case, Evaluation, Evaluator
    from stepwell.learn.failures import Cluster
    from stepwell.learn.proposers.base import Proposer
    from stepwell.learn.ucb import Direction
    from stepwell.policy.kinds import Kind

__all__ = ["PENALTY", "Search", "SearchOptions", "SearchResult"]

PENALTY: Final = 2e-6
"""λ: a thousand tokens of evidence cost .2 points of reward."""

_TIE: Final = 1e-9
"""Sums that differ by less are equal in exact arithmetic."""

_MOST_EMPTY: Final = 3
"""Rounds in a row without a proposal, after which there will be none: what is drawn in one round
may not be in another."""

_ROLES: Final[tuple[Role, ...]] = ("exploit", "explore", "repair")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """How to search.

    Attributes:
        iterations: T: rounds of three candidates.
        penalty: λ, in reward per token of evidence.
        beta: β, the weight of UCB's bonus.
        seed: Of all random choices.
        caution: Standard errors, by episode, by which a candidate has to be better on validation
            cases than the best so far to take its place; 0 takes any that is better, as MESA does.
        use_ucb: Whether bounds choose directions; else they are drawn.
        use_prior: Whether there are directions; else policies are changed in any way.
        use_repair: Whether failures are repaired; else there are two candidates a round.
        most_evaluations: Candidates evaluated, the start included; None for no limit.
        most_model_tokens: Tokens of the proposer's model; None for no limit.
        patience: Rounds without a better policy, after which to stop; None for never.
    """

    iterations: int = 10
    penalty: float = PENALTY
    beta: float = BETA
    seed: int = 0
    caution: float = 0.0
    use_ucb: bool = True
    use_prior: bool = True
    use_repair: bool = True
    most_evaluations: int | None = None
    most_model_tokens: int | None = None
    patience: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SearchResult:
    """What a search found.

    Attributes:
        best: The candidate that was best on validation cases, as far as that can be told.
        archive: All candidates, those refused included, in the order they were proposed.
        curve: The best objective after the start and after each round.
        stopped: Why it ended.
    """

    best: Candidate
    archive: tuple[Candidate, ...]
    curve: tuple[float, ...]
    stopped: str

    @property
    def policy(self) -> Kind:
        """The policy found."""
        return _policy_of(self.best)


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A search over policies, with all that its result depends on.

    Attributes:
        evaluator: What tells a policy's worth.
        validation: The cases that candidates are compared on.
        proposer: What proposes them.
        options: How to search.
        start: The policy it starts from.
        about: What else the rewards depend on, such as the data, the reward and the budget: runs
            that differ in it are kept apart.
    """

    evaluator: Evaluator
    validation: Sequence[Case]
    proposer: Proposer
    options: SearchOptions = field(default_factory=SearchOptions)
    start: Kind = field(default_factory=All)
    about: Mapping[str, str | int | float] = field(default_factory=dict[str, str | int | float])

    @property
    def run(self) -> str:
        """The run's id: a hash of all it depends on but the limits that end it."""
        options = self.options
        parts = {
            "cases": [case.id for case in self.validation],
            "proposer": self.proposer.name,
            "start": key_of(self.start),
            "about": dict(sorted(self.about.items())),
            "search": [options.penalty, options.beta, options.seed, options.caution],
            "uses": [options.use_ucb, options.use_prior, options.use_repair],
        }
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]

    def __call__(
        self,
        archive: Archive | None = None,
        *,
        progress: Callable[[int, Candidate, float], None] | None = None,
    ) -> SearchResult:
        """Search, going on from what the archive holds of this run.

        Args:
            archive: Where candidates are kept; None for memory.
            progress: Called with the iteration, each new candidate, and the best objective so far.

        Raises:
            PolicyError: The policy at the start cannot be evaluated.
            ModelUnavailableError: The proposer needs a model, and that gave no reply.
            StoreError: The archive cannot be read or written.
        """
        kept = archive or Archive()
        state = _State(self, kept, progress)
        state.begin()
        stopped = ""
        for iteration in range(1, self.options.iterations + 1):
            stopped = state.round(iteration)
            if stopped:
                break
        return SearchResult(
            best=state.best(),
            archive=tuple(state.candidates),
            curve=tuple(state.curve),
            stopped=stopped or f"all {self.options.iterations} rounds are done",
        )


class _State:
    """A search under way."""

    def __init__(
        self,
        search: Search,
        archive: Archive,
        progress: Callable[[int, Candidate, float], None] | None,
    ) -> None:
        self._search = search
        self._options = search.options
        self._archive = archive
        self._progress = progress
        stored = archive.load(search.run, search.validation)
        self._stored = {(one.iteration, one.role): one for one in stored}
        codes: dict[str, int] = {}
        self._episodes = np.array(
            [codes.setdefault(case.episode, len(codes)) for case in search.validation]
        )
        self.candidates: list[Candidate] = []
        self.curve: list[float] = []
        self._best: list[Candidate] = []
        self._n_empty = 0

    def begin(self) -> None:
        """Evaluate the policy at the start.

        Raises:
            PolicyError: It cannot be evaluated.
        """
        start = self._stored.get((0, "start"))
        if start is None:
            evaluation = self._search.evaluator.evaluate(
                self._search.start, self._search.validation
            )
            start = Candidate(
                iteration=0,
                role="start",
                direction=None,
                policy=self._search.start,
                description="where the search starts",
                evaluation=evaluation,
            )
        self._note(start)
        self.curve.append(start.objective(self._options.penalty))

    def best(self) -> Candidate:
        """Return the best candidate so far, the first of equals."""
        return self._best[-1]

    def round(self, iteration: int) -> str:
        """Propose and evaluate the candidates of an iteration; return why to stop, if so."""
        if reason := self._spent():
            return reason
        found = 0
        for task in self._tasks(iteration):
            candidate = self._stored.get((iteration, task.role)) or self._tried(task, iteration)
            self._note(candidate)
            found += candidate.policy is not None
            if self._is_full():
                break
        self.curve.append(self.best().objective(self._options.penalty))
        self._n_empty = 0 if found else self._n_empty + 1
        return "nothing new was proposed" if self._n_empty == _MOST_EMPTY else ""

    def _spent(self) -> str:
        options = self._options
        if self._is_full():
            return f"{options.most_evaluations} candidates are evaluated"
        tokens = sum(one.model_tokens for one in self.candidates)
        if options.most_model_tokens is not None and tokens >= options.most_model_tokens:
            return f"the proposer's model used {tokens:,} tokens"
        waited = len(self.curve) - 1 - self.best().iteration
        if options.patience is not None and waited >= options.patience:
            return f"no better policy in {waited} rounds"
        return ""

    def _is_full(self) -> bool:
        n = sum(one.evaluation is not None for one in self.candidates)
        most = self._options.most_evaluations
        return most is not None and n >= most

    def _tasks(self, iteration: int) -> Iterator[Task]:
        """Yield the tasks of an iteration, all from the state at its beginning."""
        options, current = self._options, self.best()
        arms = arms_of(
            (one.direction, one.objective(options.penalty))
            for one in self.candidates
            if one.direction is not None and one.evaluation is not None
        )
        prior = self.candidates[0].objective(options.penalty)
        exploit, explore = schedule(arms, prior=prior, beta=options.beta)
        cluster = self._cluster(current, iteration)
        for number, role in enumerate(_ROLES):
            rng = np.random.default_rng([options.seed, iteration, number])
            direction: Direction | None = exploit if role == "exploit" else explore
            if role == "repair":
                if cluster is None or not options.use_repair:
                    continue
                direction = cluster.direction
            elif not options.use_ucb:
                direction = tuple(DIRECTIONS)[int(rng.integers(len(DIRECTIONS)))]
            yield Task(
                role=role,
                direction=direction if options.use_prior else None,
                current=current,
                cluster=cluster if role == "repair" else None,
                candidates=tuple(self.candidates),
                arms=arms,
                penalty=options.penalty,
                rng=rng,
            )

    def _cluster(self, current: Candidate, iteration: int) -> Cluster | None:
        """Return the failures to repair: the largest cluster, then the next while nothing helps."""
        if current.evaluation is None:
            return None
        clusters = failure_clusters(current.evaluation)
        waited = iteration - 1 - current.iteration
        return clusters[waited % len(clusters)] if clusters else None

    def _tried(self, task: Task, iteration: int) -> Candidate:
        """Return what a task leads to, stored."""
        proposal = self._search.proposer.propose(task)
        evaluation, refused = None, ""
        if proposal.policy is None:
            refused = proposal.description
        else:
            try:
                evaluation = self._search.evaluator.evaluate(
                    proposal.policy, self._search.validation
                )
            except PolicyError as error:
                refused = str(error)
        return Candidate(
            iteration=iteration,
            role=task.role,
            direction=proposal.direction or task.direction,
            policy=proposal.policy,
            description=proposal.description,
            evaluation=evaluation,
            refused=refused,
            model_tokens=proposal.tokens,
        )

    def _note(self, candidate: Candidate) -> None:
        self.candidates.append(candidate)
        if not self._best or self._is_better(candidate, self.best()):
            self._best.append(candidate)
        if (candidate.iteration, candidate.role) in self._stored:
            return
        self._archive.add(self._search.run, candidate)
        if self._progress is not None:
            best = self.best().objective(self._options.penalty)
            self._progress(candidate.iteration, candidate, best)

    def _is_better(self, candidate: Candidate, best: Candidate) -> bool:
        """Return whether a candidate is better, by as many standard errors as are asked for."""
        if candidate.evaluation is None or best.evaluation is None:
            return False
        added = _worth(candidate.evaluation, self._options.penalty) - _worth(
            best.evaluation, self._options.penalty
        )
        return lower_sum(added, self._episodes, caution=self._options.caution) > _TIE


def _worth(evaluation: Evaluation, penalty: float) -> NDArray[np.float64]:
    return shares(evaluation, evaluation.rewards - penalty * evaluation.tokens)


def _policy_of(candidate: Candidate) -> Kind:
    if candidate.policy is None:
        raise PolicyError("The candidate has no policy.", hint=candidate.refused)
    return candidate.policy
