"""Evidence: what a recall returns, each piece with its source, its scores and its reason."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from stepwell.policy.base import Context

__all__ = ["Cut", "Evidence", "Format", "Item", "Noted", "Reading", "address", "mark"]

_LISTED = 4
"""Steps or runs of steps named before the rest are only counted."""

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
        superseded: Whether a newer step says otherwise, of a question about what holds now.
        alike: The steps of the run that say the same but for numbers, this one among them, where
            there are so many that one is quoted with their count.
        begins_cut: Whether something of the atom stands before the excerpt.
        ends_cut: Whether something of the atom stands behind it.
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
    superseded: bool = False
    alike: tuple[int, ...] = ()
    begins_cut: bool = False
    ends_cut: bool = False

    @property
    def marked(self) -> str:
        """The excerpt as the payload shows it: with `…` where the atom goes on."""
        return mark(self.text, begins_cut=self.begins_cut, ends_cut=self.ends_cut)


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """One line that a structure says itself, computed or summed up from steps.

    Attributes:
        structure: The structure that says it.
        trajectory: Trajectory id.
        steps: Indices of the steps it is derived from, ascending.
        text: The line; log data in it is quoted.
        quote: A part of it that stands verbatim in the first of its steps; may be empty.
        is_answer: Whether it answers the question, computed exactly from what the log says.
    """

    structure: str
    trajectory: str
    steps: tuple[int, ...]
    text: str
    quote: str = ""
    is_answer: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A step that was considered and left out.

    Attributes:
        id: Citation of the step.
        score: Fused score of the step.
        why: Why it was considered.
        reason: Why it was left out.
        structure: The structure that ranked it highest, or `steps`.
    """

    id: str
    score: float
    why: str
    reason: str
    structure: str = "steps"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How one structure was read.

    Attributes:
        structure: Its name.
        n_hits: Passages it returned; of units, steps they moved.
        coverage: Share of the passages in scope it has indexed, from 0 to 1.
        note: How what it says was taken, for a person.
        n_notes: Lines it says itself, of which the budget may hold only some.
        orders: Whether it only ordered what others found.
    """

    structure: str
    n_hits: int
    coverage: float
    note: str = ""
    n_notes: int = 0
    orders: bool = False


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
        notes: What structures say themselves, in the order of `text`.
        tail: Lines that name steps that were considered and are not quoted, for `expand`.
        readings: Which structures were read, and how.
        policy: Name of the policy that chose them.
        read: The structures it chose.
        context: What it saw besides the question; of the signals, those it looked at.
        why: What decided its choice.
        chance: How probable that choice was.
        id: What `Memory.feedback` takes; empty where recalls are not logged.
        notices: What the caller should know: vectors off or incomplete, nothing found.
        support: How probably what is in scope supports the question, from 0 to 1; 1 where nothing
            could be missing.
        absence: The line that says that nothing in memory supports the question, or little, as it
            stands in `text`; empty where something may.
    """

    query: str
    text: str
    tokens: int
    budget: int
    tokenizer: str
    format: Format
    items: tuple[Item, ...]
    cut: tuple[Cut, ...] = ()
    notes: tuple[Noted, ...] = ()
    tail: tuple[Noted, ...] = ()
    readings: tuple[Reading, ...] = ()
    policy: str = ""
    read: tuple[str, ...] = ()
    context: Context | None = None
    why: str = ""
    chance: float = 1.0
    id: str = ""
    notices: tuple[str, ...] = field(default=())
    support: float = 1.0
    absence: str = ""

    def explain(self) -> str:
        """Return a plain-text account: what was read, what is quoted and why, what was cut."""
        lines = [f"question: {self.query}"]
        lines += [f"tokens: {self.tokens} of {self.budget} ({self.tokenizer}, whole payload)"]
        chosen = f"policy {self.policy} chose {', '.join(self.read)}"
        lines += [f"{chosen}: {self.why}" if self.why else chosen] if self.policy else []
        lines += [_account(reading) for reading in self.readings]
        lines += [f"note: {notice}" for notice in self.notices]
        lines += [self.absence] if self.absence else []
        lines += [f"support: {self.support:.2f} of 1"] if self.support < 1 else []
        for note in self.notes:
            kind = "computed" if note.is_answer else "said"
            lines.append(f"{kind} by {note.structure} from {address(note.steps)}: {note.text}")
        for item in self.items:
            parts = ", ".join(f"{name} {value:.2f}" for name, value in item.scores.items())
            lines.append(f"quoted {item.id}: {item.score:.2f} ({parts}); {item.why}")
        lines += [
            f"named {note.trajectory}/{address(note.steps, listed=len(note.steps))}: {note.text}"
            for note in self.tail
        ]
        lines += [f"cut {cut.id}: {cut.score:.2f}; {cut.why}; {cut.reason}" for cut in self.cut]
        return "\n".join(lines)


def mark(text: str, *, begins_cut: bool, ends_cut: bool) -> str:
    """Return an excerpt with `…` at each end that is a cut."""
    return f"{'…' * begins_cut}{text}{'…' * ends_cut}"


def address(steps: Sequence[int], *, listed: int = _LISTED) -> str:
    """Return citations of steps in one word, runs of them joined, a long list cut.

    Args:
        steps: Their indices, ascending.
        listed: Steps or runs of steps that are named before the rest are only counted.

    >>> address((3,)), address((3, 4, 5, 9)), address(tuple(range(0, 40, 2)))
    ('s3', 's3-s5,s9', 's0,s2,s4,s6,+16')
    """
    runs: list[list[int]] = []
    for step in steps:
        if runs and step == runs[-1][-1] + 1:
            runs[-1].append(step)
        else:
            runs.append([step])
    words = [f"s{run[0]}" if len(run) == 1 else f"s{run[0]}-s{run[-1]}" for run in runs]
    more = [f"+{len(words) - listed}"] if len(words) > listed else []
    return ",".join([*words[:listed], *more])


def _account(reading: Reading) -> str:
    if reading.orders:
        return f"read {reading.structure}: {reading.n_hits} steps; {reading.note}"
    if reading.n_notes:
        says = f"; {reading.note}" if reading.note else ""
        return f"read {reading.structure}: {reading.n_hits} steps, {reading.n_notes} lines{says}"
    return (
        f"read {reading.structure}: {reading.n_hits} passages, "
        f"{reading.coverage:.0%} of the scope indexed"
    )
