"""Ask every question with every method at every budget: one row of marks each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from stepwell.structures.units.build import build_units
from stepwell_bench.osu.measures import marks
from stepwell_bench.osu.world import problem_of, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from stepwell.structures.units.model import UnitOptions, Units
    from stepwell_bench.osu.methods import Method
    from stepwell_bench.osu.world import World

__all__ = ["Row", "ask", "save_rows", "units_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """How one method did on one question at one budget.

    Attributes:
        seed: Of the worlds.
        world: The world's name.
        question: The question's name.
        cell: What binds its evidence.
        method: The method's name.
        budget: Tokens allowed.
        tokens: Tokens used.
        recall: Share of the evidence chosen.
        hit2: Whether at least two evidence steps were chosen, 0 or 1.
        near: Recall in the later half of the past; None without evidence there.
        far: Recall in the earlier half; None without evidence there.
    """

    seed: int
    world: str
    question: str
    cell: str
    method: str
    budget: int
    tokens: int
    recall: float
    hit2: float
    near: float | None
    far: float | None


def ask(
    worlds: Sequence[World],
    methods: Sequence[Method],
    *,
    budgets: Sequence[int],
    seed: int,
    progress: Callable[[str, int, int], None] = lambda _what, _done, _total: None,
) -> list[Row]:
    """Ask all questions of some worlds.

    Args:
        worlds: The worlds.
        methods: Who answers; a name occurs once.
        budgets: Tokens allowed.
        seed: What the worlds were made from; goes into the rows.
        progress: Called with what is done, how much of it, and out of how much.
    """
    rows: list[Row] = []
    for number, world in enumerate(worlds):
        progress(f"worlds asked, seed {seed}", number, len(worlds))
        for asked_at in sorted({one.asked_at for one in world.questions}):
            rows.extend(_rows(until(world, asked_at), methods, budgets=budgets, seed=seed))
    progress(f"worlds asked, seed {seed}", len(worlds), len(worlds))
    return rows


def save_rows(rows: Iterable[Row], path: Path) -> None:
    """Write every row as one line of JSON."""
    with path.open("wb") as file:
        for row in rows:
            file.write(msgspec.json.encode(row) + b"\n")


def units_of(world: World, options: UnitOptions) -> Units:
    """Return the units over all steps of a world, at its own least cosine where it has one."""
    if world.min_cosine is not None:
        options = replace(options, min_cosine=world.min_cosine)
    return build_units(world.annotations, world.vectors, options)


def _rows(
    world: World, methods: Sequence[Method], *, budgets: Sequence[int], seed: int
) -> Iterator[Row]:
    built = {options: units_of(world, options) for options in {one.units for one in methods}}
    for method in methods:
        units = built[method.units]
        selector_for = method.bind(world, units)
        for question in world.questions:
            problem, selector = problem_of(world, question, units), selector_for(question)
            for budget in budgets:
                chosen = selector.select(problem, budget)
                found = marks(question, chosen)
                yield Row(
                    seed=seed,
                    world=world.name,
                    question=question.name,
                    cell=question.cell,
                    method=method.name,
                    budget=budget,
                    tokens=int(world.costs[chosen].sum()),
                    recall=found.recall,
                    hit2=found.hit2,
                    near=found.near,
                    far=found.far,
                )
