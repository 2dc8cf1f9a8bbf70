"""What sentences of an observation say: who is where, what lies where, what is open or sliced."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from stepwell.structures.temporal.grammar.listings import (
    read_carried,
    read_contents,
    read_seen_here,
)
from stepwell.structures.temporal.grammar.said import Said
from stepwell.structures.temporal.grammar.sentences import LEVEL, sentences_of
from stepwell.structures.temporal.grammar.statements import (
    DISTANCE,
    read_arrived,
    read_became,
    read_distance,
    read_done,
    read_located,
    read_turned,
    read_undergone,
)
from stepwell.structures.temporal.grammar.words.sentences import BARRED

if TYPE_CHECKING:
    from stepwell.structures.temporal.grammar.states import State

__all__ = ["read_prose"]

_READERS: Final = (
    read_carried,
    read_contents,
    read_seen_here,
    read_turned,
    read_undergone,
    read_arrived,
    read_done,
    read_distance,
    read_located,
    read_became,
)
"""From the most particular form of a sentence to the least; the first that fits reads it."""

_MARKS = "-*•> "
"""What may stand before a sentence in a list or a reply."""

_ENDS = ".! \u3002\uff01"
_OPENINGS: Final = frozenset("\"'`«“„(")


def read_prose(text: str) -> Said:
    """Return the states and listings that the sentences of an observation say.

    >>> said = read_prose("You arrive at desk 1. On the desk 1, you see a mug 2, and a pen 1.")
    >>> said.states[0].value, said.listings[0].items
    ('desk 1', ('mug 2', 'pen 1'))
    """
    said = Said()
    for sentence in sentences_of(text):
        bare = LEVEL.sub("", sentence.strip()).strip(_MARKS).rstrip(_ENDS)
        if _is_prose(bare):
            any(read(bare, said) for read in _READERS)
    said.states = _with_joined_distances(said.states)
    return said


def _is_prose(sentence: str) -> bool:
    begins = sentence[:1].isalpha() or sentence[:1] in _OPENINGS
    return begins and BARRED.isdisjoint(sentence)


def _with_joined_distances(states: list[State]) -> list[State]:
    """Return the states with the distances of things of one name in one, at the place of the first.

    "tree 3 steps to the north" and "tree 5 steps to the west" are two trees, and there is no
    telling which is which.
    """
    found: list[State] = []
    places: dict[str, int] = {}
    for state in states:
        place = places.get(state.slot.casefold()) if state.aspect == DISTANCE else None
        if place is not None:
            value = f"{found[place].value}; {state.value}"
            found[place] = replace(state, value=value, quote="")
            continue
        if state.aspect == DISTANCE:
            places[state.slot.casefold()] = len(found)
        found.append(state)
    return found
