r"""Credentials in text: what detectors find is replaced by `[redacted:kind]`, all else survives.

Detectors are data (`stepwell.text.credentials`); this is how they are run fast. Literals are found
by substring search, the fastest there is; shapes of tokens are looked for in long words alone; what
is near neither is never tried.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from stepwell.text.credentials.base import WORD_START
from stepwell.text.credentials.named import NAMED
from stepwell.text.credentials.shapes import SHAPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from stepwell.text.credentials.base import Detector

__all__ = ["DETECTORS", "Redactor", "as_redactor", "redact", "redactor"]

DETECTORS: Final = (*SHAPES, *NAMED)
"""All detectors there are without any of a user's own."""

_LONG: Final = 16
_MARKS: Final = b"\"'`<>(){}[],;|\\"
_ENDS_WORD: Final = bytes.maketrans(_MARKS, b" " * len(_MARKS))
_WORD_START: Final = re.compile(rf"{WORD_START}[A-Za-z0-9$]")
_AROUND: Final = 120
"""Characters around a literal in which what it stands within is searched for."""

_DATA_URI: Final = re.compile(
    r"data:(?:text|application)/[\w.+-]{1,60}(?:;[\w=-]{1,40}){0,3};base64,([\w+/=%-]{8,200000})"
)
_SHORTEST: Final = len("://u:p@h")
"""No credential is shorter than this, and most values of a log are, so they are not searched."""


@dataclass(frozen=True, slots=True)
class Redactor:
    """Detectors, ordered by how their places are found.

    Attributes:
        starts: Detectors by the literal they begin with.
        heads: Detectors by the first characters of the words they match.
        within: Detectors by a literal within what they match.
        version: Differs where the detectors do.
    """

    starts: Mapping[str, Sequence[Detector]]
    heads: Mapping[str, Sequence[Detector]]
    within: Mapping[str, Sequence[Detector]]
    version: str

    def __call__(self, text: str) -> tuple[str, int]:
        """Replace credentials and return the text with the number of replacements."""
        if len(text) < _SHORTEST:
            return text, 0
        found = list(self._spans(text))
        return _replaced(text, found) if found else (text, 0)

    def _spans(self, text: str) -> Iterator[tuple[int, int, str]]:
        # One byte for each character, whatever it is: places in the bytes are places in the text.
        folded = text.encode("ascii", "replace")
        # What tells by itself what it is comes first: of two that find the same, it says more.
        yield from self._in_long_words(text, folded)
        for literal, detectors in self.within.items():
            for at in _places(folded, literal.encode(), apart=_AROUND):
                around = max(0, at - _AROUND), at + _AROUND
                for detector in detectors:
                    for match in detector.pattern.finditer(text, *around):
                        yield from _taken(detector, match)
        yield from self._at_literals(text, folded.lower())
        yield from self._in_data(text)

    def _at_literals(self, text: str, lowered: bytes) -> Iterator[tuple[int, int, str]]:
        is_ascii = text.isascii()
        for literal, detectors in self.starts.items():
            if literal.isascii():
                data = literal.encode()
                if data not in lowered:  # as nearly always: no generator is made for it
                    continue
                places: Iterable[int] = _places(lowered, data)
            elif is_ascii:
                continue
            else:
                places = _places_in(text, literal)
            for at in places:
                for detector in detectors:
                    yield from _taken(detector, detector.pattern.match(text, at))

    def _in_long_words(self, text: str, folded: bytes) -> Iterator[tuple[int, int, str]]:
        heads = self.heads
        for first, last in _long_words(folded):
            for start in _WORD_START.finditer(text, first, last):
                at = start.start()
                for detector in heads.get(text[at : at + 2], ()) or heads.get(text[at], ()):
                    yield from _taken(detector, detector.pattern.match(text, at))

    def _in_data(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield texts in data URIs that hold a credential."""
        if ";base64," not in text:
            return
        for match in _DATA_URI.finditer(text):
            try:
                told = base64.b64decode(match[1] + "=" * (-len(match[1]) % 4)).decode()
            except (binascii.Error, ValueError):
                continue
            for _, _, kind in self._spans(told):
                yield (*match.span(1), kind)
                break


def _places(data: bytes, literal: bytes, *, apart: int = 1) -> Iterator[int]:
    at = data.find(literal)
    while at >= 0:
        yield at
        at = data.find(literal, at + apart)


def _places_in(text: str, literal: str) -> Iterator[int]:
    """Yield where a name stands that is not all ASCII, in whatever case."""
    rarest = max(literal)  # a search for one character is the fastest of all
    if rarest in text or rarest.upper() in text:
        yield from (match.start() for match in _caseless(literal).finditer(text))


@cache
def _caseless(literal: str) -> re.Pattern[str]:
    return re.compile(re.escape(literal), re.IGNORECASE)


def _long_words(folded: bytes) -> Iterator[tuple[int, int]]:
    """Yield where words stand that are long enough for a token."""
    end = 0
    for word in folded.translate(_ENDS_WORD).split():
        if len(word) >= _LONG:
            start = folded.find(word, end)
            end = start + len(word)
            yield start, end


def _taken(detector: Detector, match: re.Match[str] | None) -> Iterator[tuple[int, int, str]]:
    if match is not None and (detector.accepts is None or detector.accepts(match)):
        yield (*match.span(match.lastindex or 0), detector.kind)


def _replaced(text: str, found: Iterable[tuple[int, int, str]]) -> tuple[str, int]:
    pieces: list[str] = []
    copied = n_found = 0
    for start, end, kind in sorted(found, key=lambda span: (span[0], -span[1])):
        if end <= copied:  # within one that is gone already
            continue
        if start < copied:  # it overlaps one: what is left of it goes too
            copied = end
            continue
        pieces += (text[copied:start], f"[redacted:{kind}]")
        copied = end
        n_found += 1
    return "".join((*pieces, text[copied:])), n_found


@cache
def redactor(more: tuple[Detector, ...] = ()) -> Redactor:
    """Return what finds credentials by Stepwell's own detectors and further ones."""
    by: dict[str, dict[str, list[Detector]]] = {
        way: defaultdict(list) for way in ("starts", "heads", "within")
    }
    for detector in (*DETECTORS, *more):
        for literal in detector.starts:
            by["starts"][literal].append(detector)
        for head in detector.heads:
            by["heads"][head].append(detector)
        if detector.within:
            by["within"][detector.within].append(detector)
    names = ",".join(sorted(f"{one.name}={one.pattern.pattern}" for one in (*DETECTORS, *more)))
    digest = f"{binascii.crc32(names.encode()):08x}"
    return Redactor(by["starts"], by["heads"], by["within"], digest)


def as_redactor(choice: bool | Redactor) -> Redactor | None:  # noqa: FBT001  (what callers choose)
    """Return what replaces credentials: the usual detectors for True, none for False."""
    return (redactor() if choice else None) if isinstance(choice, bool) else choice


def redact(text: str) -> tuple[str, int]:
    """Replace credentials and return the text with the number of replacements.

    Ports, hashes, UUIDs and ordinary words survive; the text around a credential stays. It
    finds shapes and names, not secrets: a password that nothing names is not found.

    >>> redact("DSN=postgres://app:hunter2@db.test:5432/x PORT=8080")
    ('DSN=postgres://app:[redacted:password]@db.test:5432/x PORT=8080', 1)
    """
    return redactor()(text)
