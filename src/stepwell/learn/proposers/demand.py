"""The direction of demand: which signs of a question decide what is read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from stepwell.learn.proposers.cells import best_choices
from stepwell.learn.proposers.edits import Variant, dropped, inserted, named, rule_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from stepwell.learn.proposers.guide import Guide, Reading
    from stepwell.policy.conditions import Condition
    from stepwell.policy.kinds import Rules

__all__ = ["demand_variants"]

_MOST_ADDED: Final = 30
"""Rules offered for each rule that they would take cases from."""

_ABOUT: Final = frozenset({"domain", "kind"})
"""What utility looks at, not demand."""


def demand_variants(
    rules: Rules, guide: Guide, focus: Sequence[Condition], readings: Sequence[Reading]
) -> Iterator[Variant]:
    """Yield rules with a sign added, replaced or dropped.

    Args:
        rules: The rules to change.
        guide: The training cases.
        focus: What holds for the cases to repair; empty for all.
        readings: What can be read.
    """
    yield from _added(rules, guide, focus, readings)
    if not focus:
        yield from _replaced(rules, guide)
        yield from _dropped(rules)


def _added(
    rules: Rules, guide: Guide, focus: Sequence[Condition], readings: Sequence[Reading]
) -> Iterator[Variant]:
    """Yield rules with one more, which takes from another the cases that show a sign."""
    regions, current = guide.regions(rules), guide.worth_of(rules)
    for number in range(len(rules.rules) + 1):
        base = () if number == len(rules.rules) else rules.rules[number].when
        when = (*base, *(one for one in focus if one not in base))
        cells = [(*when, sign) for sign in _signs(guide) if sign not in when]
        choices = best_choices(
            guide,
            cells if not focus else [when, *cells],
            readings,
            within=regions == number,
            current=current,
            most=_MOST_ADDED,
        )
        for choice in choices:
            rule = rule_of(choice.when, choice.reading)
            said = f"new rule {number + 1}: {named(choice.when, choice.reading)}"
            yield Variant(rules=inserted(rules, number, rule), description=said)


def _replaced(rules: Rules, guide: Guide) -> Iterator[Variant]:
    """Yield rules with one sign of one rule replaced."""
    for number, rule in enumerate(rules.rules):
        for place, old in enumerate(rule.when):
            for sign in _signs(guide):
                if sign not in rule.when:
                    when = (*rule.when[:place], sign, *rule.when[place + 1 :])
                    changed = inserted(dropped(rules, number), number, replace(rule, when=when))
                    said = f"rule {number + 1}: {sign} in place of {old}"
                    yield Variant(rules=changed, description=said)


def _dropped(rules: Rules) -> Iterator[Variant]:
    """Yield rules without one rule, or without one condition of it."""
    for number, rule in enumerate(rules.rules):
        yield Variant(rules=dropped(rules, number), description=f"without rule {number + 1}")
        for place, old in enumerate(rule.when if len(rule.when) > 1 else ()):
            when = (*rule.when[:place], *rule.when[place + 1 :])
            changed = inserted(dropped(rules, number), number, replace(rule, when=when))
            yield Variant(rules=changed, description=f"rule {number + 1} without {old}")


def _signs(guide: Guide) -> list[Condition]:
    found = [one for one in guide.conditions() if one.subject not in _ABOUT]
    return found + [replace(one, negated=True) for one in found]
