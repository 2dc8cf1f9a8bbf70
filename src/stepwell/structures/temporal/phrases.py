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

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "Phrase",
    "base_of",
    "class_of",
    "effects",
    "is_idle",
    "is_known",
    "is_move",
    "participle_of",
    "phrase_of",
]

_PREPOSITION = re.compile(
    r"\s+(in/on|out of|next to|on top of|from|into|onto|inside|upon|in|on|to|at|with|using|under|"
    r"behind|off|beneath|within|by)\s+",
    re.IGNORECASE,
)
_WHERE: Final = frozenset(
    {
        *("in/on", "into", "onto", "inside", "upon", "in", "on", "to", "at", "under", "behind"),
        *("next to", "on top of", "beneath", "within"),
    }
)
_FROM: Final = frozenset({"from", "out of", "off"})
_INTO: Final = frozenset({"into", "onto", "inside", "to", "upon", "in/on"})

_TAKE: Final = "take grab get pick collect fetch retrieve lift pickup obtain acquire gather steal"
_PUT: Final = (
    "put place move drop set insert store stash leave transfer carry throw toss return deposit hang "
    "discard release lay give relocate push bring stack load drag deliver"
)
_GO: Final = (
    "go walk travel head run navigate enter teleport approach goto arrive step climb moveto"
)
_SWITCH: Final = {
    "open": "open",
    "close": "closed",
    "shut": "closed",
    "lock": "locked",
    "unlock": "unlocked",
    "activate": "on",
    "deactivate": "off",
}
_NEUTRAL: Final = frozenset(
    [
        "look",
        "examine",
        "inspect",
        "read",
        "check",
        "view",
        "see",
        "search",
        "list",
        "find",
        "help",
        "inventory",
        "wait",
        "ask",
        "say",
        "talk",
        "listen",
        "think",
        "note",
        "describe",
        "consider",
        "observe",
        "use",
        "try",
        "show",
        "know",
        "watch",
        "stay",
        "noop",
        "face",
        "visit",
        "need",
        "have",
        "be",
        "want",
        "notice",
        "spot",
        "feel",
        "hear",
        "seem",
        "appear",
        "start",
        "begin",
        "continue",
        "do",
        "make",
        "can",
        "click",
        "type",
        "press",
        "scroll",
        "hover",
        "select",
        "submit",
        "stop",
        "finish",
        "answer",
        "execute",
        "call",
    ]
)
_PARTICLE: Final = frozenset({"up", "down", "to", "at", "on", "off", "over", "back"})
_IRREGULAR: Final = {
    "took": "take", "taken": "take", "got": "get", "gotten": "get", "went": "go", "gone": "go",
    "left": "leave", "put": "put", "set": "set", "shut": "shut", "cut": "cut", "ate": "eat",
    "eaten": "eat", "drank": "drink", "broke": "break", "broken": "break", "threw": "throw",
    "thrown": "throw", "gave": "give", "given": "give", "laid": "lay", "hung": "hang", "ran": "run",
    "brought": "bring", "stole": "steal", "saw": "see", "read": "read", "has": "have", "had": "have",
    "is": "be", "are": "be", "was": "be", "were": "be", "made": "make", "stuck": "stick",
}  # fmt: skip
_PARTICIPLES: Final = {
    "heat": "hot", "cool": "cold", "chill": "cold", "clean": "clean", "freeze": "frozen",
    "wash": "clean", "rinse": "clean", "cut": "cut", "break": "broken", "eat": "eaten",
    "drink": "drunk", "wear": "worn", "burn": "burnt", "light": "lit", "tie": "tied", "dry": "dry",
}  # fmt: skip

_TAKES, _PUTS, _GOES = (frozenset(words.split()) for words in (_TAKE, _PUT, _GO))
_CHANGES: Final = frozenset(
    [
        "heat",
        "cool",
        "chill",
        "clean",
        "freeze",
        "wash",
        "rinse",
        "slice",
        "cut",
        "chop",
        "cook",
        "boil",
        "fry",
        "bake",
        "toast",
        "fill",
        "empty",
        "break",
        "eat",
        "drink",
        "wear",
        "burn",
        "light",
        "tie",
        "dry",
        "paint",
        "repair",
        "fix",
        "peel",
        "mix",
        "stir",
        "water",
        "plant",
        "harvest",
        "craft",
        "mine",
        "smelt",
        "melt",
        "crush",
        "grind",
        "fold",
        "wrap",
        "unwrap",
        "dirty",
        "polish",
        "sharpen",
    ]
)
_VERBS: Final = _TAKES | _PUTS | _GOES | _CHANGES | _NEUTRAL | set(_SWITCH) | {"turn", "switch"}
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


def base_of(word: str) -> str:
    """Return a verb in its base form, as far as it is known; else as it stands, in lower case.

    >>> base_of("Picked"), base_of("placing"), base_of("takes"), base_of("tidied")
    ('pick', 'place', 'take', 'tidied')
    """
    verb = word.casefold()
    if verb in _VERBS:
        return verb
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    for ending, put in _ENDINGS:
        if verb.endswith(ending) and (found := verb[: len(verb) - len(ending)] + put) in _VERBS:
            return found
    doubled = re.fullmatch(r"(.{1,30}(.))\2(?:ed|ing)", verb)
    return doubled[1] if doubled and doubled[1] in _VERBS else verb


_ENDINGS: Final = (
    ("ied", "y"), ("ies", "y"), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""), ("es", ""),
    ("s", ""),
)  # fmt: skip


def is_known(verb: str) -> bool:
    """Return whether a verb in its base form is one that this grammar knows."""
    return verb in _VERBS


def is_idle(verb: str) -> bool:
    """Return whether doing it changes nothing: looking, waiting, asking."""
    return verb in _NEUTRAL


def class_of(verb: str) -> str:
    """Return what verbs of one meaning share; empty for a word that is no known verb.

    >>> class_of("grab") == class_of("take"), class_of("mug")
    (True, '')
    """
    for name, verbs in (("take", _TAKES), ("put", _PUTS), ("go", _GOES)):
        if verb in verbs:
            return name
    if verb in {"close", "shut"}:
        return "close"
    return verb if verb in _VERBS else ""


def participle_of(verb: str) -> str:
    """Return what a thing is after something was done to it.

    >>> participle_of("slice"), participle_of("heat"), participle_of("fry")
    ('sliced', 'hot', 'fried')
    """
    if verb in _PARTICIPLES:
        return _PARTICIPLES[verb]
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ied"
    return f"{verb}d" if verb.endswith("e") else f"{verb}ed"


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
    return (head, last) if last in {"on", "off", "up", "down"} and head else None


def is_move(phrase: Phrase) -> bool:
    """Return whether only the agent itself moves."""
    if phrase.verb in _GOES:
        return True
    return phrase.verb == "move" and (phrase.particle == "to" or not phrase.places)


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
    if not is_name(phrase.thing) or phrase.verb in _NEUTRAL:
        return None
    if (moved := _moved(phrase)) is not None:
        return moved
    return _changed(phrase)


def _gone(phrase: Phrase) -> _Effect | None:
    place = phrase.after(_WHERE) or (phrase.thing if is_name(phrase.thing) else "")
    return ("agent", LOCATION, place, "") if place else None


def _moved(phrase: Phrase) -> _Effect | None:
    verb, source, target = phrase.verb, phrase.after(_FROM), phrase.after(_INTO)
    if verb in _TAKES:
        return phrase.thing, LOCATION, INVENTORY, source or phrase.after(_WHERE - _INTO)
    if verb in _PUTS:
        where = phrase.after(_WHERE)
        if where or phrase.particle == "down" or verb in {"drop", "discard", "release", "leave"}:
            return phrase.thing, LOCATION, where or HERE, source
        return None
    if source and target and not is_known(verb):
        return phrase.thing, LOCATION, target, source
    return None


def _changed(phrase: Phrase) -> _Effect | None:
    verb = phrase.verb
    if verb in {"turn", "switch"}:
        return (
            (phrase.thing, "state", phrase.particle, "")
            if phrase.particle in {"on", "off"}
            else None
        )
    if verb in _SWITCH:
        return phrase.thing, "state", _SWITCH[verb], ""
    if verb in _CHANGES:
        return phrase.thing, "condition", participle_of(verb), ""
    return None
