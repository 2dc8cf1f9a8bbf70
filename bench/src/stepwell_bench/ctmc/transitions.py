"""What memory policies keep and show: transitions, and what a memory says in a state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from stepwell_bench.ctmc.world import state_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

__all__ = ["Described", "Observed", "PromptMemory", "Recalled", "Transition", "arrows", "predicted"]


class Transition(NamedTuple):
    """An action that led from a state to another; sorts as its name does.

    >>> Transition(3, 0, 12).text
    'v_0003->act_0->v_0012'
    """

    before: int
    action: int
    after: int

    @property
    def text(self) -> str:
        """As prompts show it."""
        return f"{state_name(self.before)}->act_{self.action}->{state_name(self.after)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """What a state tells the walker.

    Attributes:
        entities: Its entities.
        n_actions: How many actions it offers.
        n_neighbours: How many states may follow it.
    """

    entities: tuple[int, ...]
    n_actions: int
    n_neighbours: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """A step that was taken.

    Attributes:
        transition: What happened.
        left: What the state told that it left.
        reached: What the one tells that it reached.
    """

    transition: Transition
    left: Described
    reached: Described


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What a memory says in a state.

    Attributes:
        hints: Transitions it shows, best first; the first one's state is what it predicts.
        context: What stands in the prompt.
    """

    hints: Sequence[Transition]
    context: str


class PromptMemory(Protocol):
    """Keeps transitions under a rule, and says some of them in a state."""

    @property
    def kept(self) -> AbstractSet[Transition]:
        """The transitions that it could still say."""
        ...

    def recall(self, state: int) -> Recalled:
        """Return what is said before the next action; it may count as a use."""
        ...

    def write(self, observed: Observed) -> None:
        """Take in what happened."""
        ...


def arrows(transitions: Iterable[Transition], *, between: str = ";") -> str:
    """Return transitions one after the other, as prompts show them."""
    return between.join(one.text for one in transitions)


def predicted(recalled: Recalled, state: int, action: int | None) -> int | None:
    """Return the next state that a reader of what is shown expects; None where nothing is.

    The paper's reader takes the first hint, whatever it is about. One that knows which action was
    chosen takes the first hint about the state and that action, if there is one.

    >>> said = Recalled(hints=(Transition(1, 0, 5), Transition(1, 1, 6)), context="")
    >>> predicted(said, 1, None), predicted(said, 1, 1)
    (5, 6)
    """
    if action is not None:
        for hint in recalled.hints:
            if hint.before == state and hint.action == action:
                return hint.after
    return recalled.hints[0].after if recalled.hints else None
