"""The direction of robustness against cost: read more where little is known, less where it can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.learn.proposers.cells import smoothed_means
from stepwell.learn.proposers.edits import (
    Variant,
    dropped,
    inserted,
    named,
    rereading,
    rule_of,
)
from stepwell.learn.proposers.guide import reading_at, reading_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from stepwell.learn.proposers.guide import Guide, Reading
    from stepwell.policy.conditions import Condition
    from stepwell.policy.kinds import Rules

__all__ = ["robustness_variants"]

_LOW_SUPPORT: Final = 20
"""Training cases below which little is known of a rule."""

_COSTS_NOTHING: Final = 0.005
"""ε: half a point of reward on the cases of a rule."""

_LEAST_TOKENS: Final = 50


def robustness_variants(
    rules: Rules, guide: Guide, focus: Sequence[Condition], rng: np.random.Generator
) -> Iterator[Variant]:
    """Yield rules that read more, or cost less.

    Args:
        rules: The rules to change.
        guide: The training cases.
        focus: What holds for the cases to repair, for which more is read; empty for all.
        rng: Draws the rule, in proportion to its cases, that loses a structure, or has the tokens
            of a structure, drawn too, halved or doubled. Both have to be measured anew.
    """
    regions = guide.regions(rules)
    if focus:
        for reading in _wide(guide):
            said = f"first of all, {named(focus, reading)}"
            yield Variant(rules=inserted(rules, 0, rule_of(focus, reading)), description=said)
        return
    sizes = np.bincount(regions, minlength=len(rules.rules) + 1)
    for number, size in enumerate(sizes):
        if size < _LOW_SUPPORT:
            yield from _widened(rules, guide, number)
        if number < len(rules.rules) and not size:
            yield Variant(rules=dropped(rules, number), description=f"without rule {number + 1}")
    drawn = int(rng.choice(regions))
    yield from _pruned(rules, guide, drawn)
    if guide.limits:
        yield from _limited(rules, guide, drawn, rng)


def _wide(guide: Guide) -> list[Reading]:
    """Return everything, and the pair that is worth most overall."""
    everywhere = np.ones(len(guide.cases), dtype=np.bool_)
    pairs = [one for one in guide.readings(()) if len(one[0]) == len("ab")]
    if not pairs:
        return [reading_of(guide.structures)]
    means = smoothed_means(guide, pairs, cell=everywhere, around=everywhere)
    return [reading_of(guide.structures), pairs[int(np.argmax(means))]]


def _widened(rules: Rules, guide: Guide, number: int) -> Iterator[Variant]:
    for reading in _wide(guide):
        if reading != reading_at(rules, number):
            said = f"rule {number + 1}, of which little is known: {' + '.join(reading[0])}"
            yield Variant(rules=rereading(rules, number, reading), description=said)


def _pruned(rules: Rules, guide: Guide, number: int) -> Iterator[Variant]:
    """Yield rules of which one leaves out a structure that adds no reward."""
    mask = guide.regions(rules) == number
    read, tokens = reading_at(rules, number)
    for name in read if len(read) > 1 else ():
        rest = reading_of(
            [one for one in read if one != name], [one for one in tokens if one[0] != name]
        )
        lost = (guide.rewards((read, tokens)) - guide.rewards(rest))[mask].mean()
        if lost <= _COSTS_NOTHING:
            said = f"rule {number + 1} without {name}"
            yield Variant(rules=rereading(rules, number, rest), description=said)


def _limited(
    rules: Rules, guide: Guide, number: int, rng: np.random.Generator
) -> Iterator[Variant]:
    """Yield rules of which one gives a structure half or double the tokens.

    A structure without a limit of its own is taken to have an equal part of the budget.
    """
    read, tokens = reading_at(rules, number)
    limits = dict(tokens)
    budget = int(np.median([case.context.budget for case in guide.cases]))
    name = read[int(rng.integers(len(read)))]
    now = limits.get(name, budget // len(read))
    for limit in (now // 2, min(now * 2, budget)):
        if limit >= _LEAST_TOKENS and limit != limits.get(name):
            reading = reading_of(read, {**limits, name: limit}.items())
            said = f"rule {number + 1} with {limit} tokens of {name}"
            yield Variant(rules=rereading(rules, number, reading), description=said)
