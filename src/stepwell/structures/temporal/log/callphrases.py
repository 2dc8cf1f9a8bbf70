"""Calls of tools whose names are verbs, read as phrases: put_object(object, target)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from stepwell.structures.temporal.grammar.effects import effect_of
from stepwell.structures.temporal.grammar.names import is_name
from stepwell.structures.temporal.grammar.phrases import Phrase, phrase_of
from stepwell.structures.temporal.grammar.states import INVENTORY
from stepwell.structures.temporal.grammar.verbs import is_known
from stepwell.text.tools import GENERIC, SOURCES, TARGETS

if TYPE_CHECKING:
    from stepwell.trajectory.model import JsonObject

__all__ = ["MOST_ARGUMENTS", "phrase_of_call"]

MOST_ARGUMENTS = 32
"""Arguments of a call that are read."""

_BETWEEN_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])|[_\-.]+")
"""Where a word of a tool's name ends: pick_up, goTo."""

_PARTICLES = frozenset({"up", "down", "on", "off", "to"})
_LONGEST = 80
"""Characters of an argument that can be a name."""


def phrase_of_call(name: str, args: JsonObject) -> Phrase | None:
    """Return a call as a phrase; None if the tool's name is no verb.

    >>> phrase_of_call("put_object", {"object": "mug 1", "receptacle": "shelf 2"}).places
    (('to', 'shelf 2'),)
    """
    head = _head(name)
    if head is None:
        return None
    things: list[str] = []
    places: list[tuple[str, str]] = []
    for key, value in list(args.items())[:MOST_ARGUMENTS]:
        shown = str(value)[:_LONGEST] if isinstance(value, str | int) else ""
        if not is_name(shown):
            continue
        if preposition := _preposition(key.casefold()):
            places.append((preposition, shown))
        else:
            things.append(shown)
    return _assembled(head, things, places)


def _head(name: str) -> Phrase | None:
    """Return the verb of a tool's name; None when the name says more than what it takes."""
    words = _BETWEEN_WORDS.sub(" ", name).split()
    head = phrase_of(" ".join(words[:2]))
    if head is None or not is_known(head.verb):
        return None
    return head if GENERIC.issuperset(word.casefold() for word in words[1:]) else None


def _preposition(key: str) -> str:
    """Return `to` or `from` for an argument that names a place; empty for any other."""
    role = key.rstrip("_").split("_")[0]
    if role in TARGETS or key in TARGETS:
        return "to"
    return "from" if role in SOURCES else ""


def _assembled(head: Phrase, things: list[str], places: list[tuple[str, str]]) -> Phrase:
    particle = head.particle or (head.thing if head.thing in _PARTICLES else "")
    thing = things[0] if things else ""
    if len(things) > 1 and not places:
        # The second thing is where the first one goes, or where it is taken from.
        effect = effect_of(Phrase(verb=head.verb, thing=thing))
        is_taken = effect is not None and effect.value == INVENTORY
        places = [("from" if is_taken else "to", things[1])]
    return Phrase(verb=head.verb, particle=particle, thing=thing, places=tuple(places))
