"""The sentences of an observation, without those that list what could be done."""

from __future__ import annotations

import re

from stepwell.structures.temporal.grammar.patterns import any_of
from stepwell.structures.temporal.grammar.words.sentences import OFFERED, OFFERS

__all__ = ["LEVEL", "OFFER", "first_sentence", "sentences_of", "without_offers"]

OFFER = re.compile(
    rf"\b{any_of(OFFERED)}\s+(?:\w+\s+)?{any_of(OFFERS)}\b[^:\n]{{0,30}}:", re.IGNORECASE
)
"""The beginning of a list of what could be done, which is no state: "Available actions:"."""

LEVEL = re.compile(r"\[[A-Za-z]{2,10}\]\s+")
"""The level of a log's line: "[INFO] "."""

_END = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s+|\n+")
"""What parts sentences: white space behind a full stop of any script, or a line's end."""

_HEAD, _TAIL = 3_000, 500
"""Characters read of an observation at its start and end: what an environment says itself is
short, and what is long is a document, whose sentences are about another world."""

_MOST_SENTENCES = 60
_LONGEST = 400
_OFFER_WITHIN = 120
"""Characters of a line within which an offer begins."""


def first_sentence(text: str) -> str:
    """Return the first sentence of a text."""
    return _END.split(text.strip(), maxsplit=1)[0]


def sentences_of(text: str) -> list[str]:
    """Return the first sentences of an observation and its last, without what could be done."""
    read = text if len(text) <= _HEAD + _TAIL else f"{text[:_HEAD]}\n{text[-_TAIL:]}"
    found: list[str] = []
    for line in without_offers(read):
        found += [part for part in _END.split(line) if 0 < len(part) <= _LONGEST]
        if len(found) >= _MOST_SENTENCES:
            break
    return found[:_MOST_SENTENCES]


def without_offers(text: str) -> list[str]:
    r"""Return the lines of an observation without those that list what could be done.

    >>> without_offers("It is dark.\nAvailable commands:\n  look: look around")
    ['It is dark.']
    """
    found: list[str] = []
    is_offered = False
    for line in text.split("\n"):
        if is_offered and line.strip():
            continue
        offer = OFFER.search(line, 0, _OFFER_WITHIN) if ":" in line else None
        is_offered = offer is not None and not line[offer.end() :].strip()
        if offer is None:
            found.append(line)
    return found
