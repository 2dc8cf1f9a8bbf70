"""The forms of sentences that say what holds, one expression for each, in verbose syntax.

Each form names its parts: `thing`, `place`, `holder`, `items`, `value`, `verb`, `rest`. A noun
phrase is whatever has no comma and no colon, up to 60 characters; the reader of the form decides
whether it can be a name.
"""

from __future__ import annotations

import re
from typing import Final

from stepwell.structures.temporal.grammar.patterns import any_of
from stepwell.structures.temporal.grammar.words.prepositions import STANDING

__all__ = [
    "ARRIVED",
    "AWAY",
    "BECAME",
    "CARRIED",
    "CONTAINS",
    "EMPTY",
    "EMPTY_HANDED",
    "GOING_ON",
    "LISTED",
    "LOCATED",
    "SEEN_HERE",
    "TURNED",
    "UNDERGONE",
]


def _form(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE | re.VERBOSE)


_IN: Final = any_of(STANDING)
_NOUN: Final = r"[^,:]{1,60}"
_THING: Final = rf"(?P<thing>{_NOUN}?)"
_HOLDER: Final = rf"(?P<holder>{_NOUN}?)"
_PLACE: Final = rf"(?P<place>{_NOUN})"
_ITEMS: Final = r"\s*:?\s*(?P<items>.+)"
_YOU_ARE: Final = r"you(?:\s+are|['’]re)"  # noqa: RUF001  (apostrophes that logs write)
_YOURS: Final = r"your\s+(?:hands?|inventory|bag|pack)"
_YOU_SEE: Final = r"you\s+(?:can\s+)?(?:see|find|notice|spot)"

LISTED = _form(rf"""
    (?:looking\s+)? {_IN} \s+ {_HOLDER} \s*,?\s+
    (?: {_YOU_SEE} | there\s+(?:is|are|lies?)
      | (?:is|are|lies?|lay|sits?|rests?|stands?) )
    {_ITEMS}
    """)
"""On the shelf 2, you see a mug 1, and a cup 3."""

CONTAINS = _form(rf"""
    {_HOLDER} \s+ (?:now\s+)? (?:contains|holds) (?:\s+the\s+following)? {_ITEMS}
    """)
"""The box 1 contains a mug 1."""

EMPTY = _form(rf"{_HOLDER} \s+(?:is|are)\s+ (?:now\s+)? empty")
"""The box 1 is now empty."""

CARRIED = _form(rf"""
    (?: {_YOU_ARE} \s+ (?:now\s+|currently\s+)? (?:carrying|holding)
      | you\s+(?:hold|carry)
      | you\s+have (?= \s*: | \s+(?:an?|the|nothing|some|\d)\b )
      | (?:your\s+)? inventory (?=\s*:)
      | carrying (?=\s*:)
      | holding (?=\s*:)
      | in\s+(?:hand|your\s+(?:hands?|bag|inventory|pack)) (?=\s*:)
      | {_YOURS} \s+ (?:holds?|contains?|is|are) )
    {_ITEMS}
    """)
"""You are carrying: a mug 1."""

EMPTY_HANDED = _form(rf"""
    {_YOU_ARE} \s+ (?: not\s+(?:carrying|holding)\s+anything | empty[- ]handed
                     | (?:carrying|holding)\s+nothing )
    | your\s+(?:hands|inventory|bag|pack)\s+ (?:is|are)\s+empty
    """)
"""You are not carrying anything."""

ARRIVED = _form(rf"""
    (?: {_YOU_ARE}\s+ (?:now\s+)? (?: facing | {_IN} | standing\s+{_IN} )
      | you\s+ (?:have\s+)? arrived?\s+{_IN}
      | you\s+ (?:now\s+)? stand\s+{_IN} )
    \s+ {_PLACE}
    """)
"""You arrive at desk 1."""

LOCATED = _form(rf"""
    {_THING} \s+ (?:now\s+)? (?:is|are|was|were|lies?|sits?|rests?|stands?|hangs?) \s+
    (?:now\s+|currently\s+|still\s+|again\s+)? (?:\w{{3,20}}\s+)? {_IN} \s+ {_PLACE}
    """)
"""The mug 1 is now (placed) on shelf 2."""

BECAME = _form(rf"""
    {_THING} \s+
    (?: is|are|becomes?|became|turns?|(?:has|have)\s+(?:become|been)|was|were|gets?|got )
    \s+ (?:now\s+|already\s+)? (?P<value>[\w-]{{2,20}}(?:\s+[\w-]{{1,20}})?)
    """)
"""The door 3 is now locked."""

GOING_ON = re.compile(r"\w+ing\b", re.IGNORECASE)
"""What begins a value of `BECAME` that is something going on: "(is) burning"."""

AWAY = _form(r"""
    [-*•]?\s* (?P<thing>[^,:]{1,40}?) \s+
    (?P<value> (?: \d+\s+(?:steps?|tiles?|cells?|squares?|blocks?)
                 | (?:very\s+)?(?:near|far)
                 | adjacent )\b [^:]{0,60} )
    """)
"""- tree 3 steps to the north"""

SEEN_HERE = _form(rf"""
    (?: {_YOU_SEE} | there\s+(?:is|are) ) \s*:?\s* (?P<items>[^.]+?) (?:\s+here)?
    | (?:lying|standing)\s+t?here\s*:\s* (?P<more>.+)
    """)
"""You can see a mug 1 here."""

UNDERGONE = _form(rf"""
    {_THING} \s+ (?: (?:has|have)\s+been|was|were|is|are|gets?|got ) \s+
    (?:now\s+|just\s+|successfully\s+)? (?P<verb>\w{{2,20}}) (?:\s+(?P<rest>\S.{{0,80}}))?
    """)
"""The mug 1 has been put on shelf 2."""

TURNED = _form(rf"""
    {_THING} \s+ (?! is\b | was\b | has\b ) \w{{2,15}}s \s+ (?P<value>open|shut|closed)
    """)
"""The lid swings open."""
