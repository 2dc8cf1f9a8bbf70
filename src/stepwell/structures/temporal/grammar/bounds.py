"""Which steps a question is about: "until step 9", "between steps 3 and 7", "at step 4"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from stepwell.structures.temporal.grammar.patterns import any_of, phrases
from stepwell.structures.temporal.grammar.words.questions import FIRST, LAST, SIDES, UNITS

__all__ = ["ALWAYS", "Bounds", "bounds_of", "without_bounds"]

_READ = 4_000
"""Characters read of a question: what is longer holds a pasted log."""

_STEPS: Final = any_of(UNITS)
_UNIT: Final = rf"(?:the\s+)?{_STEPS}\s*(?:number\s+|no\.?\s*)?#?\s*"
_N: Final = r"(\d{1,9})(?!\d)"
_DASH: Final = r"-|–|—|\.\.+"  # noqa: RUF001  (dashes that people write)
_RANGE = re.compile(
    rf"\b(?:between|from)\s+{_UNIT}{_N}\s*(?:and|to|until|till|through|up\s+to|{_DASH})\s*(?:{_UNIT})?{_N}"
    rf"|\b{_UNIT}{_N}\s*(?:to|through|until|till|{_DASH})\s*(?:{_UNIT})?{_N}"
    rf"|\bbetween\s+{_N}\s+and\s+{_N}",
    re.IGNORECASE,
)
"""From step 3 to step 7; steps 3-7; between 3 and 7."""

_SIDES: Final = {
    side: re.compile(rf"{phrases(words)}\s+{_UNIT}{_N}", re.IGNORECASE)
    for side, words in SIDES.items()
}
_SAID: Final = ("before", "until", "after", "since")
"""The order in which the sides are told."""

_POINT = re.compile(
    rf"\b{_STEPS}\s*#?\s*{_N}((?:\s*(?:,|and|&|or)\s*(?:{_UNIT})?\d{{1,9}})*)|\bs{_N}\b",
    re.IGNORECASE,
)
"""Steps 3, 5 and 9; s3."""

_NUMBER = re.compile(r"\d+")
_FIRST = re.compile(phrases(FIRST), re.IGNORECASE)
_LAST = re.compile(phrases(LAST), re.IGNORECASE)
_MOST_POINTS, _MOST_SAID = 32, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Which steps a question is about.

    Attributes:
        first: The first step.
        last: The last step; None for the end of the run.
        points: Steps named one by one.
        said: The bounds in words; empty when the question sets none.
        pick: Whether only the first or the last is wanted; empty for all.
    """

    first: int = 0
    last: int | None = None
    points: tuple[int, ...] = ()
    said: str = ""
    pick: str = ""


ALWAYS: Final = Bounds()
"""All of a run."""


def bounds_of(question: str) -> Bounds:
    """Return which steps a question is about: "before step 9" leaves step 9 out.

    >>> bounds_of("Until step 12, what happened?").last, bounds_of("Before step 12?").last
    (12, 11)
    >>> bounds_of("From step 3 to step 6").first
    3
    """
    text = " ".join(question[:_READ].split())
    pick = _pick(text)
    if match := _RANGE.search(text):
        one, other = sorted(int(number) for number in match.groups() if number)
        return Bounds(first=one, last=other, said=f"from s{one} to s{other}", pick=pick)
    if sides := _sides(text):
        return _between(sides, pick)
    if points := _points(text):
        shown = ", ".join(f"s{step}" for step in points[:_MOST_SAID])
        return Bounds(last=max(points), points=points, said=f"at {shown}", pick=pick)
    return Bounds(pick=pick)


def without_bounds(question: str) -> str:
    """Return a question without the steps that bound it.

    >>> without_bounds("Where was mug 1 at step 30?")
    'Where was mug 1 at  ?'
    """
    text = " ".join(question[:_READ].split())
    for pattern in (_RANGE, *_SIDES.values(), _POINT):
        text = pattern.sub(" ", text)
    return text


def _sides(text: str) -> dict[str, int]:
    """Return the step that each side is bounded by, of those that the text bounds."""
    found: dict[str, int] = {}
    for side, pattern in _SIDES.items():
        if match := pattern.search(text):
            found[side] = int(match[1])
            # What has bounded one side is no bound of another: "no later than" of "later than".
            text = f"{text[: match.start()]} {text[match.end() :]}"
    return {side: found[side] for side in _SAID if side in found}


def _between(sides: dict[str, int], pick: str) -> Bounds:
    first = 0
    last: int | None = None
    if "before" in sides:
        last = max(sides["before"] - 1, 0)
    if "until" in sides:
        last = sides["until"]
    if "after" in sides:
        first = sides["after"] + 1
    if "since" in sides:
        first = sides["since"]
    said = " ".join(f"{side} s{step}" for side, step in sides.items())
    return Bounds(first=first, last=last, said=said, pick=pick)


def _points(text: str) -> tuple[int, ...]:
    found: list[int] = []
    for match in _POINT.finditer(text):
        found.append(int(match[1] or match[3]))
        found += map(int, _NUMBER.findall(match[2] or ""))
    return tuple(dict.fromkeys(found))[:_MOST_POINTS]


def _pick(text: str) -> str:
    if _FIRST.search(text):
        return "first"
    return "last" if _LAST.search(text) else ""
