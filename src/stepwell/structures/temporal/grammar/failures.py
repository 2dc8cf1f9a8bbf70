"""Whether a text says that what was tried did not work."""

from __future__ import annotations

import re
from typing import Final

from stepwell.structures.temporal.grammar.patterns import phrases
from stepwell.structures.temporal.grammar.sentences import OFFER, first_sentence
from stepwell.structures.temporal.grammar.verbs import base_of, is_deed
from stepwell.structures.temporal.grammar.words.failures import FAILURES

__all__ = ["fails", "says_failure"]

_FAILURE = re.compile(phrases(FAILURES, blank=" "))
_READ, _SHORT = 300, 1_000
"""Characters read for a failure, and of an observation that an environment says itself."""

_WORDS_OF_A_DEED: Final = 3
"""Words of the shortest sentence that says what was done: "You open it"."""


def fails(text: str) -> bool:
    """Return whether a sentence says that something did not work."""
    return _FAILURE.search(text.lower()) is not None


def says_failure(text: str) -> bool:
    """Return whether an observation says that what was tried did not work.

    >>> says_failure("Nothing happens."), says_failure("You open the drawer 1.")
    (True, False)
    """
    read = text[:_READ]
    # A document says of errors what it likes; a failure is said in the first line.
    if len(text) > _SHORT:
        read = read.split("\n", maxsplit=1)[0]
    head = OFFER.split(read)[0]
    return fails(head) and not _confirms(head)


def _confirms(text: str) -> bool:
    """Return whether the first sentence says that something was done: what follows is a view."""
    sentence = first_sentence(text)
    words = sentence.split(" ", _WORDS_OF_A_DEED - 1)
    if len(words) < _WORDS_OF_A_DEED or words[0].casefold() != "you" or fails(sentence):
        return False
    return is_deed(base_of(words[1]))
