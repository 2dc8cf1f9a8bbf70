"""The direction of composition: which structures belong together."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.learn.proposers.edits import Variant, inserted, named, rereading, rule_of
from stepwell.learn.proposers.guide import reading_at, reading_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from stepwell.learn.proposers.guide import Guide
    from stepwell.policy.conditions import Condition
    from stepwell.policy.kinds import Rules

__all__ = ["Forecast", "composition_variants", "forecast", "greedy"]

_LARGEST: Final = 4
_MEASURED: Final = 4
"""Subsets measured for a rule, of those forecast to be best: measuring is what costs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What subsets are expected to be worth on some cases, from singles and pairs alone.

    A case is expected to be met by a subset S as if its structures were independent chances,
    1 - Π_{s∈S}(1 - r_s), which counts what they share once; and each pair adds its synergy, what
    the pair was measured to reach beyond that, negative where one gets in the way of the other.
    Tokens add up.

    Attributes:
        structures: K names.
        rewards: Of each alone on each case, shape (n, K).
        costs: λ·tokens of each alone on average, shape (K,).
        synergy: Of each pair on average, shape (K, K), symmetric.
    """

    structures: tuple[str, ...]
    rewards: NDArray[np.float64]
    costs: NDArray[np.float64]
    synergy: NDArray[np.float64]

    def worth(self, subset: Iterable[str]) -> float:
        """Return what a subset is expected to be worth."""
        places = [self.structures.index(name) for name in subset]
        met = 1 - np.prod(1 - self.rewards[:, places], axis=1)
        pairs = sum(self.synergy[one, other] for one, other in combinations(places, 2))
        return float(met.mean() + pairs / max(1, len(places) - 1) - self.costs[places].sum())


def forecast(guide: Guide, mask: NDArray[np.bool_]) -> Forecast:
    """Return what is expected of subsets on some training cases, at least one."""
    names = guide.structures
    singles = [reading_of((name,)) for name in names]
    rewards = np.column_stack([guide.rewards(one)[mask] for one in singles])
    costs = [(guide.rewards(one) - guide.worth(one))[mask].mean() for one in singles]
    synergy = np.zeros((len(names), len(names)))
    for one, other in combinations(range(len(names)), 2):
        both = guide.rewards(reading_of((names[one], names[other])))[mask]
        apart = 1 - (1 - rewards[:, one]) * (1 - rewards[:, other])
        synergy[one, other] = synergy[other, one] = (both - apart).mean()
    return Forecast(structures=names, rewards=rewards, costs=np.array(costs), synergy=synergy)


def greedy(expected: Forecast, *, largest: int = _LARGEST) -> list[tuple[str, ...]]:
    """Return subsets of 1, 2, … structures, each the one before with what adds most to it.

    The first of equals is taken.
    """
    chosen: tuple[str, ...] = ()
    found: list[tuple[str, ...]] = []
    for _ in range(min(largest, len(expected.structures))):
        rest = [name for name in expected.structures if name not in chosen]
        chosen = max(
            (_ordered(expected.structures, {*chosen, name}) for name in rest), key=expected.worth
        )
        found.append(chosen)
    return found


def composition_variants(
    rules: Rules, guide: Guide, focus: Sequence[Condition], rng: np.random.Generator
) -> Iterator[Variant]:
    """Yield rules of which one reads another subset.

    The subset is built anew, or has one structure added, removed or swapped. Of all these, the few
    are measured that are forecast to be best.

    Args:
        rules: The rules to change.
        guide: The training cases.
        focus: What holds for the cases to repair; empty for all.
        rng: Draws the rule, in proportion to its cases.
    """
    if focus and guide.holds(focus).any():
        for subset in _promising(guide, guide.holds(focus), ()):
            reading = reading_of(subset)
            said = f"first of all, {named(focus, reading)}"
            yield Variant(rules=inserted(rules, 0, rule_of(focus, reading)), description=said)
        return
    regions = guide.regions(rules)
    number = int(rng.choice(regions))
    read, tokens = reading_at(rules, number)
    for subset in _promising(guide, regions == number, read):
        reading = reading_of(subset, [limit for limit in tokens if limit[0] in subset])
        when = () if number == len(rules.rules) else rules.rules[number].when
        said = f"rule {number + 1}, {named(when, reading)}"
        yield Variant(rules=rereading(rules, number, reading), description=said)


def _promising(guide: Guide, mask: NDArray[np.bool_], read: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the subsets forecast to be best on some cases: built anew, or near what is read."""
    expected = forecast(guide, mask)
    known = tuple(name for name in guide.structures if name in read)
    found = dict.fromkeys([*greedy(expected), *(_near(guide.structures, known) if known else ())])
    ranked = sorted(found, key=lambda subset: (-expected.worth(subset), len(subset)))
    return [subset for subset in ranked if subset != known][:_MEASURED]


def _near(structures: Sequence[str], read: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield subsets with one structure added, removed or swapped."""
    held = set(read)
    rest = [name for name in structures if name not in held]
    for name in rest:
        yield _ordered(structures, held | {name})
    for name in read if len(read) > 1 else ():
        yield _ordered(structures, held - {name})
    for name in read:
        for other in rest:
            yield _ordered(structures, (held - {name}) | {other})


def _ordered(structures: Sequence[str], names: set[str]) -> tuple[str, ...]:
    return tuple(name for name in structures if name in names)
