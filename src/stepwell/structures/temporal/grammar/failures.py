"""Whether a text says that what was tried did not work."""

from __future__ import annotations

import re
from typing import Final

from stepwell.structures.temporal.grammar.patterns import phrases
from stepwell.structures.temporal.grammar.sentences import OFFER, first_sentence
from stepwell.structures.temporal.grammar.verbs import base_of, is_deed
from stepwell.structures.temporal.grammar.words.failures import FAILURES

__all__ = ["error_line", "fails", "reports_failure", "says_failure"]

_FAILURE = re.compile(phrases(FAILURES, blank=" "))
_READ, _SHORT = 300, 1_000
"""Characters read for a failure, and of an observation that an environment says itself."""

_ERROR_READ = 3_000
_ERROR = re.compile(
    r"\s*(?:E\s+|[<\[(!#*]{0,3})(?:[\w./ -]{1,60}:\s+){0,3}"
    r"(?:(?:[\w.-]+[ _])?(?:[\w.]*error|[\w.]*exception|fatal|panic)(?:\s*[:\]>)!]|\s\d|$)"
    r"|traceback \(most recent|command not found|no such file|permission denied|cannot\s|can't\s"
    r"|unable to|failed to\s|command (?:failed|timed out)|exit(?:ed with)?(?: code)?:? [1-9]"
    r"|unknown command|unrecognized argument|invalid (?:option|argument|choice))"
    r"|[^\n]{0,200}: (?:command not found|no such file or directory|permission denied)\s*$"
    r"|(?:FAILED|FAIL:)\s",
    re.IGNORECASE,
)
"""A line by which a program says that it failed: "ls: x: No such file", "ValueError: y"."""

_NAMED = re.compile(r"\b[A-Z]\w*(?:Error|Exception): ")
"""The name of an exception and what it says: "test_a - AssertionError: expected 5"."""

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


def error_line(text: str) -> str:
    r"""Return the last line of a program's output that states an error; empty when none does.

    >>> error_line("Traceback (most recent call last):\n  x\nKeyError: 'a'")
    "KeyError: 'a'"
    >>> error_line("97 '--traceback', '--settings'"), error_line("9f3c2ab mend the error handling")
    ('', '')
    """
    read = text if len(text) <= 2 * _ERROR_READ else f"{text[:_ERROR_READ]}\n{text[-_ERROR_READ:]}"
    lines = [line.strip() for line in read.split("\n") if _ERROR.match(line) or _NAMED.search(line)]
    last = [line for line in lines if not line.casefold().startswith("traceback")]
    return next(reversed(last or lines), "")


def reports_failure(text: str) -> bool:
    """Return whether a program's output begins with an error, as one does that has failed.

    What stands further down is what the program read or tells: a log, a page, a source.
    """
    head, _, rest = text.strip()[:_READ].partition("\n")
    # A heading or a tag of the tool stands before what the program said.
    first = rest.lstrip() if head.rstrip().endswith((":", ">")) and rest else head
    return any(map(_ERROR.match, (head, first)))


def _confirms(text: str) -> bool:
    """Return whether the first sentence says that something was done: what follows is a view."""
    sentence = first_sentence(text)
    words = sentence.split(" ", _WORDS_OF_A_DEED - 1)
    if len(words) < _WORDS_OF_A_DEED or words[0].casefold() != "you" or fails(sentence):
        return False
    return is_deed(base_of(words[1]))
