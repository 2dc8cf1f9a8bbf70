"""Modes of a recall: how far its scores are taken as they are, and what units make of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from stepwell.recall.evidence import Reading
from stepwell.recall.markup import escaped
from stepwell.recall.rank.scope_units import units_over
from stepwell.recall.rank.selection.base import Problem
from stepwell.recall.rank.selection.binding import PRIOR, bind, bindings_of, chance_of_top, is_open
from stepwell.recall.rank.selection.coarse import Coarse
from stepwell.recall.rank.selection.coverage import Coverage
from stepwell.structures.units.model import PRIORITY, View
from stepwell.text.clean import readable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from stepwell.recall.find.context import UnitSource
    from stepwell.recall.question import Mode
    from stepwell.recall.rank.scope_units import ScopeUnits
    from stepwell.recall.rank.score import Scored
    from stepwell.recall.rank.selection.base import Selector
    from stepwell.recall.rank.selection.binding import Bound
    from stepwell.store.read import Entry

__all__ = ["with_units"]

_NOISE = 1 / 6
"""Noise of a fused score, in deviations of all scores: most of a deviation is what steps really
differ by, since words and meanings either match or do not. Learned on development episodes of
AMA-Bench: with a fourth, recalls with vectors lose up to a point at small budgets."""

_FEWEST = 3
"""Steps of a scope below which there is nothing to choose."""

_MOST_RUNS = 8
"""Trajectories whose units a recall over many reads: those of its best steps."""

_NOTICEABLE = 0.05
"""Deviations that units have to add to move a step past others, and to be worth a word."""

_SHOWN = 3
_KEY_CHARS = 40

_SELECTORS: dict[Mode, Selector] = {
    "coverage": Coverage(),
    "paper": Coarse(name="paper", mode="paper"),
    "plus": Coarse(name="plus", mode="plus"),
}


def with_units(
    scored: Scored, *, mode: Mode, entries: Sequence[Entry], source: UnitSource
) -> tuple[Scored, Reading | None]:
    """Return the scores as a mode sees them, and how units were read; None when they were not.

    `flat` takes scores as they are. `adaptive` raises each step by what the units that hold it add
    to its log odds, in deviations of noise (`selection.binding`); where the best steps stand out,
    no unit is read. `paper`, `plus` and `coverage` order steps as OSU-Mem does, and `paper` leaves
    out what no unit it routes to holds, if there are units of likeness, which need vectors.

    Args:
        scored: Fused scores of the steps in scope.
        mode: The mode.
        entries: The trajectories in scope.
        source: Where units come from.
    """
    if mode == "flat" or not scored.passages or len(scored.keys) < _FEWEST:
        return scored, None
    if np.ptp(scored.total) == 0:
        return scored, None
    if mode != "adaptive":
        return _ordered(scored, mode, entries=entries, source=source)
    spread = float(scored.total.std())
    standard = (scored.total - scored.total.mean()) / spread
    # Against all scores, not their noise: else the best of any hundred steps would stand out.
    chance = chance_of_top(standard)
    if not is_open(PRIOR.binds * chance):
        return scored, _read(source, 0, _STANDS_OUT)
    over = units_over(scored.keys, entries=_best_runs(scored, entries), source=source)
    bound = bind(standard / _NOISE, bindings_of(over.units), chance=chance)
    gain = bound.gain / bound.strength * spread * _NOISE
    reasons = {
        int(scored.keys[place]): _reason(over, int(bound.unit[place]), scored.keys, place)
        for place in np.flatnonzero((bound.unit >= 0) & (gain >= _NOTICEABLE)).tolist()
    }
    return (
        replace(
            scored,
            total=scored.total + gain,
            parts=scored.parts | {source.index.name: gain},
            traits={**scored.traits, source.index.name: source.index.traits},
            reasons=reasons,
        ),
        _read(source, len(reasons), _trust(bound)),
    )


_STANDS_OUT = "the best steps stand out, so no unit was read"


def _read(source: UnitSource, n_moved: int, note: str) -> Reading:
    return Reading(
        structure=source.index.name, n_hits=n_moved, coverage=1.0, note=note, orders=True
    )


def _trust(bound: Bound) -> str:
    return f"some unit binds the evidence with a chance of {bound.binds:.1%} beforehand"


def _ordered(
    scored: Scored, mode: Mode, *, entries: Sequence[Entry], source: UnitSource
) -> tuple[Scored, Reading]:
    """Return the steps a selector takes, their own scores handed out in its order.

    The paper's method has units of likeness over every step. Without vectors there are none, and
    steps that share no name would never be found: then those that no unit holds follow by score.
    """
    units = units_over(scored.keys, entries=_best_runs(scored, entries), source=source).units
    selector, note = _SELECTORS[mode], f"{mode} order"
    if mode == "paper" and not np.any(units.views == PRIORITY.index(View.SIMILARITY)):
        selector = _SELECTORS["plus"]
        note = "paper order; without units of likeness, the other steps follow by score"
    low, high = float(scored.total.min()), float(scored.total.max())
    problem = Problem(
        scores=(scored.total - low) / (high - low),
        costs=np.ones(len(scored.keys), dtype=np.int64),
        units=units,
    )
    order = np.asarray(selector.select(problem, len(scored.keys)), dtype=np.int64)
    taken = np.sort(order)
    total = np.empty(len(scored.keys))
    total[order] = np.sort(scored.total)[::-1][: len(order)]
    return (
        replace(
            scored,
            keys=scored.keys[taken],
            total=total[taken],
            # Of no step there are no parts either: that is how it is known that nothing was found.
            parts={name: part[taken] for name, part in scored.parts.items() if len(taken)},
        ),
        _read(source, len(order), note),
    )


def _best_runs(scored: Scored, entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return the trajectories of the best steps."""
    if len(entries) <= _MOST_RUNS:
        return entries
    order = np.argsort(-scored.total, kind="stable")
    numbers = dict.fromkeys(scored.number_of(order).tolist())
    best = set(list(numbers)[:_MOST_RUNS])
    return [entry for entry in entries if entry.number in best]


def _reason(over: ScopeUnits, unit: int, keys: NDArray[np.int64], place: int) -> str:
    """Say what binds a step to which others, on one line that is no markup."""
    others = [key for key in keys[over.units.of(unit)].tolist() if key != int(keys[place])]
    steps = ", ".join(f"s{key - int(over.firsts[unit])}" for key in others[:_SHOWN])
    more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
    view = PRIORITY[int(over.units.views[unit])]
    if view == View.SIMILARITY:
        return f"resembles {steps}{more}"
    name = " ".join(readable(over.name(unit)).split())
    return f"shares {view} {escaped(name[:_KEY_CHARS])!r} with {steps}{more}"
