"""Where things are, as actions and observations in plain English say it."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from stepwell.structures.graph.model import Triple
from stepwell.structures.reading import has_any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["listed", "moved", "placed"]

_NAME: Final = r"[^\W_][\w'/-]{0,30}(?: [\w'/-]{1,30}){0,3}"
"""One to four words."""

_VERBS: Final = (
    r"(?:take|took|taken|grab|grabbed|pick(?:ed)? up|pick|get|got|remove[d]?|put|place[d]?"
    r"|move[d]?|insert(?:ed)?|drop(?:ped)?|store[d]?|copied|copy|install(?:ed)?|add(?:ed)?"
    r"|upload(?:ed)?|save[d]?|sen[dt]|transfer(?:red)?|clean(?:ed)?|heat(?:ed)?|cool(?:ed)?"
    r"|unlock(?:ed)?|open(?:ed)?|assign(?:ed)?)"
)
_MOVING: Final = (
    rf"({_VERBS}) (?:up )?({_NAME}?) (from|into|in|onto|on|to|at|inside|under|with)"
    rf"(?:/(?:in|on))? ({_NAME})"
)
_ACTION = re.compile(rf"\W{{0,8}}{_MOVING}", re.IGNORECASE)
"""`take soap 1 from shelf 2` at the start of a text."""

_TOLD = re.compile(rf"\b(?:[Yy]ou|I|[Ww]e)(?: have| had| then)? {_MOVING}")
_WHO: Final = ("You ", "you ", "I ", "We ", "we ")
"""`You put the soap 1 in/on the bin 1`. What a list of possible actions offers was not done."""

_LISTED = re.compile(
    r", (?:(?:you|i|we) (?:can )?(?:see|find)|there (?:is|are)) ([^\n.:;]{2,400})", re.IGNORECASE
)
_AT = re.compile(rf"\b(in|on|at|inside|under) (?:the )?({_NAME})$", re.IGNORECASE)
"""`On the shelf 2, you see a soap 1, and a cloth 3`."""

_PLACED = re.compile(
    r" (?:is|are|was|were)(?: now)?(?: located| stored| kept| found)?"
    rf" (in|on|at|inside|under) ({_NAME})"
)
_SUBJECT = re.compile(rf"(?:^|[.;\n] ?|- )({_NAME})$")
"""`The key is in drawer 2`."""

_OFF = re.compile(
    r"^[ \t-]{0,8}([^\W_][\w'/`-]{0,30}(?: [\w'/`-]{1,30}){0,3}?)"
    r" (\d{1,4} \w{1,12} (?:to|from) [^\n]{1,60}"
    r"|(?:very )?(?:far|near|close|adjacent)(?: to)?"
    r" (?:north|south|east|west|up|down|left|right)[^\n]{0,60})$",
    re.MULTILINE,
)
"""`- cow 2 steps to your north`, `wall very near east`."""

_BEFORE_IT = re.compile(
    rf"(?:^|[.!\n] ?)(?:the )?({_NAME}?) is [\w ]{{2,20}}[.,!] ?$", re.IGNORECASE
)
"""The box that `it` means in `The box 1 is open. In it, you see a key 2`."""

_NEAR: Final = 120
_IT: Final = frozenset({"it", "there"})
_AND = re.compile(r",? and |, ")
_NOTHING: Final = frozenset({"nothing", "nothing special", "nobody", "none", "it", "that", "there"})
_CHANGES: Final = ("clean", "heat", "cool", "unlock", "open", "assign")
"""What is cleaned at a place, or assigned to someone, is not there."""
_ONTO: Final = {"into": "in", "onto": "on", "to": "in"}
_MOST_LISTED: Final = 16
_MOST: Final = 16


def moved(text: str) -> Iterator[Triple]:
    """Yield where things were taken from or put: by the action a text starts with, or as it tells.

    >>> [tuple(t)[:3] for t in moved("move soapbar 1 to garbagecan 1")]
    [('soapbar 1', 'in', 'garbagecan 1')]
    >>> [tuple(t)[:3] for t in moved("You pick up the soapbar 1 from the toilet 1.")]
    [('the soapbar 1', 'taken from', 'the toilet 1')]
    """
    action = _ACTION.match(text)
    told = _TOLD.finditer(text) if has_any(text, _WHO) else ()
    for match in (*filter(None, [action]), *islice(told, _MOST)):
        verb, what, how, where = match[1].lower(), match[2], match[3].lower(), match[4]
        relation = _ONTO.get(how, how)
        if how == "from":
            relation = "taken from"
        elif how == "with" or verb.startswith(_CHANGES):
            relation = f"{verb} {how}"
        yield Triple(what, relation, where)


def listed(text: str) -> Iterator[Triple]:
    """Yield what is seen at a place.

    >>> [tuple(t)[:3] for t in listed("On the shelf 2, you see a soap 1, and a cloth 3.")]
    [('a soap 1', 'on', 'shelf 2'), ('a cloth 3', 'on', 'shelf 2')]
    >>> [tuple(t)[:3] for t in listed("The box 1 is open. In it, you see a key 2.")]
    [('a key 2', 'in', 'box 1')]
    """
    for match in islice(_LISTED.finditer(text), _MOST):
        place = _AT.search(text, max(0, match.start() - _NEAR), match.start())
        if place is not None:
            where = place[2]
            before = _BEFORE_IT.search(text, max(0, place.start() - _NEAR), place.start())
            where = before[1] if where.lower() in _IT and before is not None else where
            for thing in _AND.split(match[1])[:_MOST_LISTED]:
                if thing.strip().lower() in _NOTHING:
                    yield Triple(where, "holds", "nothing")
                else:
                    yield Triple(thing, place[1].lower(), where)


def placed(text: str) -> Iterator[Triple]:
    """Yield what is said to be somewhere.

    >>> [tuple(t)[:3] for t in placed("The key is in drawer 2.")]
    [('The key', 'in', 'drawer 2')]
    >>> [tuple(t)[:3] for t in placed("- cow 2 steps to your north")]
    [('cow', 'position', '2 steps to your north')]
    >>> [tuple(t)[:3] for t in placed("stairs up very near southwest")]
    [('stairs up', 'position', 'very near southwest')]
    """
    for match in islice(_PLACED.finditer(text), _MOST):
        what = _SUBJECT.search(text, max(0, match.start() - _NEAR), match.start())
        if what is not None and what[1].lower() not in _NOTHING:
            yield Triple(what[1], match[1], match[2])
    for match in islice(_OFF.finditer(text), _MOST):
        yield Triple(match[1], "position", match[2])
