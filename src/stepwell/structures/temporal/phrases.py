"""Phrases that say what somebody does: "take X from Y", "You put the X on the Y".

One grammar reads actions of text games, tool calls written as phrases, and sentences about what
was done. The verb and the prepositions say what has changed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from stepwell.structures.temporal.facts import HERE, INVENTORY, LOCATION, State
from stepwell.structures.temporal.names import is_name, plain_name
from stepwell.structures.temporal.verbs import (
    CHANGES,
    GOES,
    NEUTRAL,
    PUTS,
    SWITCH,
    TAKES,
    base_of,
    is_known,
    participle_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Phrase", "effects", "is_move", "phrase_of"]

_PREPOSITION = re.compile(
    r"\s+(in/on|out of|next to|on top of|from|into|onto|inside|upon|in|on|to|at|with|using|under|"
    r"behind|off|beneath|within|by|@)\s+",
    re.IGNORECASE,
)
_WHERE: Final = frozenset(
    {
        *("in/on", "into", "onto", "inside", "upon", "in", "on", "to", "at", "under", "behind"),
        *("next to", "on top of", "beneath", "within", "@"),
    }
)
_FROM: Final = frozenset({"from", "out of", "off"})
_INTO: Final = frozenset({"into", "onto", "inside", "to", "upon", "in/on"})

_RESULTS: Final = {"open": "open", "shut": "closed", "closed": "closed"}
"""What is open or shut after "pry it open", "slam it shut", whatever the verb."""

_PARTICLE: Final = frozenset(
    {"up", "down", "to", "at", "on", "off", "over", "back", "along", "away", "out", *_RESULTS}
)
_LONGEST = 200
_MOST_PLACES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """A verb with what it acts upon.

    Attributes:
        verb: The verb in its base form.
        particle: `up` of "pick up", `to` of "go to"; may be empty.
        thing: What it acts upon; may be empty.
        places: Prepositions and what stands after them, in order.
    """

    verb: str
    particle: str = ""
    thing: str = ""
    places: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Return all that is named, what it acts upon first."""
        found = (self.thing, *(name for _, name in self.places))
        return tuple(dict.fromkeys(name for name in found if is_name(name)))

    def after(self, prepositions: frozenset[str]) -> str:
        """Return what stands after the last of some prepositions; empty when there is none."""
        return next((n for p, n in reversed(self.places) if p in prepositions and is_name(n)), "")


def phrase_of(text: str) -> Phrase | None:
    """Return what a phrase in the imperative, or a sentence without its subject, says.

    >>> phrase_of("pick up the mug 1 from shelf 2").names
    ('mug 1', 'shelf 2')
    """
    words = text.strip().rstrip(".!").split(None, 1) if len(text) <= _LONGEST else []
    if not words or "\n" in text.strip():
        return None
    if not words[0][0].isalpha():
        return None
    rest = words[1] if len(words) > 1 else ""
    verb = base_of(words[0].rstrip(",:")) if rest else words[0].casefold()
    head, _, tail = rest.partition(" ")
    particle = head.casefold() if head.casefold() in _PARTICLE else ""
    rest = tail if particle else rest
    parts = _PREPOSITION.split(f" {rest}")
    thing = plain_name(parts[0])
    places = tuple(
        (parts[n].casefold(), plain_name(parts[n + 1]))
        for n in range(1, min(len(parts) - 1, 2 * _MOST_PLACES), 2)
    )
    if not particle and (late := _late_particle(thing)):
        thing, particle = late
    return Phrase(verb=verb, particle=particle, thing=thing, places=places)


def _late_particle(thing: str) -> tuple[str, str] | None:
    """Return thing and particle of "(turn) the lamp on"."""
    head, _, last = thing.rpartition(" ")
    return (head, last) if last in {"on", "off", "up", "down", *_RESULTS} and head else None


def is_move(phrase: Phrase) -> bool:
    """Return whether only the agent itself moves."""
    if phrase.verb in GOES:
        return True
    if phrase.verb == "move":
        return phrase.particle == "to" or not phrase.places
    # Whatever the verb: who does something to no thing but towards a place goes there.
    heads = phrase.particle in {"to", "over"} or any(p in {"to", "into"} for p, _ in phrase.places)
    return heads and not is_known(phrase.verb) and (not phrase.thing or phrase.particle == "to")


def effects(phrase: Phrase, *, quote: str = "", act: int = -1) -> Iterator[State]:
    """Yield what holds after what a phrase says was done.

    Args:
        phrase: The phrase.
        quote: The words that say so.
        act: The action's place among the step's.

    >>> [(s.slot, s.value) for s in effects(phrase_of("put the mug 1 in/on shelf 2"))]
    [('mug 1', 'shelf 2')]
    """
    found = _effect(phrase)
    if found is not None:
        slot, aspect, value, before = found
        yield State(slot=slot, aspect=aspect, value=value, before=before, quote=quote, act=act)


_Effect = tuple[str, str, str, str]


def _effect(phrase: Phrase) -> _Effect | None:
    if is_move(phrase):
        return _gone(phrase)
    if not is_name(phrase.thing) or phrase.verb in NEUTRAL:
        return None
    if (moved := _moved(phrase)) is not None:
        return moved
    return _changed(phrase)


def _gone(phrase: Phrase) -> _Effect | None:
    place = phrase.after(_WHERE) or (phrase.thing if is_name(phrase.thing) else "")
    return ("agent", LOCATION, place, "") if place else None


def _moved(phrase: Phrase) -> _Effect | None:
    verb, source = phrase.verb, phrase.after(_FROM)
    if verb in TAKES:
        return phrase.thing, LOCATION, INVENTORY, source or phrase.after(_WHERE - _INTO)
    if verb in PUTS:
        where = phrase.after(_WHERE)
        if where or phrase.particle == "down" or verb in {"drop", "discard", "release", "leave"}:
            return phrase.thing, LOCATION, where or HERE, source
        return (phrase.thing, LOCATION, INVENTORY, source) if source else None
    return _moved_somehow(phrase, source) if not is_known(verb) else None


def _moved_somehow(phrase: Phrase, source: str) -> _Effect | None:
    """Read a verb that is not known by its prepositions: what goes into something is there then."""
    target = phrase.after(_INTO)
    if target:
        return phrase.thing, LOCATION, target, source
    return (phrase.thing, LOCATION, INVENTORY, source) if source else None


def _changed(phrase: Phrase) -> _Effect | None:
    verb = phrase.verb
    if phrase.particle in _RESULTS:
        return phrase.thing, "state", _RESULTS[phrase.particle], ""
    if verb in {"turn", "switch"}:
        return (
            (phrase.thing, "state", phrase.particle, "")
            if phrase.particle in {"on", "off"}
            else None
        )
    if verb in SWITCH:
        return phrase.thing, "state", SWITCH[verb], ""
    if verb in CHANGES:
        return phrase.thing, "condition", participle_of(verb), ""
    return None
