"""The entries of a log: an action at its step, a change, a thing that comes or leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stepwell.structures.temporal.log.facts import Act

__all__ = ["Change", "Done", "Passing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A slot takes a value.

    Attributes:
        step: The step after which it holds.
        slot: The slot's name.
        aspect: Its aspect.
        before: What held until then; empty when nothing was known.
        value: What holds.
        done: Place in `Log.done` of the action that did it; -1 when it was only seen.
        quote: Words of the step that say so; may be empty.
        is_event: Whether it is something that was done, and no value that was kept.
        detail: What exactly an event has changed; may be empty.
    """

    step: int
    slot: str
    aspect: str
    before: str
    value: str
    done: int = -1
    quote: str = ""
    is_event: bool = False
    detail: str = ""

    @property
    def is_seen(self) -> bool:
        """Return whether it only became known here: nothing was known, and no action did it."""
        return self.done < 0 and not self.before


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """An action at its step.

    Attributes:
        step: The step.
        act: The action.
        objects: Keys of what it acts upon.
        programs: Keys of its tool and of the programs it runs.
    """

    step: int
    act: Act
    objects: tuple[str, ...]
    programs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Passing:
    """A thing comes to a place or leaves it.

    Attributes:
        thing: The thing's key.
        comes: Whether it comes.
        change: The change of its location.
    """

    thing: str
    comes: bool
    change: Change
