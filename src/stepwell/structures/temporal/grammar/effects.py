"""What holds after a phrase was done: its verb and its prepositions say what has changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from stepwell.structures.temporal.grammar.names import is_name
from stepwell.structures.temporal.grammar.states import AGENT, HERE, INVENTORY, State, located
from stepwell.structures.temporal.grammar.verbs import is_idle, is_known, participle_of
from stepwell.structures.temporal.grammar.words.prepositions import FROM, INTO, RESULTS, WHERE
from stepwell.structures.temporal.grammar.words.verbs import (
    CHANGES,
    DROPS,
    GOES,
    PUTS,
    SWITCHES,
    TAKES,
    TURNS,
)

if TYPE_CHECKING:
    from stepwell.structures.temporal.grammar.phrases import Phrase

__all__ = ["effect_of", "is_move"]


def is_move(phrase: Phrase) -> bool:
    """Return whether only the agent itself moves."""
    if phrase.verb in GOES:
        return True
    if phrase.verb == "move":
        return phrase.particle == "to" or not phrase.places
    return not is_known(phrase.verb) and _heads_somewhere(phrase)


def _heads_somewhere(phrase: Phrase) -> bool:
    """Return whether something is done to no thing but towards a place, whatever the verb."""
    if phrase.thing and phrase.particle != "to":
        return False
    return phrase.particle in {"to", "over"} or any(p in {"to", "into"} for p, _ in phrase.places)


def effect_of(phrase: Phrase, *, quote: str = "", act: int = -1) -> State | None:
    """Return what holds after what a phrase says was done; None when nothing has changed.

    Args:
        phrase: The phrase.
        quote: The words that say so.
        act: The action's place among the step's.

    >>> from stepwell.structures.temporal.grammar.phrases import phrase_of
    >>> found = effect_of(phrase_of("put the mug 1 in/on shelf 2"))
    >>> found.slot, found.value
    ('mug 1', 'shelf 2')
    """
    found = _gone(phrase) if is_move(phrase) else _done(phrase)
    return None if found is None else replace(found, quote=quote, act=act)


def _gone(phrase: Phrase) -> State | None:
    place = phrase.after(WHERE) or (phrase.thing if is_name(phrase.thing) else "")
    return located(AGENT, place) if place else None


def _done(phrase: Phrase) -> State | None:
    if not is_name(phrase.thing) or is_idle(phrase.verb):
        return None
    moved = _moved(phrase)
    return moved if moved is not None else _changed(phrase)


def _moved(phrase: Phrase) -> State | None:
    source = phrase.after(FROM)
    if phrase.verb in TAKES:
        return located(phrase.thing, INVENTORY, before=source or phrase.after(WHERE - INTO))
    target = _target(phrase)
    if target is None:
        return None
    # What only says whence a thing was moved leaves it with who moved it.
    where = target or (INVENTORY if source else "")
    return located(phrase.thing, where, before=source) if where else None


def _target(phrase: Phrase) -> str | None:
    """Return where a verb puts a thing, empty if it does not say; None for verbs that do not."""
    if phrase.verb in PUTS:
        is_dropped = phrase.particle == "down" or phrase.verb in DROPS
        return phrase.after(WHERE) or (HERE if is_dropped else "")
    return None if is_known(phrase.verb) else phrase.after(INTO)


def _changed(phrase: Phrase) -> State | None:
    verb, particle = phrase.verb, phrase.particle
    if particle in RESULTS:
        return _in_state(phrase.thing, RESULTS[particle])
    if verb in TURNS:
        return _in_state(phrase.thing, particle) if particle in {"on", "off"} else None
    if verb in SWITCHES:
        return _in_state(phrase.thing, SWITCHES[verb])
    if verb in CHANGES:
        return State(slot=phrase.thing, aspect="condition", value=participle_of(verb))
    return None


def _in_state(thing: str, value: str) -> State:
    return State(slot=thing, aspect="state", value=value)
