"""Phrases that say what somebody does: "take X from Y", "(You) put the X on the Y".

One grammar reads actions of text games, tool calls written as phrases, and sentences about what
was done: a verb, perhaps a particle, a thing, and places after prepositions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from stepwell.structures.temporal.grammar.names import is_name, plain_name
from stepwell.structures.temporal.grammar.patterns import any_of
from stepwell.structures.temporal.grammar.verbs import base_of
from stepwell.structures.temporal.grammar.words.names import ADVERBS
from stepwell.structures.temporal.grammar.words.prepositions import (
    PARTICLES,
    PREPOSITIONS,
    RESULTS,
)

__all__ = ["Phrase", "phrase_of"]

_PREPOSITION = re.compile(rf"\s+({any_of(PREPOSITIONS)})\s+", re.IGNORECASE)
_TRAILING: Final = frozenset({"on", "off", "up", "down", *RESULTS})
"""Particles that may stand behind the thing: "turn the lamp on"."""

_LONGEST = 200
"""Characters of a phrase; what is longer is a text."""

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
    bare = text.strip()
    if len(text) > _LONGEST or "\n" in bare or not bare[:1].isalpha():
        return None
    first, *others = _without_adverbs(bare.rstrip(".!")).split(None, 1)
    rest = "".join(others)
    verb = base_of(first.rstrip(",:")) if rest else first.casefold()
    head, _, tail = rest.partition(" ")
    particle = head.casefold() if head.casefold() in PARTICLES else ""
    thing, places = _things(tail if particle else rest)
    if not particle:
        thing, particle = _without_particle(thing)
    return Phrase(verb=verb, particle=particle, thing=thing, places=places)


def _without_adverbs(text: str) -> str:
    """Return a phrase without the adverbs at its end; what they say is no part of a name."""
    while (parts := text.rsplit(None, 1))[-1].casefold().rstrip(",") in ADVERBS and parts[1:]:
        text = parts[0].rstrip(",")
    return text


def _things(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return what stands before the first preposition, and each preposition with its place."""
    thing, *parts = _PREPOSITION.split(f" {text}")
    pairs = [*zip(parts[::2], parts[1::2], strict=True)][:_MOST_PLACES]
    return plain_name(thing), tuple((word.casefold(), plain_name(name)) for word, name in pairs)


def _without_particle(thing: str) -> tuple[str, str]:
    """Return thing and particle of "(turn) the lamp on"; the particle may be empty."""
    head, _, last = thing.rpartition(" ")
    return (head, last) if head and last in _TRAILING else (thing, "")
