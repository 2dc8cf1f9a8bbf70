"""Say a policy in words, and find what is odd about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.policy.base import STRUCTURES
from stepwell.policy.kinds import ANY, All, Fixed, Program, Rules, Single, Table
from stepwell.structures.registry import found

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.policy.kinds import Kind, Rule

__all__ = ["lines_of", "unknown_in"]


def lines_of(policy: Kind) -> Iterator[str]:
    """Yield what a policy does, a line for each rule or cell; of a program, its source.

    >>> from stepwell.policy.conditions import parse_condition
    >>> from stepwell.policy.kinds import Rule
    >>> rule = Rule(when=(parse_condition("asks count"),), read=("temporal",))
    >>> list(lines_of(Rules(rules=(rule,), default=("vector", "episodic"))))
    ['1. if asks count: read temporal', 'otherwise: read vector, episodic']
    """
    match policy:
        case All():
            yield "read everything that can be read"
        case Single(structure=structure):
            yield f"read {structure}"
        case Fixed(structures=structures):
            yield f"read {', '.join(structures)}"
        case Table(cells=cells, default=default):
            yield from (
                f"{_cell(domain, kind)}: read {', '.join(read)}"
                for (domain, kind), read in sorted(cells.items())
            )
            yield f"otherwise: read {', '.join(default)}"
        case Rules(rules=rules, default=default):
            yield from (f"{number}. {_rule(rule)}" for number, rule in enumerate(rules, start=1))
            yield f"otherwise: read {', '.join(default)}"
        case Program(source=source):
            yield from source.splitlines()


def unknown_in(policy: Kind) -> list[str]:
    """Return the names a policy reads that are no structures, Stepwell's own or installed.

    Of a program nothing is said: what it names is known when it runs.
    """
    known = {*STRUCTURES, *found().usable}
    named = [name for read in _reads(policy) for name in read if name not in known]
    return list(dict.fromkeys(named))


def _reads(policy: Kind) -> Iterator[tuple[str, ...]]:
    match policy:
        case Single(structure=structure):
            yield (structure,)
        case Fixed(structures=structures):
            yield structures
        case Table(cells=cells, default=default):
            yield from (*cells.values(), default)
        case Rules(rules=rules, default=default):
            for rule in rules:
                yield (*rule.read, *rule.tokens)
            yield default
        case All() | Program():
            return


def _cell(domain: str, kind: str) -> str:
    where = "any domain" if domain == ANY else f"domain {domain}"
    return where if kind == ANY else f"{where}, kind {kind}"


def _rule(rule: Rule) -> str:
    when = f"if {' and '.join(map(str, rule.when))}" if rule.when else "always"
    read = (
        f"{name} (at most {rule.tokens[name]} tokens)" if name in rule.tokens else name
        for name in rule.read
    )
    return f"{when}: read {', '.join(read)}"
