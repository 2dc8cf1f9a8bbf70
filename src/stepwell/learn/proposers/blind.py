"""Changes that nothing guides: what a search does without directions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from stepwell.learn.proposers.edits import (
    Variant,
    dropped,
    inserted,
    named,
    rereading,
    rule_of,
)
from stepwell.learn.proposers.guide import reading_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    from stepwell.learn.proposers.guide import Guide
    from stepwell.policy.kinds import Rules

__all__ = ["blind_variants"]

_TRIES: Final = 100


def blind_variants(rules: Rules, guide: Guide, rng: np.random.Generator) -> Iterator[Variant]:
    """Yield random changes: a rule added, or one that reads something else, or is dropped.

    Args:
        rules: The rules to change.
        guide: Says which conditions and structures there are, and nothing of their worth.
        rng: Draws everything.
    """
    conditions = guide.conditions()
    for _ in range(_TRIES):
        number = int(rng.integers(len(rules.rules) + 1))
        drawn = 0
        while not drawn:
            drawn = int(rng.integers(1 << len(guide.structures)))
        reading = reading_of(
            [name for place, name in enumerate(guide.structures) if drawn >> place & 1]
        )
        kind = int(rng.integers(3))
        if kind == 0 and conditions:
            when = (conditions[int(rng.integers(len(conditions)))],)
            changed = inserted(rules, number, rule_of(when, reading))
            said = f"new rule {number + 1}: {named(when, reading)}"
        elif kind == 1 and number < len(rules.rules):
            changed, said = dropped(rules, number), f"without rule {number + 1}"
        else:
            changed = rereading(rules, number, reading)
            said = f"rule {number + 1}: {' + '.join(reading[0])}"
        yield Variant(rules=changed, description=said)
