"""Read what a question says about *where*: named steps, ranges, places before or after errors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from stepwell.text.languages import in_english_steps

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["NearError", "Places", "places_in", "without_places"]

_UNITS = r"(?:steps?|turns?)"
_NUMBER = r"(?:#|s|no\.?\s*|number\s+)?(\d{1,12})(?!\d)"
_JOIN = r"\s*(?:,\s*and|,\s*or|,|/|&|\+|and|or|vs\.?|versus|then)\s*"
_DASH = r"\s*(?:-|\u2013|\u2014|to|through|until|till|up\s+to|\.\.+)\s*"
_UNIT_AGAIN = rf"(?:{_UNITS}\s*)?"
_LIST = (
    rf"\b{_UNITS}\s*[:#]?\s*\(?{_NUMBER}"
    rf"(?:(?:{_DASH}|{_JOIN}){_UNIT_AGAIN}{_NUMBER}(?![\w%]))*"
)
_NAMED = re.compile(_LIST, re.IGNORECASE)
_BETWEEN = re.compile(
    rf"\bbetween\s+(?:the\s+)?{_UNITS}\s*{_NUMBER}\s*(?:and|&|-|to)\s*{_UNIT_AGAIN}{_NUMBER}\b",
    re.IGNORECASE,
)
# Without the word "step" a range is meant only if no noun follows: not "between 3 and 9 euros".
_BARE_BETWEEN = re.compile(
    r"\bbetween\s+(\d{1,12})\s+and\s+(\d{1,12})(?!\d)"
    r"(?=\s*(?:[,;?!)]|\.(?!\d)|$|(?:did|does|was|were|is|are|what|which|who|how|why|the)\b))",
    re.IGNORECASE,
)
_FROM_TO = re.compile(
    rf"\bfrom\s+{_UNITS}\s*{_NUMBER}\s*(?:to|through|until|till|-)\s*{_UNIT_AGAIN}{_NUMBER}\b",
    re.IGNORECASE,
)
_CITED = re.compile(r"\bs(\d{1,12})(?:\.(?:m|t|[co]\d+)(?::L\d+(?:-L?\d+)?)?)?\b")
_ORDINAL = re.compile(
    rf"\b(first|last|final|initial|previous)\s+(?:(\d{{1,3}}|two|three|four|five|ten)\s+)?{_UNITS}\b",
    re.IGNORECASE,
)
_NUMBER_WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
_ACTS = (
    r"(?:commands?|calls?|actions?|edits?|steps?|things?|quer(?:y|ies)|changes?|tools?|run|ran|"
    r"executed?|do|did|tried|try)"
)
_FAULTS = r"(?:errors?|failures?|exceptions?|tracebacks?|crash(?:es)?|failed\s+\w+|faults?)"
_NEAR_ERROR = re.compile(
    rf"\b{_ACTS}\b"
    rf"(?P<gap>[^.?!]{{0,60}}?)\b(?P<side>before|after|following|fixed|fixes|to\s+fix|"
    rf"fixing|resolved|solved|preceding|prior\s+to|caused|causing)\s+(?:the|an?|any|that|this|its)?\s*"
    rf"(?P<pick>first|last|final|latest|initial|most\s+recent)?\s*(?P<topic>[^.?!,]{{0,60}}?)"
    rf"\b{_FAULTS}\b",
    re.IGNORECASE,
)
_BEFORE_WORDS = ("before", "preceding", "prior", "caus")
_WIDEST = 10_000

_READ = 2_000
"""Characters at each end of a question that are searched for places. What is pasted between them is
a log or a file, whose numbers say nothing about where to look."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NearError:
    """A wish such as "the last command before the database error".

    Attributes:
        side: Which side of the error is wanted.
        pick: Which error, when several match.
        topic: Words that say which error is meant; may be empty.
    """

    side: Literal["before", "after"]
    pick: Literal["first", "last"]
    topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """What a question says about where to look.

    Attributes:
        ranges: Named steps as (first, last), 0-based, inclusive, in the order they are named.
        first: How many steps at the start are asked for.
        last: How many steps at the end are asked for.
        near_error: A place relative to an error.
    """

    ranges: tuple[tuple[int, int], ...] = ()
    first: int = 0
    last: int = 0
    near_error: NearError | None = None

    def __bool__(self) -> bool:
        return bool(self.ranges or self.first or self.last or self.near_error)


def places_in(question: str) -> Places:
    """Return what a question says about where to look.

    >>> places_in("Compare steps 4 and 23-24.").ranges
    ((4, 4), (23, 24))
    >>> places_in("What changed between step 3 and step 9?").ranges[0]
    (3, 9)
    >>> places_in("What was the exact command after the last database error?").near_error.side
    'after'
    """
    question = _read(question)
    ranges = list(dict.fromkeys(_ranges(question)))
    spoken = _NAMED.sub(" ", question)
    ends = {"first": 0, "last": 0}
    for match in _ORDINAL.finditer(spoken):
        word = (match[2] or "1").lower()
        end = "first" if match[1].lower() in {"first", "initial"} else "last"
        ends[end] = max(ends[end], _NUMBER_WORDS.get(word) or int(word))
    return Places(
        ranges=tuple(ranges),
        first=ends["first"],
        last=ends["last"],
        near_error=_near_error(question),
    )


def without_places(question: str) -> str:
    """Return the question without the step numbers it names, for matching by content.

    >>> without_places("At step 42, which file was edited?")
    'At , which file was edited?'
    """
    question = in_english_steps(" ".join(question.split()))
    for pattern in (_BETWEEN, _BARE_BETWEEN, _FROM_TO, _NAMED):
        question = pattern.sub(" ", question)
    return " ".join(question.split())


def _read(question: str) -> str:
    """Return what is searched for places, on one line.

    Runs of blanks become one, because the patterns take quadratic time over them.
    """
    line = " ".join(question.split())
    read = line if len(line) <= 2 * _READ else f"{line[:_READ]}\n{line[-_READ:]}"
    return in_english_steps(read)


def _ranges(question: str) -> Iterator[tuple[int, int]]:
    for pattern in (_BETWEEN, _FROM_TO, _BARE_BETWEEN):
        for match in pattern.finditer(question):
            yield _range(int(match[1]), int(match[2]))
    for match in _NAMED.finditer(question):
        yield from _list(match[0])
    for match in _CITED.finditer(question):
        yield int(match[1]), int(match[1])


def _list(text: str) -> Iterator[tuple[int, int]]:
    """Read "steps 4 and 23-24" as single steps and ranges."""
    tokens = re.findall(
        r"\d+|(?<=[\d)])\s*(?:-|\u2013|\u2014|\.\.+)|\b(?:to|through|until|till)\b", text
    )
    pending: int | None = None
    ranged = False
    for token in tokens:
        if not token.strip().isdigit():
            ranged = pending is not None
            continue
        number = int(token)
        if ranged and pending is not None:
            yield _range(pending, number)
            pending, ranged = None, False
            continue
        if pending is not None:
            yield pending, pending
        pending = number
    if pending is not None:
        yield pending, pending


def _range(one: int, other: int) -> tuple[int, int]:
    first, last = min(one, other), max(one, other)
    return first, min(last, first + _WIDEST)


def _near_error(question: str) -> NearError | None:
    match = _NEAR_ERROR.search(question)
    if match is None:
        return None
    return NearError(
        side="before" if match["side"].lower().startswith(_BEFORE_WORDS) else "after",
        pick="first" if (match["pick"] or "").lower() in {"first", "initial"} else "last",
        topic=(match["topic"] or "").strip(),
    )
