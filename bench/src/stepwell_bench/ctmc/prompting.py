"""The prompt of a step, which is what tokens per step are counted of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from stepwell.chat.base import Message
from stepwell_bench.ctmc.world import state_name

if TYPE_CHECKING:
    from collections.abc import Collection

    from stepwell.text.tokens import TokenCounter
    from stepwell_bench.ctmc.world import World

__all__ = ["Frame", "messages"]

_SYSTEM: Final = (
    "You walk through a text world and choose the next action. Reply with JSON only: "
    '{"action_idx": <int>}, 0 to n_actions-1. No explanation.'
)
_CHAT_TOKENS: Final = 11
"""What the chat format puts around a system and a user message, and before the reply."""


def messages(
    world: World, state: int, *, recent: Collection[int], context: str
) -> tuple[Message, Message]:
    """Return what a model is asked in a state.

    Args:
        world: The world.
        state: Where the walker is.
        recent: The last states, oldest first.
        context: What memory says.
    """
    n_actions = len(world.segments[state])
    asked = (
        f"current_state: {state_name(state)}\n"
        f"actions: {[f'act_{action}' for action in range(n_actions)]}\n"
        f"n_neighbors: {len(world.successors[state])}\n"
        f"recent_states: {', '.join(map(state_name, recent))}\n"
        f"memory: {context}\n"
        f"Choose one action index (0..{n_actions - 1})."
    )
    return Message(role="system", content=_SYSTEM), Message(role="user", content=asked)


class Frame:
    """Counts the tokens of prompts whose parts are counted once."""

    def __init__(self, world: World, counter: TokenCounter) -> None:
        """Take the world that is described, and who counts."""
        self._world = world
        self._counter = counter

    def tokens(self, state: int, *, recent: Collection[int], context: str) -> int:
        """Return the tokens of a whole prompt, the chat's own included."""
        asked = messages(self._world, state, recent=recent, context=context)
        return _CHAT_TOKENS + sum(self._counter.count(one.content) for one in asked)
