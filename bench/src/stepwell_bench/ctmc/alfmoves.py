"""ALFWorld's steps as transitions between states, as the memories of graph worlds take them.

A state is the digest of what is seen, md5 of its first 200 characters; an action is the command,
case and blanks aside; entities are the things that a text names, such as `shelf 1`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from hashlib import md5
from typing import TYPE_CHECKING, Final

from stepwell_bench.ctmc.transitions import Described, Observed, Transition

if TYPE_CHECKING:
    from stepwell_bench.ctmc.alfepisodes import Acted

__all__ = ["Moves", "state_id"]

_SEEN_CHARS: Final = 200
_ID_CHARS: Final = 8
_ARROW: Final = re.compile(r"v_(\d+)->act_(\d+)->v_(\d+)")
_ENTITY: Final = re.compile(r"\bent_(\d+)")
_THING: Final = re.compile(r"\b[a-z]+ \d+\b")


@dataclass(slots=True)
class _Names:
    """Numbers for names, as the memories of graph worlds take them, and back."""

    numbers: dict[str, int] = field(default_factory=dict[str, int])

    def number(self, name: str) -> int:
        """Return the number of a name, a new one for a new name."""
        return self.numbers.setdefault(name, len(self.numbers))

    def names(self) -> list[str]:
        """Return names by number."""
        return list(self.numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    """The steps of episodes as transitions, with what numbers stand for."""

    states: _Names = field(default_factory=_Names)
    actions: _Names = field(default_factory=_Names)
    things: _Names = field(default_factory=_Names)

    @property
    def n_states(self) -> int:
        """How many states were seen."""
        return len(self.states.numbers)

    def observed(self, one: Acted) -> Observed:
        """Return a step as the memories take it."""
        before, after = self.state(one.observation), self.state(one.after)
        action = self.actions.number(_canonical(one.action))
        return Observed(
            transition=Transition(before, action, after),
            left=self._described(one.observation, len(one.commands)),
            reached=self._described(one.after, len(one.commands)),
        )

    def state(self, text: str) -> int:
        """Return the number of the state that a text shows."""
        return self.states.number(state_id(text))

    def spelt(self, context: str) -> str:
        """Return what a memory says with names instead of numbers."""
        states, actions, things = (one.names() for one in (self.states, self.actions, self.things))
        named = _ARROW.sub(
            lambda m: f"{states[int(m[1])]}->{actions[int(m[2])]}->{states[int(m[3])]}", context
        )
        return _ENTITY.sub(lambda m: things[int(m[1])], named)

    def _described(self, text: str, n_commands: int) -> Described:
        found = dict.fromkeys(_THING.findall(text.lower()))
        return Described(
            entities=tuple(map(self.things.number, found)),
            n_actions=n_commands,
            n_neighbours=n_commands,
        )


def state_id(text: str) -> str:
    """Return the name of the state that a text shows.

    >>> state_id("You arrive at shelf 1.")
    'be654540'
    """
    return md5(text[:_SEEN_CHARS].encode(), usedforsecurity=False).hexdigest()[:_ID_CHARS]


def _canonical(action: str) -> str:
    return " ".join(action.lower().split())
