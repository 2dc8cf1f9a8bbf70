"""What a recall is worth for a question whose evidence is known, without a language model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from stepwell.errors import InvalidInputError
from stepwell.learn.rewards import LiteralReward, Read

if TYPE_CHECKING:
    from collections.abc import Callable

    from stepwell.recall.evidence import Evidence
    from stepwell.trajectory.model import Trajectory
    from stepwell.trajectory.questions import Question

    Measure: TypeAlias = Callable[[Question, Evidence, Callable[[], Trajectory]], "Measured"]
    """Takes the question, what was recalled, and what loads the trajectory as it is stored."""

__all__ = ["Measure", "Measured", "literal_share", "measured", "shown_by"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What one recall was worth.

    Attributes:
        tokens: Tokens of the payload.
        evidence: Share of the gold steps that it shows.
        quoted: Share that quotations alone show.
        literal: Weighted share of the answer's words that it holds; None for an answer without.
        literals: Share of the answer's rare literals that it holds; None where that is not asked.
        violations: Names of the rules that the payload breaks, once per breach.
    """

    tokens: int
    evidence: float
    quoted: float
    literal: float | None
    literals: float | None = None
    violations: tuple[str, ...] = ()


def measured(
    question: Question,
    evidence: Evidence,
    trajectory: Callable[[], Trajectory],  # noqa: ARG001  (a stricter measure needs it)
) -> Measured:
    """Return what a recall is worth, by its own account of what it shows.

    A step is shown when it is quoted, or when a structure's own line quotes it.
    """
    read = shown_by(evidence)
    quoted = frozenset(item.step for item in evidence.items)
    gold = frozenset(question.steps)
    return Measured(
        tokens=read.tokens,
        evidence=len(read.steps & gold) / len(gold),
        quoted=len(quoted & gold) / len(gold),
        literal=literal_share(question, read, cap=evidence.budget),
    )


def shown_by(evidence: Evidence) -> Read:
    """Return what a recall shows: the quoted steps, and those that its notes quote."""
    steps = {item.step for item in evidence.items}
    steps |= {note.steps[0] for note in evidence.notes if note.quote.strip()}
    lines = [*(note.text for note in evidence.notes), *(item.text for item in evidence.items)]
    return Read(text="\n".join(lines), steps=frozenset(steps), tokens=evidence.tokens)


def literal_share(question: Question, read: Read, *, cap: int) -> float | None:
    """Return the reward by the answer's words; None where the answer has none."""
    try:
        return LiteralReward(cap=cap).reward(question, read)
    except InvalidInputError:
        return None
