"""Learn for every budget and reward, and report what came of it."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from stepwell.learn.install import policy_file
from stepwell.learn.split import split_cases
from stepwell.learn.tables import structures_of
from stepwell.policy.describe import lines_of
from stepwell.policy.registry import find
from stepwell_bench.mesa.grid import at_budget, read_grid
from stepwell_bench.mesa.learning import FULL, LEARNED, LEARNING, Trials
from stepwell_bench.mesa.paper import NOTE, PUBLISHED
from stepwell_bench.mesa.running import blinded, prepare
from stepwell_bench.mesa.standings import differences, standings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from stepwell.learn.cases import Case
    from stepwell.learn.proposers.base import Proposer
    from stepwell.learn.search import SearchOptions
    from stepwell.policy.files import PolicyFile
    from stepwell_bench.mesa.learning import LearnSettings, Trial
    from stepwell_bench.mesa.paper import Published
    from stepwell_bench.mesa.running import Prepared, Setting
    from stepwell_bench.mesa.standings import Difference, Standing
    from stepwell_bench.mesa.sweeping import Place

__all__ = ["LearnReport", "Learned", "Plan", "Searched", "run_learn"]

_SCHEMA: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is run.

    Attributes:
        benchmark: Its name.
        place: Where the data are.
        settings: How to learn.
        searches: The searches, by name.
        model: Makes a proposer from training cases; None proposes without a model.
        created: The time of the run.
        commit: The commit it runs from.
    """

    benchmark: str
    place: Place
    settings: LearnSettings
    searches: Mapping[str, Callable[[SearchOptions], SearchOptions]]
    model: Callable[[Sequence[Case]], Proposer] | None = None
    created: str
    commit: str

    @property
    def with_controls(self) -> bool:
        """Whether all controls are compared with."""
        return self.searches == LEARNING


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """What one search found.

    Attributes:
        name: Of the search.
        seed: Its seed.
        n_train: Training questions.
        n_validation: Validation questions.
        n_test: Test questions.
        objective: J - λ·C of what it found, on validation questions.
        curve: The best objective after the start and after each round.
        n_evaluated: Candidates evaluated.
        stopped: Why it ended.
        rules: The policy in words.
    """

    name: str
    seed: int
    n_train: int
    n_validation: int
    n_test: int
    objective: float
    curve: tuple[float, ...]
    n_evaluated: int
    stopped: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What came of one budget and reward.

    Attributes:
        budget: Tokens allowed.
        reward: What was learned from.
        searches: What each search found.
        standings: Every policy on test questions.
        differences: The learned policy minus each control, or each ablation minus the full search.
    """

    budget: int
    reward: str
    searches: tuple[Searched, ...]
    standings: tuple[Standing, ...]
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnReport:
    """What a run found; the result file holds exactly this.

    Attributes:
        structures: Those that could be read.
        n_readings: Readings of test questions, in which `violations` were counted.
    """

    schema: int
    benchmark: str
    created: str
    commit: str
    dataset: str
    with_vectors: bool
    settings: LearnSettings
    structures: tuple[str, ...]
    proposer: str
    n_episodes: int
    n_cases: int
    n_readings: int
    violations: dict[str, int]
    found: tuple[Learned, ...]
    published: tuple[Published, ...]
    note: str


def run_learn(
    plan: Plan, *, progress: Callable[[str, int, int], None] = lambda _w, _d, _t: None
) -> tuple[LearnReport, dict[str, PolicyFile]]:
    """Learn for every budget and reward, and return the report and the policies by file name.

    Args:
        plan: What is run.
        progress: Called with what is done, how much of it, and out of how much.

    Raises:
        StepwellError: There is no data, no encoder, no model, or there are too few episodes.
    """
    settings, place = plan.settings, plan.place
    setting = place.setting(budget=settings.budgets[0], seed=0)
    prepared = prepare(setting, progress=progress)
    found: list[Learned] = []
    files: dict[str, PolicyFile] = {}
    violations, n_readings = Counter[str](), 0
    with closing(prepared.readings):
        for budget, reward, trials in _trials(plan, prepared, setting, progress):
            found.append(_learned(plan, budget, reward, trials))
            files.update(_files(plan, budget, reward, trials))
            for trial in trials:
                violations.update(trial.violations)
                n_readings += trial.n_readings
    report = LearnReport(
        schema=_SCHEMA,
        benchmark=plan.benchmark,
        created=plan.created,
        commit=plan.commit,
        dataset=place.dataset,
        with_vectors=place.with_vectors,
        settings=settings,
        structures=tuple(
            name for name in structures_of(prepared.cases) if name in settings.structures
        ),
        proposer="offline" if plan.model is None else "model",
        n_episodes=len({case.episode for case in prepared.cases}),
        n_cases=len(prepared.cases),
        n_readings=n_readings,
        violations=dict(violations),
        found=tuple(found),
        published=PUBLISHED[place.dataset],
        note=NOTE,
    )
    return report, files


def _trials(
    plan: Plan,
    prepared: Prepared,
    setting: Setting,
    progress: Callable[[str, int, int], None],
) -> Iterator[tuple[int, str, list[Trial]]]:
    settings, readings = plan.settings, prepared.readings
    for seed in settings.seeds:
        _ = split_cases(prepared.cases, seed=seed)  # too few episodes fail here, not after an hour
    sight = replace(setting, with_kind=settings.with_kind, with_domain=settings.with_domain)
    for budget in settings.budgets:
        cases = tuple(
            _readable(case, settings.structures) for case in at_budget(prepared.cases, budget)
        )
        # Once for all seeds and rewards, so that the searches of a question are shared.
        _ = read_grid(readings, cases, structures=settings.structures, largest=settings.largest)
        for reward in settings.rewards:
            readings.reward = reward
            trials = Trials(
                readings=readings,
                cases=cases,
                settings=settings,
                visible=lambda case: blinded(case, sight),
                searches=plan.searches,
                with_controls=plan.with_controls,
                model=plan.model,
            )
            yield budget, reward, [trials.run(seed, progress) for seed in settings.seeds]


def _readable(case: Case, structures: Sequence[str]) -> Case:
    """Return a case with only some structures to read."""
    available = tuple(name for name in case.context.available if name in structures)
    return replace(case, context=replace(case.context, available=available))


def _learned(plan: Plan, budget: int, reward: str, trials: Sequence[Trial]) -> Learned:
    penalty = plan.settings.penalty
    names = list(trials[0].evaluations)
    reference = LEARNED if plan.with_controls else FULL
    others = [name for name in names if name != reference]
    pairs = [(LEARNED, name) for name in others]
    if not plan.with_controls:
        pairs = [(name, FULL) for name in others if name in plan.searches]
    return Learned(
        budget=budget,
        reward=reward,
        searches=tuple(one for trial in trials for one in _searched(trial, penalty)),
        standings=tuple(standings(trials, penalty=penalty)),
        differences=tuple(differences(trials, pairs, penalty=penalty)),
    )


def _searched(trial: Trial, penalty: float) -> Iterator[Searched]:
    for name, result in trial.searches.items():
        yield Searched(
            name=name,
            seed=trial.seed,
            n_train=len(trial.split.train),
            n_validation=len(trial.split.validation),
            n_test=len(trial.split.test),
            objective=result.best.objective(penalty),
            curve=result.curve,
            n_evaluated=sum(one.evaluation is not None for one in result.archive),
            stopped=result.stopped,
            rules=tuple(lines_of(result.policy)),
        )


def _files(
    plan: Plan, budget: int, reward: str, trials: Sequence[Trial]
) -> Iterator[tuple[str, PolicyFile]]:
    for trial in trials:
        for search, result in trial.searches.items():
            name = "-".join([*search.split(), reward, str(budget), "seed", str(trial.seed)])
            origin: dict[str, str | int | float] = {
                "benchmark": plan.benchmark,
                "dataset": plan.place.dataset,
                "reward": reward,
                "budget": budget,
                "seed": trial.seed,
                "penalty": plan.settings.penalty,
                "commit": plan.commit,
                "created": plan.created,
            }
            policy = policy_file(result.policy, name=name, parent=find("default"), origin=origin)
            yield name, policy
