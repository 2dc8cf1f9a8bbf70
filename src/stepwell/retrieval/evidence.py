"""Evidence: what a recall returns, each piece with its source, its scores and its reason."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from datetime import datetime

__all__ = ["Cut", "Evidence", "Format", "Item", "Reading"]

Format: TypeAlias = Literal["text", "json"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One quoted excerpt.

    Attributes:
        id: Its full citation, such as `run7/s42.o1:L3-L9`; `Memory.get` and `expand` take it.
        trajectory: Trajectory id.
        step: 0-based step index.
        part: The atom: `m`, `t`, `c<n>` or `o<n>`.
        text: The excerpt, verbatim and contiguous.
        kind: The step's kind: who said it.
        label: Tool or actor.
        structure: The structure that ranked the step highest, or `steps` when the question
            names the step.
        score: Fused score of the step, comparable within one recall only.
        scores: Its parts, by name.
        why: One phrase for a person.
        active: False when the step lies on an abandoned branch.
        time: When the step started, UTC, if known.
    """

    id: str
    trajectory: str
    step: int
    part: str
    text: str
    kind: str
    label: str
    structure: str
    score: float
    scores: dict[str, float]
    why: str
    active: bool = True
    time: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A step that was considered and left out.

    Attributes:
        id: Citation of the step.
        score: Fused score of the step.
        why: Why it was considered.
        reason: Why it was left out.
    """

    id: str
    score: float
    why: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How one structure was read.

    Attributes:
        structure: Its name.
        n_hits: Passages it returned; of units, steps they moved.
        coverage: Share of the passages in scope it has indexed, from 0 to 1.
        note: How what it says was taken, for a person.
    """

    structure: str
    n_hits: int
    coverage: float
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The answer to a recall.

    Attributes:
        query: The question as asked.
        text: The payload, ready for a prompt: quoted data with citations; or JSON.
        tokens: Tokens of `text` under `tokenizer`; never above `budget`.
        budget: What was asked for.
        tokenizer: Name of the counter.
        format: `text` or `json`.
        items: What is quoted, in the order of `text`.
        cut: What was considered and left out, best first.
        readings: Which structures were read, and how.
        notices: What the caller should know: vectors off or incomplete, nothing found.
    """

    query: str
    text: str
    tokens: int
    budget: int
    tokenizer: str
    format: Format
    items: tuple[Item, ...]
    cut: tuple[Cut, ...] = ()
    readings: tuple[Reading, ...] = ()
    notices: tuple[str, ...] = field(default=())

    def explain(self) -> str:
        """Return a plain-text account: what was read, what is quoted and why, what was cut."""
        lines = [f"question: {self.query}"]
        lines += [f"tokens: {self.tokens} of {self.budget} ({self.tokenizer}, whole payload)"]
        lines += [_told(reading) for reading in self.readings]
        lines += [f"note: {notice}" for notice in self.notices]
        for item in self.items:
            parts = ", ".join(f"{name} {value:.2f}" for name, value in item.scores.items())
            lines.append(f"quoted {item.id}: {item.score:.2f} ({parts}); {item.why}")
        lines += [f"cut {cut.id}: {cut.score:.2f}; {cut.why}; {cut.reason}" for cut in self.cut]
        return "\n".join(lines)


def _told(reading: Reading) -> str:
    if reading.note:
        return f"read {reading.structure}: {reading.n_hits} steps; {reading.note}"
    return (
        f"read {reading.structure}: {reading.n_hits} passages, "
        f"{reading.coverage:.0%} of the scope indexed"
    )
