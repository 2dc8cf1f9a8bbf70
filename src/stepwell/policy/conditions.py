"""Conditions: short sentences about a question and its context that hold or do not.

========================== =====================================================================
`asks count`               the question shows this cue (`cues.CUES`)
`has vector`               this structure can be read
`domain is Embodied AI`    also `kind is` and `task is`; capitals do not matter, and what is empty
                           is called `unknown`
`steps > 100`              also `tokens` (in scope) and `budget`, with >, >=, <, <=, = or !=
`signal temporal.slots >= 1` a number a structure tells; one that is missing holds for no comparison
`not asks why`             the opposite of any of these
========================== =====================================================================
"""

from __future__ import annotations

import difflib
import math
import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from stepwell.errors import PolicyError
from stepwell.policy.cues import CUES, cues_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from stepwell.policy.base import Context

__all__ = ["Comparison", "Condition", "Subject", "parse_condition"]

Subject: TypeAlias = Literal[
    "asks", "has", "domain", "kind", "task", "steps", "tokens", "budget", "signal"
]
Comparison: TypeAlias = Literal["", ">=", "<=", ">", "<", "=", "!="]

_OPERATORS: Final[dict[str, Callable[[float, float], bool]]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
    "!=": operator.ne,
}
_NAME: Final = re.compile(r"[^\s<>=!]{1,80}")
_COMPARED: Final = re.compile(r"(?P<head>[^<>=!]*)(?P<op>[<>!]=|[<>=])(?P<number>[^<>=!]*)")
_NUMBER: Final = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?(?:e[+-]?\d{1,3})?")
_WHOLE: Final = 1e15
"""Below this a whole number is written without a point."""
_UNKNOWN: Final = "unknown"
_HINT: Final = (
    "Write such as `asks count`, `not asks why`, `domain is games`, `has vector`, `steps > 100` or "
    "`signal temporal.slots >= 1`."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """One condition; `str` writes it as `parse_condition` reads it.

    Attributes:
        subject: What is looked at.
        name: The cue, structure or signal; or what the domain, kind or task has to be.
        comparison: How a number is compared; empty where there is none.
        value: With what it is compared.
        negated: Whether the opposite is meant.
    """

    subject: Subject
    name: str = ""
    comparison: Comparison = ""
    value: float = 0.0
    negated: bool = False

    def __str__(self) -> str:
        word = "" if not self.negated else "not "
        if self.subject in {"asks", "has"}:
            return f"{word}{self.subject} {self.name}"
        if not self.comparison:
            return f"{word}{self.subject} is {self.name}"
        subject = f"signal {self.name}" if self.subject == "signal" else self.subject
        return f"{word}{subject} {self.comparison} {_written(self.value)}"

    def holds(self, question: str, context: Context) -> bool:
        """Return whether it holds for a question in its context."""
        return self._is(question, context) != self.negated

    def _is(self, question: str, context: Context) -> bool:
        if self.subject == "asks":
            return self.name in cues_of(question)
        if self.subject == "has":
            return self.name in context.available
        if self.comparison:
            return _OPERATORS[self.comparison](_number(self, context), self.value)
        return _text(self.subject, context).casefold() == self.name.casefold()


def parse_condition(text: str) -> Condition:
    """Return the condition that a text writes.

    >>> parse_condition("not signal  temporal.slots>=1")
    Condition(subject='signal', name='temporal.slots', comparison='>=', value=1.0, negated=True)
    >>> str(parse_condition("domain is Embodied AI"))
    'domain is Embodied AI'

    Raises:
        PolicyError: It is none, or names a cue that does not exist.
    """
    words = text.split()
    negated = words[:1] == ["not"]
    subject, *rest = words[negated:] or [""]
    match subject, rest:
        case ("asks", [name]):
            return Condition(subject="asks", name=_cue(name), negated=negated)
        case ("has", [name]) if _NAME.fullmatch(name):
            return Condition(subject="has", name=name, negated=negated)
        case ("domain" | "kind" | "task" as field, ["is", _, *_]):
            return Condition(subject=field, name=" ".join(rest[1:]), negated=negated)
        case _:
            return _compared(text, " ".join(words[negated:]), negated=negated)


def _compared(text: str, rest: str, *, negated: bool) -> Condition:
    """Read "steps > 100" or "signal episodic.known >= 0.5"."""
    match = _COMPARED.fullmatch(rest)
    number = match["number"].strip().lower() if match else ""
    head = match["head"].split() if match else []
    if match is None or not _NUMBER.fullmatch(number) or not math.isfinite(float(number)):
        raise PolicyError(f"`{text}` is no condition.", hint=_HINT)
    comparison = next(op for op in get_args(Comparison) if op == match["op"])
    value = float(number) + 0.0  # of -0, 0
    match head:
        case ["steps" | "tokens" | "budget" as field]:
            return Condition(subject=field, comparison=comparison, value=value, negated=negated)
        case ["signal", name] if _NAME.fullmatch(name):
            return Condition(
                subject="signal", name=name, comparison=comparison, value=value, negated=negated
            )
        case _:
            raise PolicyError(f"`{text}` is no condition.", hint=_HINT)


def _cue(name: str) -> str:
    if name in CUES:
        return name
    near = difflib.get_close_matches(name, CUES, n=1)
    meant = f"Did you mean `asks {near[0]}`? " if near else ""
    raise PolicyError(
        f"`asks {name}`: there is no such cue.", hint=f"{meant}There are: {', '.join(CUES)}."
    )


def _number(condition: Condition, context: Context) -> float:
    match condition.subject:
        case "steps":
            return context.n_steps
        case "tokens":
            return context.n_tokens
        case "budget":
            return context.budget
        case _:
            return context.signals.get(condition.name, math.nan)


def _text(subject: Subject, context: Context) -> str:
    match subject:
        case "domain":
            said = context.domain
        case "kind":
            said = context.kind
        case _:
            said = context.task
    return " ".join(said.split()) or _UNKNOWN


def _written(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < _WHOLE else repr(value)
