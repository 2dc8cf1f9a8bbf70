"""Sentences that say what was done, where something is, or what it has become."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from stepwell.structures.temporal.grammar import forms
from stepwell.structures.temporal.grammar.effects import effect_of
from stepwell.structures.temporal.grammar.failures import fails
from stepwell.structures.temporal.grammar.names import is_name, plain_name
from stepwell.structures.temporal.grammar.phrases import phrase_of
from stepwell.structures.temporal.grammar.states import AGENT, INVENTORY, State, located
from stepwell.structures.temporal.grammar.verbs import (
    base_of,
    is_deed,
    is_known,
    is_past,
    participle_of,
)
from stepwell.structures.temporal.grammar.words.names import PRONOUNS
from stepwell.structures.temporal.grammar.words.sentences import (
    ADVERBS,
    CONDITIONS,
    HANDS,
    SUBJECTS,
    UNSAID,
)

if TYPE_CHECKING:
    from stepwell.structures.temporal.grammar.said import Said

__all__ = [
    "DISTANCE",
    "read_arrived",
    "read_became",
    "read_distance",
    "read_done",
    "read_located",
    "read_turned",
    "read_undergone",
]

DISTANCE: Final = "place relative to the agent"
"""The aspect that says how far away a thing is."""


def read_turned(sentence: str, said: Said) -> bool:
    """Read "The lid swings open", whatever the verb; return whether the sentence says so."""
    match = forms.TURNED.fullmatch(sentence)
    thing = "" if match is None else plain_name(match["thing"])
    if match is None or not is_name(thing):
        return False
    said.states.append(_condition(thing, match["value"], sentence))
    return True


def read_undergone(sentence: str, said: Said) -> bool:
    """Read "The mug 1 has been put on the shelf 2" as the deed that it is."""
    match = forms.UNDERGONE.fullmatch(sentence)
    verb = "" if match is None else base_of(match["verb"])
    if match is None or not is_deed(verb) or not is_past(match["verb"]):
        return False
    thing = said.antecedent if match["thing"].casefold() in PRONOUNS else match["thing"]
    return _add_effect(f"{verb} {thing} {match['rest'] or ''}".rstrip(), sentence, said)


def _add_effect(action: str, sentence: str, said: Said) -> bool:
    phrase = phrase_of(action)
    state = None if phrase is None else effect_of(phrase, quote=sentence)
    if state is not None:
        said.states.append(state)
    return state is not None


def read_arrived(sentence: str, said: Said) -> bool:
    """Read "You arrive at desk 1"."""
    match = forms.ARRIVED.match(sentence)
    place = "" if match is None else plain_name(match["place"])
    if not is_name(place):
        return False
    said.antecedent = place
    said.states.append(located(AGENT, place, quote=sentence))
    return True


def read_done(sentence: str, said: Said) -> bool:
    """Read "You (have) put the mug 1 on the shelf 2"."""
    subject, _, rest = sentence.partition(" ")
    if subject.casefold() not in SUBJECTS:
        return False
    first, _, tail = rest.partition(" ")
    action = tail if first.casefold() in ADVERBS else rest
    phrase = phrase_of(action)
    if phrase is None or not is_known(phrase.verb):
        return True
    if not fails(sentence):
        _add_effect(action, sentence, said)
    if phrase.names:
        said.antecedent = phrase.thing or phrase.names[0]
    return True


def read_distance(sentence: str, said: Said) -> bool:
    """Read "tree 3 steps to the north"."""
    match = forms.AWAY.fullmatch(sentence)
    if match is None or not is_name(thing := plain_name(match["thing"])):
        return False
    said.states.append(State(slot=thing, aspect=DISTANCE, value=match["value"], quote=sentence))
    return True


def read_located(sentence: str, said: Said) -> bool:
    """Read "The mug 1 is on shelf 2"."""
    match = forms.LOCATED.fullmatch(sentence)
    if match is None or fails(sentence):
        return False
    thing, place = said.meant(match["thing"]), plain_name(match["place"])
    if not is_name(thing) or not is_name(place):
        return False
    where = INVENTORY if place.casefold() in HANDS else place
    said.states.append(located(thing, where, quote=sentence))
    said.antecedent = thing
    return True


def read_became(sentence: str, said: Said) -> bool:
    """Read "The door 3 is now locked"."""
    match = forms.BECAME.fullmatch(sentence)
    if match is None or forms.GOING_ON.match(match["value"]):
        return False
    thing, value = said.meant(match["thing"]), " ".join(match["value"].split())
    if not is_name(thing) or value.casefold().startswith(UNSAID):
        return False
    said.antecedent = thing
    said.states.append(_condition(thing, value, sentence))
    return True


def _condition(thing: str, value: str, sentence: str) -> State:
    folded = value.casefold()
    if folded in CONDITIONS:
        return State(slot=thing, aspect="state", value=CONDITIONS[folded], quote=sentence)
    verb = base_of(folded)
    held = participle_of(verb) if verb != folded and is_known(verb) else value
    return State(slot=thing, aspect="condition", value=held, quote=sentence)
