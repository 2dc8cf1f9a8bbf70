"""An observation's sentences: which are read, and whether they say that something failed."""

from __future__ import annotations

import re
from typing import Final

from stepwell.structures.temporal.verbs import base_of, is_idle, is_known

__all__ = ["fails", "says_failure", "sentences_of", "without_offers"]

_HEAD, _TAIL = 3_000, 500
"""Characters read of an observation at its start and end: what an environment says itself is
short, and what is long is a document, whose sentences are about another world."""

_MOST_SENTENCES = 60
_LONGEST = 400
_SENTENCE = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s+|\n+")
_OFFERS = re.compile(
    r"\b(?:available|possible|valid|legal|admissible|allowed)\s+(?:\w+\s+)?"
    r"(?:actions?|commands?|moves?)\b[^:\n]{0,30}:",
    re.IGNORECASE,
)
"""What could be done is no state; what follows on the line, or in the lines below, is left out."""

_OFFERED = 120
"""Characters of a line within which it says so."""

_FAILURE = re.compile(
    r"\bnothing happen|\bcan(?:'t|not|\u2019t)\b|\bunable\b|\bfail(?:s|ed|ure)?\b|\berrors?\b|"
    r"\binvalid\b|"
    r"\bdon'?t (?:understand|know|see|have)\b|\bno such\b|\bnot (?:possible|allowed|found|here|"
    r"available|able|valid|recogni[sz]ed|open|enough|reachable)\b|\bwon'?t\b|\bisn'?t\b|\baren'?t\b|"
    r"\bdidn'?t\b|\bdoesn'?t\b|\bcould(?:n'?t| not)\b|\bden(?:ied|ies|y)\b|"
    r"\brefus(?:e[sd]?|ing)\b|\bimpossible\b|\bout of reach\b|\bsorry\b|\bregret\b|"
    r"\bunknown (?:command|action)\b|\byou must\b|\byou need to\b|\btraceback\b|\bno effect\b|"
    r"\bis (?:locked|stuck)\b|\brejected\b|\billegal\b|\bnope\b|\bin vain\b|"
    r"\bwithout success\b"
)
_FAILURE_READ, _SHORT = 300, 1_000
"""Characters read for it, and of an observation that an environment says itself."""


def says_failure(text: str) -> bool:
    """Return whether an observation says that what was tried did not work.

    >>> says_failure("Nothing happens."), says_failure("You open the drawer 1.")
    (True, False)
    """
    # A document says of errors what it likes; a failure is said in the first line.
    read = (
        text[:_FAILURE_READ]
        if len(text) <= _SHORT
        else text[:_FAILURE_READ].split("\n", maxsplit=1)[0]
    )
    head = _OFFERS.split(read)[0]
    return fails(head) and not _confirms(head)


def fails(text: str) -> bool:
    """Return whether a sentence says that something did not work."""
    return _FAILURE.search(text.lower()) is not None


def _confirms(text: str) -> bool:
    """Return whether the first sentence says that something was done: what follows is a view."""
    words = _SENTENCE.split(text.strip(), maxsplit=1)[0].split(" ", 2)
    if len(words) < _TOLD or words[0].casefold() != "you" or fails(" ".join(words)):
        return False
    verb = base_of(words[1])
    return is_known(verb) and not is_idle(verb)


_TOLD: Final = 3


def sentences_of(text: str) -> list[str]:
    """Return the first sentences of an observation and its last, without what could be done."""
    read = text if len(text) <= _HEAD + _TAIL else f"{text[:_HEAD]}\n{text[-_TAIL:]}"
    found: list[str] = []
    for line in without_offers(read):
        found += [part for part in _SENTENCE.split(line) if 0 < len(part) <= _LONGEST]
        if len(found) >= _MOST_SENTENCES:
            break
    return found[:_MOST_SENTENCES]


def without_offers(text: str) -> list[str]:
    r"""Return the lines of an observation without those that list what could be done.

    >>> without_offers("It is dark.\nAvailable commands:\n  look: look around")
    ['It is dark.']
    """
    found: list[str] = []
    offered = False
    for line in text.split("\n"):
        if offered and line.strip():
            continue
        offers = _OFFERS.search(line, 0, _OFFERED) if ":" in line else None
        offered = offers is not None and not line[offers.end() :].strip()
        if offers is None:
            found.append(line)
    return found
