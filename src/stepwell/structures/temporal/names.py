"""Names of things: when two are the same, and where a text mentions known ones."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Mentions", "Names", "is_name", "key_of", "listed", "plain_name", "words_of"]

_WORD = re.compile(r"[^\W\d_]+|\d+")
_ARTICLE = re.compile(r"(?:(?:the|an?|some|your|my|this|that|these|those)\s+)+", re.IGNORECASE)
_EDGE: Final = " \t.,;:!?"
_QUOTES: Final = {'"': '"', "'": "'", "`": "`", "(": ")", "[": "]", "«": "»", "“": "”"}
_LONGEST, _MOST_WORDS = 60, 5
"""Characters and words of a name in prose; what is longer is a clause."""

_NO_NAMES: Final = frozenset(
    {
        *("it", "they", "them", "this", "that", "these", "those", "there", "here", "what", "which"),
        *("i", "you", "he", "she", "we", "who", "nothing", "everything", "all", "anything"),
        *("something", "one", "none", "and", "or", "the", "a", "an", "around", "up", "down"),
        *("left", "right", "forward", "back", "so", "now", "not", "to", "north", "south", "east"),
        *("west", "northeast", "northwest", "southeast", "southwest", "forwards", "backwards"),
    }
)
_CLAUSE = re.compile(r"[;=<>\n]|^no ", re.IGNORECASE)
_AND = re.compile(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_FIRST_WORDS = frozenset(
    {
        *("step", "steps", "turn", "agent", "action", "actions", "object", "objects", "state"),
        *("states", "change", "changes", "time", "times", "number", "value", "values", "name"),
        *("content", "contents", "result", "results", "what", "which", "when", "where", "how"),
        *("location", "history", "histories", "task", "question", "answer", "id", "type", "user"),
        *("environment", "trajectory", "message", "text", "in", "on", "at", "is", "was", "the"),
        *("of", "and", "to", "by", "did", "do", "first", "last", "note", "done", "list", "key"),
        *("go", "look", "take", "move", "put", "open", "close", "use", "from", "with", "all", "no"),
    }
)
"""Words of questions that are no names when they stand alone."""

_TAIL: Final = re.compile(r"[/\\.:#>]")
_SHORTEST = 2
_MOST_FOUND = 24
_MOST_KIN = 12
"""Things that a name in the plural, or without its number, may stand for."""


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
    is_quoted = len(text) > 1 and text[0] in _QUOTES and text[-1] == _QUOTES[text[0]]
    return text[1:-1] if is_quoted else text


def is_name(text: str) -> bool:
    """Return whether a phrase can be the name of a thing."""
    if not 0 < len(text) <= _LONGEST or text.casefold() in _NO_NAMES:
        return False
    if len(text.split()) > _MOST_WORDS or _CLAUSE.search(text):
        return False
    return _WORD.search(text) is not None


def listed(text: str) -> tuple[str, ...] | None:
    """Return the names in a list such as "a, a b, and a c"; None when it is no list of names.

    >>> listed("a lamp 2, and a lamp 1."), listed("nothing"), listed("that it is over now, I")
    (('lamp 2', 'lamp 1'), (), None)
    """
    bare = text.strip(_EDGE)
    if bare.casefold() in {"nothing", "none", "empty", "no items", "nothing else", ""}:
        return ()
    names = [plain_name(part) for part in _AND.split(bare)]
    return tuple(names) if names and all(map(is_name, names)) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """What a text names.

    Attributes:
        keys: Keys of known names in it, in order, each once.
        is_exact: Whether each was named itself, not as one of several that a word may mean.
    """

    keys: tuple[str, ...] = ()
    is_exact: bool = True


@dataclass(slots=True)
class Names:
    """Known names, by their words."""

    shown: dict[str, str] = field(default_factory=dict[str, str])
    _by_first: dict[str, list[tuple[str, ...]]] = field(
        default_factory=dict[str, list[tuple[str, ...]]], repr=False
    )
    _of: dict[tuple[str, ...], list[str]] = field(
        default_factory=dict[tuple[str, ...], list[str]], repr=False
    )
    _kin: dict[tuple[str, ...], list[str]] = field(
        default_factory=dict[tuple[str, ...], list[str]], repr=False
    )

    def add(self, name: str) -> str:
        """Take in a name, and return its key; empty when it has no words."""
        key = key_of(name)
        if key in self.shown or not key:
            return key
        self.shown[key] = name
        words = tuple(key.split(" "))
        self._enter(words, key)
        for start in _tails(name):
            tail = words_of(name[start:])
            if tail and tail != words:
                self._enter(tail, key)
        if len(words) > 1 and words[-1].isdecimal():
            self._kin.setdefault(words[:-1], []).append(key)
        return key

    def _enter(self, words: tuple[str, ...], key: str) -> None:
        if len(words) == 1 and (
            words[0] in _FIRST_WORDS or (words[0].isascii() and len(words[0]) < _SHORTEST)
        ):
            return
        if words not in self._of:
            self._by_first.setdefault(words[0], []).append(words)
        self._of.setdefault(words, []).append(key)

    def mentioned(self, text: str) -> Mentions:
        """Return the known names in a text: the longest at each place.

        A name without its number, or in the plural, means the one thing of that name, or all.
        """
        words = words_of(text)
        found: dict[str, None] = {}
        is_exact = True
        place = 0
        while place < len(words) and len(found) < _MOST_FOUND:
            length, keys = self._at(words, place)
            if length:
                is_exact = is_exact and len(keys) == 1
                found.update(dict.fromkeys(keys[:_MOST_KIN]))
            place += length or 1
        return Mentions(keys=tuple(found), is_exact=is_exact)

    def _at(self, words: tuple[str, ...], place: int) -> tuple[int, list[str]]:
        best: tuple[int, list[str]] = (0, [])
        for name in self._by_first.get(words[place], ()):
            n = len(name)
            if n > best[0] and words[place : place + n] == name:
                best = (n, self._of[name])
        return best if best[0] else self._kin_at(words, place)

    def _kin_at(self, words: tuple[str, ...], place: int) -> tuple[int, list[str]]:
        for n in (3, 2, 1):
            phrase = words[place : place + n]
            if len(phrase) < n:
                continue
            for form in _singulars(phrase):
                kin = self._kin.get(form)
                if kin:  # but not "mug 7" where only mugs 1 and 2 are known
                    return (0, []) if _numbered(words, place + n) else (n, kin)
                if form != phrase and form in self._of:
                    return n, self._of[form]
        return 0, []


def _numbered(words: tuple[str, ...], place: int) -> bool:
    return place < len(words) and words[place].isdecimal()


def _singulars(phrase: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    yield phrase
    last = phrase[-1]
    for ending, put in (("ies", "y"), ("ves", "f"), ("ves", "fe"), ("es", ""), ("s", "")):
        if last.endswith(ending) and len(last) > len(ending) + 1:
            yield (*phrase[:-1], last[: -len(ending)] + put)


def _tails(name: str) -> list[int]:
    """Return where the last one and the last two parts of a path or dotted name begin."""
    if " " in name:
        return []
    starts = [match.end() for match in _TAIL.finditer(name)]
    return starts[-2:]
