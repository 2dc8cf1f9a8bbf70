"""Where things are, as actions and observations in plain English say it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from stepwell.structures.graph.model import Triple

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
_MOVED = re.compile(
    rf"(?:^\W{{0,8}}|\b(?:you|i|we|she|he|they)(?: have| had| then)? )({_VERBS}) (?:up )?"
    rf"({_NAME}?) (from|into|in|onto|on|to|at|inside|under|with)(?:/(?:in|on))? ({_NAME})",
    re.IGNORECASE,
)
"""`take soap 1 from shelf 2` at the start, else `You put the soap 1 in/on the bin 1`: what a list
of possible actions offers was not done."""

_LISTED = re.compile(
    rf"\b(in|on|at|inside|under) (?:the )?({_NAME}), "
    r"(?:(?:you|i|we) (?:can )?(?:see|find)|there (?:is|are)) ([^\n.:;]{2,400})",
    re.IGNORECASE,
)
"""`On the shelf 2, you see a soap 1, and a cloth 3`."""

_PLACED = re.compile(
    rf"(?:^|[.;\n] ?|- )({_NAME}?) (?:is|are|was|were)(?: now)?(?: located| stored| kept| found)? "
    rf"(in|on|at|inside|under) ({_NAME})",
    re.IGNORECASE,
)
"""`The key is in drawer 2`."""

_OFF = re.compile(
    rf"^[ \t-]{{0,8}}({_NAME}?) (\d{{1,4}} \w{{1,12}} (?:to|from) [^\n]{{1,60}})$", re.MULTILINE
)
"""`- cow 2 steps to your north`."""

_BEFORE_IT = re.compile(
    rf"(?:^|[.!\n] ?)(?:the )?({_NAME}?) is [\w ]{{2,20}}[.,!] ?$", re.IGNORECASE
)
"""The box that `it` means in `The box 1 is open. In it, you see a key 2`."""

_NEAR: Final = 120
_IT: Final = frozenset({"it", "there"})
_AND = re.compile(r",? and |, ")
_NOTHING: Final = frozenset({"nothing", "nothing special", "nobody", "none", "it", "that", "there"})
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
    for n, match in enumerate(_MOVED.finditer(text)):
        if n == _MOST:
            return
        verb, what, how, where = match[1].lower(), match[2], match[3].lower(), match[4]
        relation = _ONTO.get(how, how)
        if how == "from":
            relation = "taken from"
        elif how == "with" or verb.startswith(
            ("clean", "heat", "cool", "unlock", "open", "assign")
        ):
            relation = f"{verb} {how}"
        yield Triple(what, relation, where)


def listed(text: str) -> Iterator[Triple]:
    """Yield what is seen at a place.

    >>> [tuple(t)[:3] for t in listed("On the shelf 2, you see a soap 1, and a cloth 3.")]
    [('a soap 1', 'on', 'shelf 2'), ('a cloth 3', 'on', 'shelf 2')]
    >>> [tuple(t)[:3] for t in listed("The box 1 is open. In it, you see a key 2.")]
    [('a key 2', 'in', 'box 1')]
    """
    for n, match in enumerate(_LISTED.finditer(text)):
        if n == _MOST:
            return
        before = _BEFORE_IT.search(text, max(0, match.start() - _NEAR), match.start())
        where = before[1] if match[2].lower() in _IT and before is not None else match[2]
        for thing in _AND.split(match[3])[:_MOST_LISTED]:
            if thing.strip().lower() in _NOTHING:
                yield Triple(where, "holds", "nothing")
            else:
                yield Triple(thing, match[1].lower(), where)


def placed(text: str) -> Iterator[Triple]:
    """Yield what is said to be somewhere.

    >>> [tuple(t)[:3] for t in placed("The key is in drawer 2. - cow 2 steps to your north")]
    [('The key', 'in', 'drawer 2')]
    >>> [tuple(t)[:3] for t in placed("- cow 2 steps to your north")]
    [('cow', 'position', '2 steps to your north')]
    """
    for n, match in enumerate(_PLACED.finditer(text)):
        if n == _MOST:
            break
        if match[1].lower() not in _NOTHING:
            yield Triple(match[1], match[2].lower(), match[3])
    for n, match in enumerate(_OFF.finditer(text)):
        if n == _MOST:
            return
        yield Triple(match[1], "position", match[2])
