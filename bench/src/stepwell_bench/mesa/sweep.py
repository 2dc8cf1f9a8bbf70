"""The sweep: every subset of structures on every question, and what it says about choosing.

MESA's two findings are put to the test. (1) Intermediate subsets are usually best: of the groups of
questions by domain and type, most have a best subset that is neither one structure nor all.
(2) No subset is best for all. The best of many noisy means looks better than it is, so both are
also asked out of sample: subsets are chosen on one half of the episodes and compared on the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.stats.bootstrap import bootstrap_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from stepwell.learn.tables import SubsetTable

__all__ = ["Frontier", "Group", "Split", "SweepFindings", "find_sweep"]

_FEWEST = 20
"""Questions of a group below which its best subset says little."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The questions of one domain and type.

    Attributes:
        domain: The domain; `all` for any.
        kind: The type; `all` for any.
        n: Questions with a known reward.
        best: The best subset.
        reward: Its mean reward.
        tokens: Its mean evidence tokens.
        single: The best single structure.
        single_reward: Its mean reward.
        all_reward: Mean reward of all structures together.
        all_tokens: Their mean evidence tokens.
        means: Mean reward of every subset, in the order of the findings' subsets.
    """

    domain: str
    kind: str
    n: int
    best: str
    reward: float
    tokens: float
    single: str
    single_reward: float
    all_reward: float
    all_tokens: float
    means: tuple[float, ...]

    @property
    def size(self) -> int:
        """How many structures the best subset has."""
        return self.best.count("+") + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """A difference between two ways of choosing, each made on the other half of the episodes.

    Attributes:
        what: The two.
        mean: Mean difference in reward.
        low: Lower end of its interval, by episodes.
        high: Upper end.
    """

    what: str
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Frontier:
    """A subset over all questions: its mean reward and what it costs."""

    subset: str
    reward: float
    low: float
    high: float
    tokens: float
    is_on_front: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepFindings:
    """What a sweep found at one budget, for one reward and way of asking.

    Attributes:
        subsets: Names, structures joined by `+`.
        groups: By domain and type, those with enough questions; last that of all questions.
        intermediate: Share of the groups whose best subset is neither one structure nor all.
        n_winners: How many subsets are best in some group.
        splits: Out-of-sample differences.
        frontier: Every subset, dearest last.
        marginal: By structure, what it adds: mean over the subsets without it.
    """

    reward: str
    mode: str
    budget: int
    n: int
    subsets: tuple[str, ...]
    groups: tuple[Group, ...]
    intermediate: float
    n_winners: int
    splits: tuple[Split, ...]
    frontier: tuple[Frontier, ...]
    marginal: dict[str, float]


def find_sweep(
    table: SubsetTable, *, reward: str, mode: str, budget: int, rng: np.random.Generator
) -> SweepFindings:
    """Return what the rewards of all subsets say.

    Args:
        table: The rewards.
        reward: Its name.
        mode: How the questions are asked.
        budget: Tokens allowed.
        rng: Splits the episodes and draws the intervals.
    """
    known = table.weights[:, 0] > 0
    names = tuple("+".join(subset) for subset in table.subsets)
    groups = [
        _group(table, names, where & known, domain=domain, kind=kind)
        for domain, kind, where in _grouped(table)
        if (where & known).sum() >= _FEWEST
    ]
    n_all = max(len(subset) for subset in table.subsets)
    sizes = [group.size for group in groups]
    return SweepFindings(
        reward=reward,
        mode=mode,
        budget=budget,
        n=int(known.sum()),
        subsets=names,
        groups=(*groups, _group(table, names, known, domain="all", kind="all")),
        intermediate=float(np.mean([1 < size < n_all for size in sizes])) if sizes else 0.0,
        n_winners=len({group.best for group in groups}),
        splits=tuple(_splits(table, known, rng)),
        frontier=tuple(_frontier(table, names, known, rng)),
        marginal=_marginal(table, known),
    )


def _grouped(table: SubsetTable) -> Iterator[tuple[str, str, NDArray[np.bool_]]]:
    labels = [(case.context.domain, case.context.kind) for case in table.cases]
    for domain, kind in sorted(set(labels)):
        yield domain, kind, np.array([label == (domain, kind) for label in labels])


def _group(
    table: SubsetTable,
    names: Sequence[str],
    where: NDArray[np.bool_],
    *,
    domain: str,
    kind: str,
) -> Group:
    means = table.rewards[where].mean(axis=0)
    tokens = table.tokens[where].mean(axis=0)
    best = _best(means, tokens)
    singles = [place for place, subset in enumerate(table.subsets) if len(subset) == 1]
    single = singles[_best(means[singles], tokens[singles])]
    everything = max(range(len(names)), key=lambda place: len(table.subsets[place]))
    return Group(
        domain=domain,
        kind=kind,
        n=int(where.sum()),
        best=names[best],
        reward=float(means[best]),
        tokens=float(tokens[best]),
        single=names[single],
        single_reward=float(means[single]),
        all_reward=float(means[everything]),
        all_tokens=float(tokens[everything]),
        means=tuple(float(mean) for mean in means),
    )


def _best(means: NDArray[np.float64], tokens: NDArray[np.float64]) -> int:
    """Return the place of the best mean; of equal ones the cheapest."""
    return int(np.lexsort((tokens, -means.round(9)))[0])


def _splits(
    table: SubsetTable, known: NDArray[np.bool_], rng: np.random.Generator
) -> Iterator[Split]:
    """Yield what is lost or won by choosing on other episodes: by group, one for all, one, all."""
    episodes = np.array([case.episode for case in table.cases])
    halves = _halves(episodes, rng)
    if not ((known & halves).any() and (known & ~halves).any()):
        return  # one episode has no other half
    everything = max(range(len(table.subsets)), key=lambda place: len(table.subsets[place]))
    chosen = {name: np.full(len(episodes), everything) for name in ("group", "fixed", "single")}
    for half in (halves, ~halves):
        fit, held = known & half, known & ~half
        fixed = _best(table.rewards[fit].mean(axis=0), table.tokens[fit].mean(axis=0))
        chosen["fixed"][held] = fixed
        chosen["single"][held] = _best_single(table, fit)
        for _, _, where in _grouped(table):
            inside = fit & where
            if inside.sum() >= _FEWEST // 2:
                means = table.rewards[inside].mean(axis=0)
                chosen["group"][held & where] = _best(means, table.tokens[inside].mean(axis=0))
            else:
                chosen["group"][held & where] = fixed
    rows = np.flatnonzero(known)
    values = {name: table.rewards[rows, places[rows]] for name, places in chosen.items()}
    values["all"] = table.rewards[rows, everything]
    for one, other in (
        ("group", "fixed"),
        ("group", "single"),
        ("group", "all"),
        ("fixed", "all"),
        ("fixed", "single"),
    ):
        found = bootstrap_mean(values[one] - values[other], episodes[rows].tolist(), rng=rng)
        words = {"group": "best by group", "fixed": "best fixed", "single": "best single"}
        what = f"{words[one]} - {words.get(other, 'all')}"
        yield Split(what=what, mean=found.mean, low=found.low, high=found.high)


def _best_single(table: SubsetTable, where: NDArray[np.bool_]) -> int:
    singles = [place for place, subset in enumerate(table.subsets) if len(subset) == 1]
    means = table.rewards[where][:, singles].mean(axis=0)
    return singles[_best(means, table.tokens[where][:, singles].mean(axis=0))]


def _halves(episodes: NDArray[np.str_], rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return which cases are in the first half of the episodes, drawn at random."""
    names = np.unique(episodes)
    first = set(rng.permutation(names)[: len(names) // 2].tolist())
    return np.array([episode in first for episode in episodes.tolist()])


def _frontier(
    table: SubsetTable, names: Sequence[str], known: NDArray[np.bool_], rng: np.random.Generator
) -> list[Frontier]:
    episodes = [case.episode for case, is_known in zip(table.cases, known, strict=True) if is_known]
    means = table.rewards[known].mean(axis=0)
    tokens = table.tokens[known].mean(axis=0)
    found: list[Frontier] = []
    best = -np.inf
    for place in map(int, np.lexsort((-means, tokens))):
        interval = bootstrap_mean(table.rewards[known, place], episodes, rng=rng)
        found.append(
            Frontier(
                subset=names[place],
                reward=interval.mean,
                low=interval.low,
                high=interval.high,
                tokens=float(tokens[place]),
                is_on_front=bool(means[place] > best),
            )
        )
        best = max(best, float(means[place]))
    return found


def _marginal(table: SubsetTable, known: NDArray[np.bool_]) -> dict[str, float]:
    means = {
        frozenset(subset): float(mean)
        for subset, mean in zip(table.subsets, table.rewards[known].mean(axis=0), strict=True)
    }
    names = dict.fromkeys(name for subset in table.subsets for name in subset)
    return {
        name: float(
            np.mean(
                [
                    means[subset | {name}] - mean
                    for subset, mean in means.items()
                    if name not in subset and subset | {name} in means
                ]
            )
        )
        for name in names
    }
