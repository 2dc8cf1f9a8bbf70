"""What a policy is: from a question and its context to the structures to read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from stepwell.structures.registry import NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["STRUCTURES", "Context", "Policy", "Selection"]

STRUCTURES: Final = NAMES
"""Stepwell's own structures, in the order of their sections in a payload."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a policy sees besides the question; never the answer, a score or what follows from it.

    Attributes:
        available: Structures that can be read here, in the order of `STRUCTURES`, user-made ones
            behind; `vector` is missing when no encoder runs.
        budget: Tokens of the whole payload.
        n_steps: Steps in scope.
        n_tokens: About how many tokens they hold.
        domain: What the runs in scope are about, as far as their logs say; may be empty.
        kind: The question's type, where whoever asks knows it; may be empty.
        task: The task of the run, where its log states it; may be empty.
        signals: What structures can tell of the question without being read, by name: numbers
            such as `temporal.slots` (slots of the state log that the question names) or
            `episodic.known` (share of its words that the scope holds).
    """

    available: tuple[str, ...] = STRUCTURES
    budget: int = 800
    n_steps: int = 0
    n_tokens: int = 0
    domain: str = ""
    kind: str = ""
    task: str = ""
    signals: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What to read.

    Attributes:
        structures: Names, without repetition, never empty; the order says nothing.
        tokens: Tokens of evidence that a structure may give, where that differs from its own most.
        why: One phrase for a person: the rule that decided.
        chance: How probable this choice was, above 0: below 1 only where a policy tries things out.
        unknown: Names the policy gave that are no structures, here or elsewhere.
    """

    structures: tuple[str, ...]
    tokens: Mapping[str, int] = field(default_factory=dict[str, int])
    why: str = ""
    chance: float = 1.0
    unknown: tuple[str, ...] = ()


class Policy(Protocol):
    """Chooses what to read. Pure: the same question and context give the same selection."""

    @property
    def name(self) -> str:
        """Its name, such as `default`; unique among the policies of a memory."""
        ...

    def select(self, question: str, context: Context) -> Selection:
        """Return the structures to read, all of them available; at least one.

        Raises:
            PolicyError: The policy failed, or gave no usable selection.
        """
        ...
