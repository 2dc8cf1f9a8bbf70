"""Known names, and where a text mentions them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stepwell.structures.temporal.grammar.names import key_of, words_of
from stepwell.structures.temporal.grammar.words.names import EXTENSIONS, PLURALS, QUESTION_WORDS

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

__all__ = ["Names"]

_SEPARATOR = re.compile(r"[/\\.:#>]")
"""What parts a path or a dotted name."""

_SHORTEST = 2
"""Letters of a name of one word: a single one is a word of a language like any other."""

_LONGEST_PHRASE = 3
"""Words of a name that may stand without its number or in the plural."""

_MOST_FOUND = 24
_MOST_NUMBERED = 12
"""Things that a name in the plural, or without its number, may stand for."""

_Words = tuple[str, ...]


@dataclass(slots=True)
class Names:
    """Known names, by their words.

    Attributes:
        shown: The keys of names, and each as it was first written.
    """

    shown: dict[str, str] = field(default_factory=dict[str, str])
    _by_first: dict[str, list[_Words]] = field(default_factory=dict[str, list[_Words]], repr=False)
    _keys: dict[_Words, list[str]] = field(default_factory=dict[_Words, list[str]], repr=False)
    _numbered: dict[_Words, list[str]] = field(default_factory=dict[_Words, list[str]], repr=False)

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
            self._numbered.setdefault(words[:-1], []).append(key)
        return key

    def _enter(self, words: _Words, key: str) -> None:
        if len(words) == 1 and _says_little(words[0]):
            return
        if words not in self._keys:
            self._by_first.setdefault(words[0], []).append(words)
        self._keys.setdefault(words, []).append(key)

    def mentioned(self, text: str) -> tuple[str, ...]:
        """Return the keys of the known names in a text, in order: the longest at each place.

        A name without its number, or in the plural, means the one thing of that name, or all.
        """
        return self.found_in(text)[0]

    def found_in(self, text: str) -> tuple[tuple[str, ...], frozenset[str]]:
        """Return the keys of the known names in a text, and the words that name them."""
        words = words_of(text)
        found: dict[str, None] = {}
        used: set[str] = set()
        place = 0
        while place < len(words) and len(found) < _MOST_FOUND:
            length, keys = self._at(words, place)
            found.update(dict.fromkeys(keys[:_MOST_NUMBERED]))
            used.update(words[place : place + length])
            place += length or 1
        return tuple(found), frozenset(used)

    def within(self, text: str, *, over: Container[str]) -> frozenset[str]:
        """Return the keys of all names in a text, but not of one inside a longer name.

        Args:
            text: The text.
            over: Keys of the names that are longer names; others may be pieces of a sentence.
        """
        words = words_of(text)
        spans = [
            (place, place + len(name), key)
            for place, word in enumerate(words)
            for name in self._by_first.get(word, ())
            if words[place : place + len(name)] == name
            for key in self._keys[name]
        ]
        outer = [(start, end) for start, end, key in spans if key in over]
        return frozenset(
            key
            for start, end, key in spans
            if not any(a <= start and end <= b and b - a > end - start for a, b in outer)
        )

    def _at(self, words: _Words, place: int) -> tuple[int, list[str]]:
        """Return how many words a name has that begins at a place, and the keys it may mean."""
        best: tuple[int, list[str]] = (0, [])
        for name in self._by_first.get(words[place], ()):
            n = len(name)
            if n > best[0] and words[place : place + n] == name:
                best = (n, self._keys[name])
        return best if best[0] else self._inexact_at(words, place)

    def _inexact_at(self, words: _Words, place: int) -> tuple[int, list[str]]:
        for n in range(_LONGEST_PHRASE, 0, -1):
            phrase = words[place : place + n]
            if len(phrase) < n:
                continue
            for form in _singulars(phrase):
                if numbered := self._numbered.get(form):
                    # "mug 7" means nothing where only the mugs 1 and 2 are known.
                    return (0, []) if _is_number_at(words, place + n) else (n, numbered)
                if form != phrase and form in self._keys:
                    return n, self._keys[form]
        return 0, []


def _says_little(word: str) -> bool:
    if word in QUESTION_WORDS or word in EXTENSIONS:
        return True
    return word.isascii() and len(word) < _SHORTEST


def _is_number_at(words: _Words, place: int) -> bool:
    return place < len(words) and words[place].isdecimal()


def _singulars(phrase: _Words) -> Iterable[_Words]:
    yield phrase
    last = phrase[-1]
    for ending, put in PLURALS:
        if last.endswith(ending) and len(last) > len(ending) + 1:
            yield (*phrase[:-1], last[: -len(ending)] + put)


def _tails(name: str) -> list[int]:
    """Return where the last one and the last two parts of a path or dotted name begin."""
    if " " in name:
        return []
    starts = [match.end() for match in _SEPARATOR.finditer(name)]
    # "py" alone names no file.
    return [start for start in starts if name[start:].casefold() not in EXTENSIONS][-2:]
