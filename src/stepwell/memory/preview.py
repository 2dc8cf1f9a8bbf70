"""What a policy would see of a memory when a question is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.policy.exploring import Exploring
from stepwell.policy.registry import find

if TYPE_CHECKING:
    from stepwell.memory.memory import Memory
    from stepwell.policy.base import Context

__all__ = ["context_of"]


def context_of(memory: Memory, question: str, budget: int) -> Context | None:
    """Return all that a policy could see besides a question, its signals computed.

    Raises:
        InvalidInputError: The question or the budget cannot be used.
    """
    # A policy that explores looks at every signal, because what it tries is learned from later.
    every_signal = Exploring(policy=find("plain"), share=0.0)
    return memory.recall(question, budget, policy=every_signal).context
