"""Changes of a list of rules, each a new list."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stepwell.errors import InvalidInputError
from stepwell.policy.conditions import Condition
from stepwell.policy.kinds import ANY, All, Fixed, Program, Rule, Rules, Single, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from stepwell.learn.proposers.guide import Reading
    from stepwell.policy.kinds import Kind

__all__ = ["Variant", "as_rules", "dropped", "inserted", "named", "rereading", "rule_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A changed list of rules.

    Attributes:
        rules: The rules.
        description: What was changed.
    """

    rules: Rules
    description: str


def as_rules(policy: Kind, structures: Sequence[str]) -> Rules:
    """Return a policy written as rules.

    Args:
        policy: Any but a program.
        structures: What there is to read.

    Raises:
        InvalidInputError: It is a program.
    """
    match policy:
        case All():
            return Rules(rules=(), default=tuple(structures))
        case Single(structure=structure):
            return Rules(rules=(), default=(structure,))
        case Fixed(structures=names):
            return Rules(rules=(), default=names)
        case Table(cells=cells, default=default):
            order = sorted(cells, key=lambda cell: ((cell[0] == ANY) * 2 + (cell[1] == ANY), cell))
            rules = [Rule(when=_when(*cell), read=cells[cell]) for cell in order]
            return Rules(rules=tuple(rules), default=default)
        case Rules():
            return policy
        case Program():
            raise InvalidInputError(
                "A program cannot be changed rule by rule.",
                hint="Start from rules, or let a model propose: --proposer model.",
            )


def rule_of(when: Iterable[Condition], reading: Reading) -> Rule:
    """Return a rule that reads something under conditions."""
    read, tokens = reading
    return Rule(when=tuple(when), read=read, tokens=dict(tokens))


def inserted(rules: Rules, number: int, rule: Rule) -> Rules:
    """Return rules with another one before the one of this number."""
    kept = rules.rules
    return replace(rules, rules=(*kept[:number], rule, *kept[number:]))


def dropped(rules: Rules, number: int) -> Rules:
    """Return rules without the one of this number."""
    return replace(rules, rules=(*rules.rules[:number], *rules.rules[number + 1 :]))


def rereading(rules: Rules, number: int, reading: Reading) -> Rules:
    """Return rules of which one reads something else.

    Args:
        rules: The rules.
        number: Of the rule; the number of rules for the default, which becomes a rule that always
            applies where tokens are limited, as a default has no limits.
        reading: What it is to read.
    """
    kept = rules.rules
    if number < len(kept):
        rule = rule_of(kept[number].when, reading)
        return replace(rules, rules=(*kept[:number], rule, *kept[number + 1 :]))
    if reading[1]:
        return replace(rules, rules=(*kept, rule_of((), reading)), default=reading[0])
    return replace(rules, default=reading[0])


def named(when: Iterable[Condition], reading: Reading) -> str:
    """Say what is read when."""
    read, tokens = reading
    limits = "".join(f", {name} to {limit} tokens" for name, limit in tokens)
    return f"{' and '.join(map(str, when)) or 'else'}: {' + '.join(read)}{limits}"


def _when(domain: str, kind: str) -> tuple[Condition, ...]:
    found = (("domain", domain), ("kind", kind))
    return tuple(
        Condition(subject="domain" if subject == "domain" else "kind", name=name)
        for subject, name in found
        if name != ANY
    )
