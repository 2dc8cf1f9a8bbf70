"""What a learned policy is compared with: fixed choices, tables, chance, and hand-written rules.

Those that are chosen by their worth are chosen on training and validation cases together, all that
the search sees, so that none of them is at a disadvantage.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from stepwell.learn.tables import structures_of, subset_table, subsets_of
from stepwell.policy.exploring import Exploring
from stepwell.policy.files import loads
from stepwell.policy.kinds import ANY, All, Fixed, Single, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from stepwell.learn.cases import Case, Evaluator
    from stepwell.learn.tables import SubsetTable
    from stepwell.policy.base import Policy

__all__ = [
    "PLAIN",
    "best_fixed",
    "best_single",
    "best_table",
    "controls",
    "random_subsets",
    "zero_shot",
]

PLAIN = Fixed(structures=("units", "vector", "episodic"))
"""What a recall read before there were policies."""


def controls(
    evaluator: Evaluator,
    cases: Sequence[Case],
    *,
    penalty: float,
    seed: int = 0,
    largest: int | None = None,
) -> dict[str, Policy]:
    """Return the policies to compare with, by name.

    Args:
        evaluator: What tells a subset's worth.
        cases: Training and validation cases.
        penalty: λ, in reward per token.
        seed: Of the random subsets.
        largest: Structures of the largest subset tried, besides everything; None for all.

    Raises:
        PolicyError: A case has nothing to read.
    """
    names = structures_of(cases)
    subsets = list(dict.fromkeys([*subsets_of(names, largest=largest), names]))
    table = subset_table(evaluator, cases, subsets)
    return {
        "all": All(),
        "plain": PLAIN,
        "route-to-one": best_single(table, penalty),
        "best fixed": best_fixed(table, penalty),
        "domain table": best_table(table, penalty, kinds=False),
        "domain and kind table": best_table(table, penalty, kinds=True),
        "zero-shot rules": zero_shot(),
        "random subset": random_subsets(seed),
    }


def best_single(table: SubsetTable, penalty: float) -> Single:
    """Return the structure of the highest J - λ·C: one for all questions."""
    objectives = table.objectives(penalty)
    places = [place for place, subset in enumerate(table.subsets) if len(subset) == 1]
    return Single(structure=table.subsets[max(places, key=objectives.__getitem__)][0])


def best_fixed(table: SubsetTable, penalty: float) -> Fixed:
    """Return the subset of the highest J - λ·C."""
    return Fixed(structures=_best(table, penalty, None))


def best_table(table: SubsetTable, penalty: float, *, kinds: bool) -> Table:
    """Return the subset of the highest J - λ·C for each domain, or each domain and kind.

    Args:
        table: What subsets are worth.
        penalty: λ, in reward per token.
        kinds: Whether cells are of a domain and a kind of question, else of a domain.
    """
    keys = [
        (_named(case.context.domain), _named(case.context.kind) if kinds else ANY)
        for case in table.cases
    ]
    cells: dict[tuple[str, str], tuple[str, ...]] = {}
    for cell in sorted(set(keys)):
        among = np.array([key == cell for key in keys], dtype=np.bool_)
        cells[cell] = _best(table, penalty, among)
    return Table(cells=cells, default=_best(table, penalty, None))


def random_subsets(seed: int = 0) -> Exploring:
    """Return a policy that reads a random subset for each question."""
    return Exploring(policy=All(), share=1.0, seed=seed)


def zero_shot() -> Policy:
    """Return rules written by hand from what structures are, before any reward was seen."""
    text = (files("stepwell.learn") / "zero_shot.toml").read_text(encoding="utf-8")
    return loads(text, where="zero_shot.toml")


def _best(table: SubsetTable, penalty: float, among: NDArray[np.bool_] | None) -> tuple[str, ...]:
    return table.subsets[int(np.argmax(table.objectives(penalty, among=among)))]


def _named(text: str) -> str:
    return text.strip() or ANY
