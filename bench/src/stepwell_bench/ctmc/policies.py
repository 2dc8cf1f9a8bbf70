"""Who walks: policies that choose an action from where they are and what memory says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from stepwell_bench.ctmc.prompting import messages
from stepwell_bench.ctmc.world import ENTITIES, Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from stepwell.chat.base import Chat
    from stepwell_bench.ctmc.world import World

__all__ = ["POLICIES", "AlwaysFirst", "LanguageModel", "Place", "Policy", "Random", "Semantic"]

_GOAL: Final = 40
_HINTED: Final = 0.5
_RECENT: Final = 0.5
_EXPLORED: Final = 0.10
_REPLY_TOKENS: Final = 60
_OBJECT: Final = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What a policy sees.

    Attributes:
        state: Where it is.
        recent: The last five states, this one included.
        hinted: Next states of what memory says.
        context: What memory says.
    """

    state: int
    recent: Collection[int]
    hinted: Collection[int]
    context: str


class Policy(Protocol):
    """Chooses actions in one world."""

    def choose(self, place: Place) -> int:
        """Return the number of an action of the state."""
        ...


class Random:
    """Go to any successor, each as likely: a random walk, in terms of actions."""

    def __init__(self, world: World) -> None:
        """Draw from the world's stream for fallbacks."""
        self._segments = world.segments
        self._rng = Stream.FALLBACK.rng(world.seed)

    def choose(self, place: Place) -> int:
        """Return an action with the share of successors it leads to as its probability."""
        sizes = [len(part) for part in self._segments[place.state]]
        drawn = int(self._rng.integers(sum(sizes)))
        return sum(end <= drawn for end in accumulate(sizes))


class AlwaysFirst:
    """Always take the first action."""

    def __init__(self, world: World) -> None:
        """Take nothing from the world."""

    def choose(self, place: Place) -> int:  # noqa: ARG002  (chooses the same everywhere)
        """Return 0."""
        return 0


class Semantic:
    """Go where entities of a hidden goal are: what stands in for a language model offline.

    An action is worth the best state of its segment, |goal ∩ entities| + .5·[memory says it] -
    .5·[one of the last five]; the best action is taken, any other in one step of ten. Calibrated so
    that its use of memory passes the paper's screen in the families where a model's does.
    """

    def __init__(self, world: World) -> None:
        """Draw the goal, 40 of 200 entities, from the world's seed."""
        rng = Stream.GOAL.rng(world.seed)
        goal = set(rng.choice(ENTITIES, size=_GOAL, replace=False).tolist())
        self._worth = [float(len(goal.intersection(one.entities))) for one in world.payloads]
        self._segments = world.segments
        self._rng = Stream.FALLBACK.rng(world.seed)

    def choose(self, place: Place) -> int:
        """Return the best action, the first of equals, or a drawn one."""
        parts = self._segments[place.state]
        if self._rng.random() < _EXPLORED:
            return int(self._rng.integers(len(parts)))
        values = [max(self._value(after, place) for after in part) for part in parts]
        return values.index(max(values))

    def _value(self, state: int, place: Place) -> float:
        is_hinted, is_recent = state in place.hinted, state in place.recent
        return self._worth[state] + _HINTED * is_hinted - _RECENT * is_recent


class LanguageModel:
    """Ask a language model; where its reply names no action, any is taken, and counted."""

    def __init__(self, world: World, *, chat: Chat) -> None:
        """Keep the world, which prompts describe."""
        self._world = world
        self._chat = chat
        self._rng = Stream.FALLBACK.rng(world.seed)
        self.n_unusable = 0

    def choose(self, place: Place) -> int:
        """Return the action the model names.

        Raises:
            ModelUnavailableError: The model cannot be reached.
        """
        asked = messages(self._world, place.state, recent=place.recent, context=place.context)
        reply = self._chat.complete(asked, max_tokens=_REPLY_TOKENS)
        n_actions = len(self._world.segments[place.state])
        action = _named(reply.text)
        if action is None or not 0 <= action < n_actions:
            self.n_unusable += 1
            return int(self._rng.integers(n_actions))
        return action


class _Reply(msgspec.Struct):
    action_idx: int


def _named(text: str) -> int | None:
    found = _OBJECT.search(text)
    try:
        return msgspec.json.decode(found[0], type=_Reply).action_idx if found else None
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None


POLICIES: Final[dict[str, Callable[[World], Policy]]] = {
    "random": Random,
    "first": AlwaysFirst,
    "semantic": Semantic,
}
"""Those that need no model."""
