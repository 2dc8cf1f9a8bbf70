"""The forms of verbs, and which of them mean the same."""

from __future__ import annotations

import re
from typing import Final

from stepwell.structures.temporal.grammar.words.verbs import (
    CHANGES,
    ENDINGS,
    GOES,
    IRREGULAR,
    NEUTRAL,
    PARTICIPLES,
    PUTS,
    SWITCHES,
    TAKES,
    TURNS,
)

__all__ = [
    "base_of",
    "class_of",
    "is_deed",
    "is_idle",
    "is_known",
    "is_past",
    "participle_of",
    "root_of",
    "stems_of",
]

_VERBS: Final = TAKES | PUTS | GOES | CHANGES | NEUTRAL | TURNS | set(SWITCHES)
_CLOSES: Final = frozenset({"close", "shut"})
_CLASSES: Final = (("take", TAKES), ("put", PUTS), ("go", GOES), ("close", _CLOSES))
"""Verbs that mean the same, as far as a log can tell."""

_DOUBLED = re.compile(r"(.{1,30}(.))\2(?:ed|ing)")
"""A form that doubles the last letter: "grabbed", "putting"."""

_WORDS = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[^\W\d_]+")
"""The words in a tool's name: `pick_up`, `goTo`."""


def base_of(word: str) -> str:
    """Return a verb in its base form, as far as it is known; else as it stands, in lower case.

    >>> base_of("Picked"), base_of("placing"), base_of("takes"), base_of("tidied")
    ('pick', 'place', 'take', 'tidied')
    """
    verb = word.casefold()
    if verb in _VERBS:
        return verb
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    for ending, put in ENDINGS:
        if verb.endswith(ending) and (found := verb[: len(verb) - len(ending)] + put) in _VERBS:
            return found
    doubled = _DOUBLED.fullmatch(verb)
    return doubled[1] if doubled and doubled[1] in _VERBS else verb


def stems_of(word: str) -> list[str]:
    """Return what a word may be a form of, were it a regular verb that is not known.

    >>> stems_of("edited"), stems_of("greps")
    (['edite', 'edit'], ['grep'])
    """
    folded = word.casefold()
    return [
        folded[: len(folded) - len(ending)] + put
        for ending, put in ENDINGS
        if folded.endswith(ending) and len(folded) > len(ending) + 1
    ]


def is_known(verb: str) -> bool:
    """Return whether a verb in its base form is one that this grammar knows."""
    return verb in _VERBS


def is_idle(verb: str) -> bool:
    """Return whether doing it changes nothing: looking, waiting, asking."""
    return verb in NEUTRAL


def is_deed(verb: str) -> bool:
    """Return whether a verb in its base form is a known one that changes something."""
    return verb in _VERBS and verb not in NEUTRAL


def is_past(word: str) -> bool:
    """Return whether a word can be the participle of a known verb: "taken", "put", not "take"."""
    folded = word.casefold()
    return base_of(word) != folded or IRREGULAR.get(folded) == folded


def class_of(verb: str) -> str:
    """Return a name that verbs of one meaning share; empty for a word that is no known verb.

    >>> class_of("grab") == class_of("take"), class_of("mug")
    (True, '')
    """
    for name, verbs in _CLASSES:
        if verb in verbs:
            return name
    return verb if verb in _VERBS else ""


def root_of(verb: str) -> str:
    """Return the first word of a verb or of a tool's name, in its base form.

    >>> root_of("pick_up_item"), root_of("goTo"), root_of("look at")
    ('pick', 'go', 'look')
    """
    words = _WORDS.findall(verb)
    return base_of(words[0]) if words else verb.casefold()


def participle_of(verb: str) -> str:
    """Return what a thing is after something was done to it.

    >>> participle_of("slice"), participle_of("heat"), participle_of("fry")
    ('sliced', 'hot', 'fried')
    """
    if verb in PARTICIPLES:
        return PARTICIPLES[verb]
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ied"
    return f"{verb}d" if verb.endswith("e") else f"{verb}ed"
