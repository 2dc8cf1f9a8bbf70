"""What every subset of structures is worth on every case: the sweep of MESA, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from stepwell.policy.kinds import Fixed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from stepwell.learn.cases import Case, Evaluator

__all__ = ["SubsetTable", "structures_of", "subset_table", "subsets_of"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SubsetTable:
    """What each of some subsets is worth on each of some cases.

    Attributes:
        cases: n cases.
        subsets: m subsets, names of structures.
        rewards: Shape (n, m), float64, from 0 to 1.
        tokens: Evidence tokens, shape (n, m), float64.
        weights: As in `Evaluation`, shape (n, m), float64.
    """

    cases: Sequence[Case]
    subsets: Sequence[tuple[str, ...]]
    rewards: NDArray[np.float64]
    tokens: NDArray[np.float64]
    weights: NDArray[np.float64]

    def objectives(
        self, penalty: float, *, among: NDArray[np.bool_] | None = None
    ) -> NDArray[np.float64]:
        """Return J - λ·C of each subset, shape (m,); -inf where nothing is known.

        Args:
            penalty: λ, per token.
            among: The cases that count, shape (n,); None for all.
        """
        weights = self.weights if among is None else self.weights[among]
        values = self.rewards - penalty * self.tokens
        sums = ((values if among is None else values[among]) * weights).sum(axis=0)
        totals = weights.sum(axis=0)
        found = np.full(len(self.subsets), -np.inf)
        np.divide(sums, totals, out=found, where=totals > 0)
        return found


def subset_table(
    evaluator: Evaluator,
    cases: Sequence[Case],
    subsets: Sequence[tuple[str, ...]],
    *,
    progress: Callable[[], None] | None = None,
) -> SubsetTable:
    """Evaluate subsets on cases, each read for every case.

    Args:
        evaluator: What tells their worth; it keeps what is expensive.
        cases: The cases.
        subsets: The subsets.
        progress: Called after each subset.

    Raises:
        PolicyError: A case has nothing to read.
    """
    shape = (len(cases), len(subsets))
    rewards, tokens, weights = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for column, subset in enumerate(subsets):
        found = evaluator.evaluate(Fixed(structures=subset), cases)
        rewards[:, column] = found.rewards
        tokens[:, column] = found.tokens
        weights[:, column] = found.weights
        if progress is not None:
            progress()
    return SubsetTable(
        cases=cases, subsets=subsets, rewards=rewards, tokens=tokens, weights=weights
    )


def subsets_of(structures: Sequence[str], *, largest: int | None = None) -> list[tuple[str, ...]]:
    """Return the non-empty subsets of structures, the smaller first.

    >>> subsets_of(["vector", "units"])
    [('vector',), ('units',), ('vector', 'units')]
    """
    most = len(structures) if largest is None else min(largest, len(structures))
    return [subset for size in range(1, most + 1) for subset in combinations(structures, size)]


def structures_of(cases: Sequence[Case]) -> tuple[str, ...]:
    """Return the structures that are available for any of the cases, in their order."""
    return tuple(dict.fromkeys(name for case in cases for name in case.context.available))
