"""Names of things: what can be one, how it is written plainly, and when two are the same."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from stepwell.structures.temporal.grammar.patterns import any_of
from stepwell.structures.temporal.grammar.words.names import (
    ARTICLES,
    EMPTY_LISTS,
    EXTENSIONS,
    NO_NAMES,
    QUOTES,
)

__all__ = ["is_file", "is_name", "key_of", "listed", "plain_name", "words_of"]

_WORD = re.compile(r"[^\W\d_]+|\d+")
"""A run of letters or of digits."""

_ARTICLE = re.compile(rf"(?:{any_of(ARTICLES)}\s+)+", re.IGNORECASE)
_CLAUSE = re.compile(r"[;=<>\n]|^no ", re.IGNORECASE)
"""What no name has: it is a piece of a program or of a sentence."""

_AND = re.compile(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
"""What stands between the names of a list."""

_EDGE: Final = " \t.,;:!?"
_LONGEST, _MOST_WORDS = 60, 5
"""Characters and words of a name in prose; what is longer is a clause."""


def words_of(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text, folded: what a name is compared by."""
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


@lru_cache(maxsize=4096)
def key_of(name: str) -> str:
    """Return what a name is compared by.

    >>> key_of("The Lamp_1") == key_of("lamp 1"), key_of("lamp 1") == key_of("lamp 2")
    (True, False)
    """
    return " ".join(words_of(_ARTICLE.sub("", name, count=1) if _ARTICLE.match(name) else name))


def plain_name(text: str) -> str:
    """Return a noun phrase without its article and what surrounds it.

    >>> plain_name('the "blue mug 2".')
    'blue mug 2'
    """
    bare = " ".join(text.strip(_EDGE).split())
    match = _ARTICLE.match(bare)
    return _unquoted(bare[match.end() :] if match else bare).strip(_EDGE)


def _unquoted(text: str) -> str:
    is_quoted = len(text) > 1 and text[0] in QUOTES and text[-1] == QUOTES[text[0]]
    return text[1:-1] if is_quoted else text


def is_name(text: str) -> bool:
    """Return whether a phrase can be the name of a thing."""
    if len(text) > _LONGEST or text.casefold() in NO_NAMES:
        return False
    if len(text.split()) > _MOST_WORDS or _CLAUSE.search(text):
        return False
    return _WORD.search(text) is not None


def is_file(text: str) -> bool:
    """Return whether a name is that of a file: a path, or a word with the ending of one.

    >>> is_file("README.md"), is_file("src/app"), is_file("2.5"), is_file("a or b/c")
    (True, True, False, False)
    """
    if " " in text:
        return False
    return "/" in text or ("." in text and text.rpartition(".")[2].casefold() in EXTENSIONS)


def listed(text: str) -> tuple[str, ...] | None:
    """Return the names in a list such as "a, a b, and a c"; None when it is no list of names.

    >>> listed("a lamp 2, and a lamp 1."), listed("nothing"), listed("that it is over now, I")
    (('lamp 2', 'lamp 1'), (), None)
    """
    bare = text.strip(_EDGE)
    if bare.casefold() in EMPTY_LISTS:
        return ()
    names = [plain_name(part) for part in _AND.split(bare)]
    return tuple(names) if names and all(map(is_name, names)) else None
