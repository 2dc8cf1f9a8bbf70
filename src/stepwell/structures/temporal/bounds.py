"""Which steps a question is about: "until step 9", "between steps 3 and 7", "at step 4"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["ALWAYS", "Bounds", "bounds_of"]

_READ = 4_000
"""Characters read of a question: what is longer holds a pasted log."""

_UNIT = r"(?:the\s+)?(?:steps?|turns?)\s*(?:number\s+|no\.?\s*)?#?\s*"
_N = r"(\d{1,9})(?!\d)"
_TO = r"\s*(?:and|to|until|till|through|up\s+to|-|–|—|\.\.+)\s*"  # noqa: RUF001
_RANGE = re.compile(
    rf"\b(?:between|from)\s+{_UNIT}{_N}{_TO}(?:{_UNIT})?{_N}"
    rf"|\b{_UNIT}{_N}\s*(?:to|through|until|till|-|–|—|\.\.+)\s*(?:{_UNIT})?{_N}"  # noqa: RUF001
    rf"|\bbetween\s+{_N}\s+and\s+{_N}",
    re.IGNORECASE,
)
_SIDES: Final = (
    (
        re.compile(
            rf"\b(?:before|prior\s+to|preceding|earlier\s+than)\s+{_UNIT}{_N}", re.IGNORECASE
        ),
        "before",
    ),
    (
        re.compile(
            rf"\b(?:until|till|up\s+to(?:\s+and\s+including)?|through|by(?:\s+the\s+end\s+of)?|"
            rf"no\s+later\s+than)\s+{_UNIT}{_N}",
            re.IGNORECASE,
        ),
        "until",
    ),
    (re.compile(rf"\b(?:after|following|later\s+than)\s+{_UNIT}{_N}", re.IGNORECASE), "after"),
    (
        re.compile(rf"\b(?:since|from|starting\s+(?:at|from|with))\s+{_UNIT}{_N}", re.IGNORECASE),
        "since",
    ),
)
_POINT = re.compile(
    rf"\b(?:steps?|turns?)\s*#?\s*{_N}((?:\s*(?:,|and|&|or)\s*(?:{_UNIT})?\d{{1,9}})*)|\bs{_N}\b",
    re.IGNORECASE,
)
_FIRST = re.compile(
    r"\b(?:first|initial(?:ly)?|at\s+the\s+(?:start|beginning)|earliest|originally)\b",
    re.IGNORECASE,
)
_LAST = re.compile(
    r"\b(?:last|final(?:ly)?|latest|most\s+recent(?:ly)?|in\s+the\s+end|at\s+the\s+end)\b",
    re.IGNORECASE,
)


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
    first = 0
    last: int | None = None
    said: list[str] = []
    for pattern, side in _SIDES:
        if match := pattern.search(text):
            step = int(match[1])
            said.append(f"{side} s{step}")
            if side in {"before", "until"}:
                last = max(step - (side == "before"), 0)
            else:
                first = step + (side == "after")
    if said:
        return Bounds(first=first, last=last, said=" ".join(said), pick=pick)
    points = _points(text)
    if points:
        shown = ", ".join(f"s{step}" for step in points[:8])
        return Bounds(last=max(points), points=points, said=f"at {shown}", pick=pick)
    return Bounds(pick=pick)


def _points(text: str) -> tuple[int, ...]:
    found: list[int] = []
    for match in _POINT.finditer(text):
        found.append(int(match[1] or match[3]))
        found += [int(number) for number in re.findall(r"\d+", match[2] or "")]
    return tuple(dict.fromkeys(found))[:32]


def _pick(text: str) -> str:
    if _FIRST.search(text):
        return "first"
    return "last" if _LAST.search(text) else ""
