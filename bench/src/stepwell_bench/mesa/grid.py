"""The grid of a sweep: what came of reading every subset of structures for every question."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.learn.tables import SubsetTable, structures_of, subsets_of
from stepwell.policy.base import Selection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.learn.cases import Case
    from stepwell.learn.replay.ledger import Reading
    from stepwell.learn.replay.readings import Readings
    from stepwell_bench.scoring import Mode

__all__ = ["FIVE", "SIX", "Grid", "asked", "at_budget", "read_grid"]

FIVE: Final = ("summary", "temporal", "graph", "vector", "episodic")
"""Those of the paper."""

SIX: Final = ("summary", "temporal", "graph", "units", "vector", "episodic")
"""Those that come with Stepwell."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Grid:
    """What came of every subset on every case.

    Attributes:
        cases: n cases.
        subsets: m subsets, names of structures.
        readings: n rows of m readings.
    """

    cases: tuple[Case, ...]
    subsets: tuple[tuple[str, ...], ...]
    readings: tuple[tuple[Reading, ...], ...]

    @property
    def violations(self) -> dict[str, int]:
        """How often each rule was broken; empty where none was."""
        rows = (one for row in self.readings for one in row)
        return dict(
            sorted(Counter(rule for one in rows for rule in one.violations.split()).items())
        )

    def table(self, reward: str, mode: Mode) -> SubsetTable:
        """Return one reward of the cases asked in one way, as arrays."""
        wanted = {case.id for case in asked(self.cases, mode)}
        rows = [
            row for case, row in zip(self.cases, self.readings, strict=True) if case.id in wanted
        ]
        values = [[getattr(one, reward) for one in row] for row in rows]
        shape = (len(rows), len(self.subsets))
        rewards = np.array(values, dtype=np.float64).reshape(shape)  # None becomes NaN
        tokens = [[one.tokens for one in row] for row in rows]
        return SubsetTable(
            cases=[case for case in self.cases if case.id in wanted],
            subsets=self.subsets,
            rewards=np.nan_to_num(rewards),
            tokens=np.array(tokens, dtype=np.float64).reshape(shape),
            weights=(~np.isnan(rewards)).astype(np.float64),
        )


def read_grid(
    readings: Readings,
    cases: Sequence[Case],
    *,
    structures: Sequence[str] = FIVE,
    largest: int | None = None,
) -> Grid:
    """Read every subset for every case, in one batch.

    Args:
        readings: What reads, and keeps what was read.
        cases: The cases, all of one budget.
        structures: Structures to combine; those that are not available are left out.
        largest: Structures of the largest subset, besides all of them; None for every subset.

    Raises:
        InvalidInputError: A worker cannot open the data.
    """
    available = structures_of(cases)
    known = tuple(name for name in structures if name in available)
    subsets = tuple(dict.fromkeys([*subsets_of(known, largest=largest), known]))
    selections = [Selection(structures=subset) for subset in subsets]
    found = readings.read([(case, one) for case in cases for one in selections])
    width = len(subsets)
    return Grid(
        cases=tuple(cases),
        subsets=subsets,
        readings=tuple(
            tuple(found[start : start + width]) for start in range(0, len(found), width)
        ),
    )


def asked(cases: Sequence[Case], mode: Mode) -> tuple[Case, ...]:
    """Return the cases of one way of asking.

    A question without step numbers is the same in both ways; its one case belongs to both.
    """
    ids = {case.id for case in cases}
    return tuple(
        case
        for case in cases
        if case.id.endswith(f" {mode}")
        or (mode == "stripped" and f"{case.id.rpartition(' ')[0]} stripped" not in ids)
    )


def at_budget(cases: Sequence[Case], budget: int) -> tuple[Case, ...]:
    """Return cases with another budget."""
    return tuple(replace(case, context=replace(case.context, budget=budget)) for case in cases)
