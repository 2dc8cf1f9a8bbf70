"""From rows to means, paired differences with their tests, and interactions with the cell."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from stepwell.stats.bootstrap import Interval, bootstrap_mean, paired_difference
from stepwell.stats.permutation import by_episode, sign_flip
from stepwell_bench.combine import fisher, holm
from stepwell_bench.osu.interaction import interaction
from stepwell_bench.osu.measures import MEASURES
from stepwell_bench.osu.world import Cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from stepwell_bench.osu.rows import Row

__all__ = ["ALL", "Contrast", "Draws", "Effect", "Mean", "Pair", "contrasts", "effects", "means"]

ALL = "all"
"""The cell of all questions."""

TESTED = ("recall", "hit2")
"""The measures that are compared and tested; the others are parts of recall."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draws:
    """How intervals and tests are drawn.

    Attributes:
        seed: Of all draws.
        resamples: Bootstrap draws.
        flips: Sign flips of a test (10,000 in the paper).
    """

    seed: int = 0
    resamples: int = 2000
    flips: int = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two methods to compare, a minus b.

    Attributes:
        a: The one.
        b: The other.
        by_cell: Whether the cells are compared as well, and the interaction is tested.
    """

    a: str
    b: str
    by_cell: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """A method's mean of a measure at a budget over the questions of a cell.

    Attributes:
        value: Mean, and its interval over draws of episodes.
    """

    method: str
    budget: int
    measure: str
    cell: str
    value: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """The mean difference of two methods on the same questions.

    Attributes:
        value: Mean of a - b over questions, and its interval over draws of episodes.
        p: Sign-flip test by question; with several seeds, one test each, combined by Fisher's
            method.
        p_holm: `p` corrected for the cells tested at this budget; None for all questions.
        by_episode: Mean over episodes of their mean differences.
        p_episode: Sign-flip test of those, which is the one to trust when the questions about one
            episode share evidence.
    """

    a: str
    b: str
    budget: int
    measure: str
    cell: str
    value: Interval
    p: float
    p_holm: float | None
    by_episode: float
    p_episode: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Whether the difference of two methods varies with the cell.

    Attributes:
        statistic: Σ_c n_c(d̄_c - d̄)².
        p: Its p-value.
    """

    a: str
    b: str
    budget: int
    measure: str
    statistic: float
    p: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Paired:
    """Differences of two methods at one budget, in the order of the questions."""

    values: tuple[NDArray[np.float64], NDArray[np.float64]]
    episodes: NDArray[np.str_]
    cells: NDArray[np.str_]
    seeds: NDArray[np.int64]

    def of(self, cell: str) -> _Paired:
        """Return the questions of one cell."""
        kept = np.full(len(self.cells), fill_value=True) if cell == ALL else self.cells == cell
        return _Paired(
            values=(self.values[0][kept], self.values[1][kept]),
            episodes=self.episodes[kept],
            cells=self.cells[kept],
            seeds=self.seeds[kept],
        )


def means(rows: Sequence[Row], *, draws: Draws) -> list[Mean]:
    """Return every method's mean at every budget: all measures overall, the two main ones by cell.

    Args:
        rows: What was found.
        draws: How intervals are drawn.
    """
    found: list[Mean] = []
    for (method, budget), group in _grouped(rows).items():
        for cell in (ALL, *_cells(group)):
            some = [row for row in group if cell in {ALL, row.cell}]
            for measure in MEASURES if cell == ALL else TESTED:
                values = [(_value(row, measure), row.world) for row in some]
                known = [(value, world) for value, world in values if value is not None]
                if known:
                    value = bootstrap_mean(
                        [value for value, _ in known],
                        [world for _, world in known],
                        rng=np.random.default_rng(draws.seed),
                        n=draws.resamples,
                    )
                    found.append(
                        Mean(method=method, budget=budget, measure=measure, cell=cell, value=value)
                    )
    return found


def contrasts(rows: Sequence[Row], pairs: Iterable[Pair], *, draws: Draws) -> list[Contrast]:
    """Return the differences of pairs of methods, with tests.

    Args:
        rows: What was found; both methods of a pair on the same questions.
        pairs: Who is compared.
        draws: How intervals and tests are drawn.
    """
    grouped = _grouped(rows)
    found: list[Contrast] = []
    for pair, budget in _compared(grouped, pairs):
        for measure in TESTED:
            paired = _paired(grouped, pair, budget, measure)
            found.append(_contrast(paired, pair, budget, measure, cell=ALL, draws=draws))
            if pair.by_cell:
                cells = [
                    _contrast(paired, pair, budget, measure, cell=cell, draws=draws)
                    for cell in _cells(grouped[pair.a, budget])
                ]
                found.extend(_corrected(cells))
    return found


def effects(rows: Sequence[Row], pairs: Iterable[Pair], *, draws: Draws) -> list[Effect]:
    """Return the interactions of method and cell; none where all questions are of one cell.

    Args:
        rows: What was found.
        pairs: Who is compared; those by cell are tested.
        draws: How tests are drawn.
    """
    grouped = _grouped(rows)
    found: list[Effect] = []
    for pair, budget in _compared(grouped, pairs):
        n_cells = len(_cells(grouped[pair.a, budget]))
        if not pair.by_cell or not 1 < n_cells < len(grouped[pair.a, budget]):
            continue
        for measure in TESTED:
            paired = _paired(grouped, pair, budget, measure)
            tested = interaction(
                paired.values[0] - paired.values[1],
                [str(cell) for cell in paired.cells],
                rng=np.random.default_rng(draws.seed),
                n=draws.flips,
            )
            found.append(
                Effect(
                    a=pair.a,
                    b=pair.b,
                    budget=budget,
                    measure=measure,
                    statistic=tested.statistic,
                    p=tested.p,
                )
            )
    return found


_Grouped = dict[tuple[str, int], list["Row"]]


def _grouped(rows: Iterable[Row]) -> _Grouped:
    found: _Grouped = {}
    for row in rows:
        found.setdefault((row.method, row.budget), []).append(row)
    return found


def _cells(rows: Iterable[Row]) -> list[str]:
    """Return the cells that have questions, in the order of `Cell`."""
    present = {row.cell for row in rows}
    return [cell.value for cell in Cell if cell in present]


def _compared(grouped: _Grouped, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, int]]:
    budgets = sorted({budget for _, budget in grouped})
    for pair in pairs:
        for budget in budgets:
            if (pair.a, budget) in grouped and (pair.b, budget) in grouped:
                yield pair, budget


def _value(row: Row, measure: str) -> float | None:
    return {"recall": row.recall, "hit2": row.hit2, "near": row.near, "far": row.far}[measure]


def _paired(grouped: _Grouped, pair: Pair, budget: int, measure: str) -> _Paired:
    first, second = grouped[pair.a, budget], grouped[pair.b, budget]
    other = {(row.seed, row.question): _value(row, measure) for row in second}
    return _Paired(
        values=(
            np.asarray([_value(row, measure) for row in first], dtype=np.float64),
            np.asarray([other[row.seed, row.question] for row in first], dtype=np.float64),
        ),
        episodes=np.asarray([row.world for row in first]),
        cells=np.asarray([str(row.cell) for row in first]),
        seeds=np.asarray([row.seed for row in first]),
    )


def _contrast(
    paired: _Paired, pair: Pair, budget: int, measure: str, *, cell: str, draws: Draws
) -> Contrast:
    some = paired.of(cell)
    differences = some.values[0] - some.values[1]
    episodes = [str(name) for name in some.episodes]
    grouped = by_episode(differences, episodes)
    rng = np.random.default_rng(draws.seed)
    return Contrast(
        a=pair.a,
        b=pair.b,
        budget=budget,
        measure=measure,
        cell=cell,
        value=paired_difference(*some.values, episodes, rng=rng, n=draws.resamples),
        p=_by_seed(differences, some.seeds, draws),
        p_holm=None,
        by_episode=float(grouped.mean()),
        p_episode=sign_flip(grouped, rng=np.random.default_rng(draws.seed), n=draws.flips).p,
    )


def _by_seed(differences: NDArray[np.float64], seeds: NDArray[np.int64], draws: Draws) -> float:
    """Return the p-value of the sign-flip test; of several seeds, Fisher's combination."""
    return fisher(
        [
            sign_flip(
                differences[seeds == seed],
                rng=np.random.default_rng(draws.seed),
                n=draws.flips,
            ).p
            for seed in np.unique(seeds)
        ]
    )


def _corrected(cells: Sequence[Contrast]) -> list[Contrast]:
    adjusted = holm([one.p for one in cells])
    return [replace(one, p_holm=float(p)) for one, p in zip(cells, adjusted, strict=True)]
