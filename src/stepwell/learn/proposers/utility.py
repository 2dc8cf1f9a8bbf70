"""The direction of utility: tables of what each reading is worth by domain, kind and cue."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.learn.proposers.cells import best_choices, smoothed_means
from stepwell.learn.proposers.edits import Variant, inserted, named, rule_of
from stepwell.policy.kinds import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from stepwell.learn.proposers.guide import Guide, Reading
    from stepwell.policy.conditions import Condition

__all__ = ["utility_variants"]

_MOST: Final = 40
"""Cells offered, those that gain most."""

_LEVELS: Final = (("domain",), ("kind",), ("domain", "kind"))
"""Whole tables that are offered."""


def utility_variants(
    rules: Rules, guide: Guide, focus: Sequence[Condition], readings: Sequence[Reading]
) -> Iterator[Variant]:
    """Yield rules with one more, for a cell and what is worth most in it; and whole tables.

    Args:
        rules: The rules to change.
        guide: The training cases.
        focus: What holds for the cases to repair; empty for all.
        readings: What can be read.
    """
    cells = [_joined(focus, cell) for cell in _cells(guide)] if focus else _cells(guide)
    everywhere = np.ones(len(guide.cases), dtype=np.bool_)
    if focus:
        cells.insert(0, tuple(focus))
    found = best_choices(
        guide,
        list(dict.fromkeys(cells)),
        readings,
        within=everywhere,
        current=guide.worth_of(rules),
        most=_MOST,
    )
    for when in dict.fromkeys(choice.when for choice in found):
        means = smoothed_means(guide, readings, cell=guide.holds(when), around=everywhere)
        reading = readings[int(np.argmax(means))]
        said = f"first of all, {named(when, reading)}"
        yield Variant(rules=inserted(rules, 0, rule_of(when, reading)), description=said)
    if not focus:
        yield from _tables(guide, readings)


def _tables(guide: Guide, readings: Sequence[Reading]) -> Iterator[Variant]:
    """Yield rules that are a table of domains, of kinds, or of both."""
    everywhere = np.ones(len(guide.cases), dtype=np.bool_)
    overall = smoothed_means(guide, readings, cell=everywhere, around=everywhere)
    default = readings[int(np.argmax(overall))]
    for level in _LEVELS:
        rows: list[tuple[tuple[Condition, ...], Reading]] = []
        for when in product(*(_of(guide, subject) for subject in level)):
            cell = guide.holds(when)
            if guide.is_supported(cell):
                means = smoothed_means(guide, readings, cell=cell, around=everywhere)
                rows.append((when, readings[int(np.argmax(means))]))
        if len(rows) > 1:
            found = tuple(rule_of(when, reading) for when, reading in rows)
            table = Rules(rules=found, default=default[0])
            yield Variant(rules=table, description=f"a table by {' and '.join(level)}")


def _cells(guide: Guide) -> list[tuple[Condition, ...]]:
    """Return cells of one or two of: domain, kind, cue."""
    domains, kinds, cues = (_of(guide, subject) for subject in ("domain", "kind", "asks"))
    single = [(one,) for one in (*domains, *kinds, *cues)]
    pairs = [*product(domains, kinds), *product(domains, cues), *product(kinds, cues)]
    return [*single, *pairs]


def _of(guide: Guide, subject: str) -> list[Condition]:
    return [one for one in guide.conditions() if one.subject == subject]


def _joined(focus: Sequence[Condition], cell: Sequence[Condition]) -> tuple[Condition, ...]:
    subjects = {one.subject for one in cell}
    return (*(one for one in focus if one.subject not in subjects), *cell)
