"""The kinds of policies there are, as values.

What a policy names and what can be read here may differ: a memory without an encoder has no
`vector`, and a structure of someone's own is in one memory only. So names that are not available
are dropped. A table then goes on to its next cell, and rules to their next rule; where nothing is
left, everything available is read, and `why` says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from stepwell.errors import PolicyError
from stepwell.policy.base import STRUCTURES, Selection
from stepwell.policy.program import run_program

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from stepwell.policy.base import Context
    from stepwell.policy.conditions import Condition

__all__ = ["ANY", "All", "Fixed", "Kind", "Program", "Rule", "Rules", "Single", "Table"]

ANY: Final = "*"
"""In a cell of a table: whatever the domain or the kind of question is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class All:
    """Read every structure there is.

    >>> from stepwell.policy.base import Context
    >>> All().select("Why?", Context(available=("units", "episodic"))).structures
    ('units', 'episodic')
    """

    name = "all"

    def select(self, question: str, context: Context) -> Selection:  # noqa: ARG002  (of a Policy)
        """Return everything available."""
        return _everything(context, "all structures")


@dataclass(frozen=True, slots=True, kw_only=True)
class Single:
    """Read one structure.

    Attributes:
        structure: Its name.
    """

    name = "single"
    structure: str

    def select(self, question: str, context: Context) -> Selection:
        """Return that structure."""
        return Fixed(structures=(self.structure,)).select(question, context)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """Read the same structures for every question.

    Attributes:
        structures: Their names.
    """

    name = "fixed"
    structures: tuple[str, ...]

    def select(self, question: str, context: Context) -> Selection:  # noqa: ARG002  (of a Policy)
        """Return those that are available."""
        found = _of(self.structures, {}, context, "the same for every question")
        return found or _everything(context, _none_of(self.structures), named=self.structures)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Look up what to read by the domain of the runs and the kind of the question.

    A cell for both is taken before one for the domain alone, that before one for the kind alone,
    and that before the default. Capitals do not matter.

    Attributes:
        cells: From (domain, kind) to names; `ANY` stands for every domain or kind.
        default: Names for what no cell is for.
    """

    name = "table"
    cells: Mapping[tuple[str, str], tuple[str, ...]]
    default: tuple[str, ...]

    def select(self, question: str, context: Context) -> Selection:  # noqa: ARG002  (of a Policy)
        """Return the structures of the nearest cell that names one available."""
        for (domain, kind), names in self._nearest(context):
            if found := _of(names, {}, context, f"the cell {domain} / {kind}"):
                return found
        found = _of(self.default, {}, context, "no cell; the default")
        return found or _everything(context, _none_of(self.default), named=self.default)

    def _nearest(self, context: Context) -> Iterator[tuple[tuple[str, str], tuple[str, ...]]]:
        domain, kind = context.domain.casefold(), context.kind.casefold()
        for wanted in ((domain, kind), (domain, ANY), (ANY, kind)):
            for cell, names in self.cells.items():
                if (cell[0].casefold(), cell[1].casefold()) == wanted:
                    yield cell, names


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What to read where some conditions hold.

    Attributes:
        when: All of them have to hold; without any, the rule always applies.
        read: Names of structures.
        tokens: Most tokens of evidence of some of them, where that is not their own most.
    """

    when: tuple[Condition, ...]
    read: tuple[str, ...]
    tokens: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Take the first rule that applies and names a structure that is available.

    Attributes:
        rules: In the order they are tried.
        default: Names for what no rule applies to.
    """

    name = "rules"
    rules: tuple[Rule, ...]
    default: tuple[str, ...]

    def select(self, question: str, context: Context) -> Selection:
        """Return the structures of the first such rule, or the default."""
        for number, rule in enumerate(self.rules, start=1):
            if all(condition.holds(question, context) for condition in rule.when):
                said = " and ".join(map(str, rule.when)) or "always"
                if found := _of(rule.read, rule.tokens, context, f"rule {number}: {said}"):
                    return found
        found = _of(self.default, {}, context, "no rule applies; the default")
        return found or _everything(context, _none_of(self.default), named=self.default)


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Let a program in Starlark choose; see `program.run_program`.

    Attributes:
        source: Its text, which defines `select(question, context)`.
    """

    name = "program"
    source: str

    def select(self, question: str, context: Context) -> Selection:
        """Return what the program names and is available.

        Raises:
            PolicyError: It failed, took too much, or returned nothing usable.
        """
        tokens = run_program(self.source, question, context)
        limits = {name: limit for name, limit in tokens.items() if limit is not None}
        found = _of(tuple(tokens), limits, context, "the program")
        return found or _everything(context, _none_of(tuple(tokens)), named=tuple(tokens))


Kind: TypeAlias = All | Single | Fixed | Table | Rules | Program
"""What a policy file may hold."""


def _of(
    names: tuple[str, ...], tokens: Mapping[str, int], context: Context, why: str
) -> Selection | None:
    """Return the selection of those names that are available; None when none is."""
    structures = tuple(name for name in dict.fromkeys(context.available) if name in names)
    if not structures:
        return None
    limits = {name: tokens[name] for name in structures if name in tokens}
    unknown = _unknown(names, context)
    return Selection(structures=structures, tokens=limits, why=why, unknown=unknown)


def _unknown(names: tuple[str, ...], context: Context) -> tuple[str, ...]:
    known = {*STRUCTURES, *context.available}  # `vector` is none that is unknown without an encoder
    return tuple(name for name in dict.fromkeys(names) if name not in known)


def _everything(context: Context, why: str, *, named: tuple[str, ...] = ()) -> Selection:
    if not context.available:
        raise PolicyError(
            "There is no structure to read here.", hint="`stepwell doctor` says what is missing."
        )
    structures = tuple(dict.fromkeys(context.available))
    return Selection(structures=structures, why=why, unknown=_unknown(named, context))


def _none_of(names: tuple[str, ...]) -> str:
    said = ", ".join(names) or "nothing"
    return f"none of {said} is available here, so everything is read"
