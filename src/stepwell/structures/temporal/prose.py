"""What sentences of an observation say: who is where, what lies where, what is open or sliced."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from stepwell.structures.temporal.facts import HERE, INVENTORY, LOCATION, Listing, State
from stepwell.structures.temporal.names import is_name, listed, plain_name
from stepwell.structures.temporal.phrases import effects, phrase_of
from stepwell.structures.temporal.sentences import fails, sentences_of
from stepwell.structures.temporal.verbs import base_of, is_idle, is_known, is_past, participle_of

__all__ = ["Said", "what_is_said"]

_IN: Final = (
    r"(?:in/on|on top of|on|in|inside|under|underneath|behind|within|upon|at|next to|near|atop|"
    r"beneath)"
)
_LIST = re.compile(
    rf"(?:looking\s+)?{_IN}\s+(?P<holder>[^,:]{{1,60}}?)\s*,?\s+(?:you\s+(?:can\s+)?(?:see|find|notice|"
    r"spot)|there\s+(?:is|are|lies?)|(?:is|are|lies?|lay|sits?|rests?|stands?))\s*:?\s*(?P<items>.+)",
    re.IGNORECASE,
)
_CONTAINS = re.compile(
    r"(?P<holder>[^,:]{1,60}?)\s+(?:now\s+)?(?:contains|holds)(?:\s+the\s+following)?\s*:?\s*"
    r"(?P<items>.+)",
    re.IGNORECASE,
)
_EMPTY = re.compile(r"(?P<holder>[^,:]{1,60}?)\s+(?:is|are)\s+(?:now\s+)?empty", re.IGNORECASE)
_CARRY = re.compile(
    r"(?:you\s+(?:are|'re)\s+(?:now\s+|currently\s+)?(?:carrying|holding)|you\s+(?:hold|carry)|"
    r"you\s+have(?=\s*:|\s+(?:an?|the|nothing|some|\d)\b)|(?:your\s+)?inventory(?=\s*:)|carrying(?=\s*:)|"
    r"holding(?=\s*:)|in\s+(?:hand|your\s+(?:hands?|bag|inventory|pack))(?=\s*:)|"
    r"your\s+(?:hands?|inventory|bag|pack)\s+(?:holds?|contains?|is|are))\s*:?\s*(?P<items>.+)",
    re.IGNORECASE,
)
_EMPTY_HANDED = re.compile(
    r"you\s+(?:are|'re)\s+(?:not\s+(?:carrying|holding)\s+anything|empty[- ]handed|"
    r"(?:carrying|holding)\s+nothing)|your\s+(?:hands|inventory|bag|pack)\s+(?:is|are)\s+empty",
    re.IGNORECASE,
)
_ARRIVED = re.compile(
    rf"you\s+(?:(?:are|'re)\s+(?:now\s+)?(?:facing|{_IN}|standing\s+{_IN})|(?:have\s+)?arrived?\s+{_IN}|"
    rf"now\s+stand\s+{_IN}|stand\s+{_IN})\s+(?P<place>[^,:]{{1,60}})",
    re.IGNORECASE,
)
_LOCATED = re.compile(
    rf"(?P<thing>[^,:]{{1,60}}?)\s+(?:now\s+)?(?:is|are|was|were|lies?|sits?|rests?|stands?|hangs?)\s+"
    rf"(?:now\s+|currently\s+|still\s+|again\s+)?(?P<done>\w{{3,20}}\s+)?{_IN}\s+(?P<place>[^,:]{{1,60}})",
    re.IGNORECASE,
)
_BECAME = re.compile(
    r"(?P<thing>[^,:]{1,60}?)\s+(?:is|are|becomes?|became|turns?|(?:has|have)\s+(?:become|been)|was|"
    r"were|gets?|got)\s+(?:now\s+|already\s+)?(?P<value>[\w-]{2,20}(?:\s+[\w-]{1,20})?)",
    re.IGNORECASE,
)
_AWAY = re.compile(
    r"[-*•]?\s*(?P<thing>[^,:]{1,40}?)\s+(?P<value>(?:\d+\s+(?:steps?|tiles?|cells?|squares?|blocks?)|"
    r"(?:very\s+)?(?:near|far)|adjacent)\b[^:]{0,60})",
    re.IGNORECASE,
)
_SEEN_HERE = re.compile(
    r"(?:you\s+(?:can\s+)?(?:see|find|notice|spot)|there\s+(?:is|are))\s*:?\s*(?P<items>[^.]+?)"
    r"(?:\s+here)?|(?:lying|standing)\s+(?:t?here)\s*:\s*(?P<more>.+)",
    re.IGNORECASE,
)
_PASSIVE = re.compile(
    r"(?P<thing>[^,:]{1,60}?)\s+(?:(?:has|have)\s+been|was|were|is|are|gets?|got)\s+(?:now\s+|just\s+|"
    r"successfully\s+)?(?P<verb>\w{2,20})(?:\s+(?P<rest>\S.{0,80}))?",
    re.IGNORECASE,
)
_TURNED = re.compile(
    r"(?P<thing>[^,:]{1,60}?)\s+(?!is\b|was\b|has\b)\w{2,15}s\s+(?P<value>open|shut|closed)",
    re.IGNORECASE,
)
_GOING_ON = re.compile(r"\w+ing\b", re.IGNORECASE)
_LEVEL = re.compile(r"\[[A-Za-z]{2,10}\]\s+")
_ENDS = ".! \u3002\uff01"
_OPENING = "\"'`«“„("
_NO_PROSE = frozenset("{}=;<>[]|\t")
"""Characters of programs, tables and trees; a sentence about a world has none."""

_IT = frozenset({"it", "them", "this", "that"})


@dataclass(slots=True)
class Said:
    """What an observation says, in the order it is said."""

    states: list[State] = field(default_factory=list[State])
    listings: list[Listing] = field(default_factory=list[Listing])
    last: str = ""


def what_is_said(text: str) -> Said:
    """Return the states and listings that the sentences of an observation say.

    >>> said = what_is_said("You arrive at desk 1. On the desk 1, you see a mug 2, and a pen 1.")
    >>> said.states[0].value, said.listings[0].items
    ('desk 1', ('mug 2', 'pen 1'))
    """
    said = Said()
    for sentence in sentences_of(text):
        bare = _LEVEL.sub("", sentence.strip()).strip("-*•> ").rstrip(_ENDS)
        if bare and (bare[0].isalpha() or bare[0] in _OPENING) and _NO_PROSE.isdisjoint(bare):
            _read(bare, said)
    _join_away(said)
    return said


def _read(sentence: str, said: Said) -> None:
    # From what is most particular to what is least.
    for reader in (
        _carried,
        _seen,
        _here,
        _turned,
        _undergone,
        _arrived,
        _done,
        _away,
        _located,
        _became,
    ):
        if reader(sentence, said):
            return


def _carried(sentence: str, said: Said) -> bool:
    if _EMPTY_HANDED.match(sentence):
        said.listings.append(Listing(holder=INVENTORY, items=(), quote=sentence))
        return True
    match = _CARRY.match(sentence)
    items = None if match is None else listed(match["items"])
    if items is not None:
        said.listings.append(Listing(holder=INVENTORY, items=items, quote=sentence))
    return items is not None


def _seen(sentence: str, said: Said) -> bool:
    match = _LIST.fullmatch(sentence) or _CONTAINS.fullmatch(sentence)
    if match is not None:
        items = listed(match["items"])
    elif (match := _EMPTY.fullmatch(sentence)) is not None:
        items = ()
    else:
        return False
    holder = plain_name(match["holder"])
    beside = sentence.casefold().startswith(("next to", "near", "behind", "looking around"))
    if holder.casefold() in _IT:
        holder = said.last
    if items is None or beside or not is_name(holder):
        return beside
    said.last = holder
    said.listings.append(Listing(holder=holder, items=items, quote=sentence))
    return True


def _here(sentence: str, said: Said) -> bool:
    """Read "You can see a mug 1 here"."""
    match = _SEEN_HERE.fullmatch(sentence)
    items = None if match is None else listed(match["items"] or match["more"])
    if items is None:
        return False
    said.listings.append(Listing(holder=HERE, items=items, quote=sentence))
    return True


def _turned(sentence: str, said: Said) -> bool:
    """Read "The lid swings open", whatever the verb."""
    match = _TURNED.fullmatch(sentence)
    thing = "" if match is None else plain_name(match["thing"])
    if match is None or not is_name(thing):
        return False
    said.states.append(_condition(thing, match["value"], sentence))
    return True


def _undergone(sentence: str, said: Said) -> bool:
    """Read "The mug 1 has been put on the shelf 2" as the deed that it is."""
    match = _PASSIVE.fullmatch(sentence)
    verb = "" if match is None else base_of(match["verb"])
    if match is None or not is_known(verb) or is_idle(verb) or not is_past(match["verb"]):
        return False
    thing = said.last if match["thing"].casefold() in _IT else match["thing"]
    phrase = phrase_of(f"{verb} {thing} {match['rest'] or ''}".rstrip())
    found = [] if phrase is None else list(effects(phrase, quote=sentence))
    said.states += found
    return bool(found)


def _arrived(sentence: str, said: Said) -> bool:
    match = _ARRIVED.match(sentence)
    place = "" if match is None else plain_name(match["place"])
    if not is_name(place):
        return False
    said.last = place
    said.states.append(State(slot="agent", aspect=LOCATION, value=place, quote=sentence))
    return True


def _done(sentence: str, said: Said) -> bool:
    """Read "You (have) put the mug 1 on the shelf 2"."""
    head, _, rest = sentence.partition(" ")
    if head.casefold() not in {"you", "i", "we", "he", "she", "they", "agent", "robot"}:
        return False
    first, _, tail = rest.partition(" ")
    if first.casefold() in {"have", "just", "now", "successfully", "carefully", "also"}:
        rest = tail
    phrase = phrase_of(rest)
    if phrase is None or not is_known(phrase.verb):
        return True
    found = [] if fails(sentence) else list(effects(phrase, quote=sentence))
    said.states += found
    if phrase.names:
        said.last = phrase.thing or phrase.names[0]
    return True


def _away(sentence: str, said: Said) -> bool:
    match = _AWAY.fullmatch(sentence)
    if match is None or not is_name(thing := plain_name(match["thing"])):
        return False
    said.states.append(State(slot=thing, aspect=_AWAY_ASPECT, value=match["value"], quote=sentence))
    return True


_AWAY_ASPECT: Final = "place relative to the agent"


def _join_away(said: Said) -> None:
    """Join the places of things of one name: there is no telling which is which."""
    joined: dict[tuple[str, str], State] = {}
    for state in said.states:
        key = (state.slot.casefold(), state.aspect)
        known = joined.get(key)
        if known is None or state.aspect != _AWAY_ASPECT:
            joined[key if state.aspect == _AWAY_ASPECT else (str(len(joined)), "")] = state
        else:
            joined[key] = State(
                slot=state.slot, aspect=state.aspect, value=f"{known.value}; {state.value}"
            )
    said.states = list(joined.values())


def _located(sentence: str, said: Said) -> bool:
    match = _LOCATED.fullmatch(sentence)
    if match is None or fails(sentence):
        return False
    thing, place = plain_name(match["thing"]), plain_name(match["place"])
    if thing.casefold() in _IT:
        thing = said.last
    if not is_name(thing) or not is_name(place):
        return False
    value = INVENTORY if _is_hand(place) else place
    said.states.append(State(slot=thing, aspect=LOCATION, value=value, quote=sentence))
    said.last = thing
    return True


def _is_hand(place: str) -> bool:
    return place.casefold() in {
        "hand",
        "hands",
        "bag",
        "inventory",
        "pack",
        "backpack",
        "possession",
    }


def _became(sentence: str, said: Said) -> bool:
    match = _BECAME.fullmatch(sentence)
    if match is None or _GOING_ON.match(match["value"]):
        return False
    thing, value = plain_name(match["thing"]), " ".join(match["value"].split())
    if thing.casefold() in _IT:
        thing = said.last
    if not is_name(thing) or value.casefold().startswith(("a ", "an ", "the ", "not ", "no ")):
        return False
    said.last = thing
    said.states.append(_condition(thing, value, sentence))
    return True


def _condition(thing: str, value: str, sentence: str) -> State:
    folded = value.casefold()
    if folded in {"open", "opened", "closed", "shut", "locked", "unlocked", "on", "off"}:
        held = {"opened": "open", "shut": "closed"}.get(folded, folded)
        return State(slot=thing, aspect="state", value=held, quote=sentence)
    verb = base_of(folded)
    held = participle_of(verb) if verb != folded and is_known(verb) else value
    return State(slot=thing, aspect="condition", value=held, quote=sentence)
