"""What a question asks of a log: which things, between which steps, and what about them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from stepwell.structures.temporal.names import words_of
from stepwell.structures.temporal.verbs import base_of, class_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from stepwell.structures.temporal.names import Names

__all__ = ["Asked", "Bounds", "Wish", "asked_of", "bounds_of"]


class Wish(StrEnum):
    """What is wanted."""

    STATE = "state"
    HISTORY = "history"
    INVENTORY = "inventory"
    ACTIONS = "actions"
    COUNT = "count"
    FREQUENCY = "frequency"
    OBJECTS = "objects"
    CHANGES = "changes"
    WHEN = "when"
    DURATION = "duration"
    SUPPOSE = "suppose"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question as it is put to a log.

    Attributes:
        wish: What is wanted; None when nothing can be computed.
        bounds: The steps it is about.
        keys: Keys of the things it names, in order.
        is_exact: Whether each is named itself.
        verbs: Verbs it names that the log knows, in their base form.
        quoted: Texts in quotation marks: actions, as a rule.
        moves: Whether the agent's own moves count as actions.
        successful: Whether only what succeeded counts.
        only_place: Whether only locations are wanted.
        explains: Whether reasons are wanted, which no line of a log gives by itself.
        telling: Whether only actions that changed something are wanted.
        value: A number or word that a slot is to reach; may be empty.
    """

    wish: Wish | None = None
    bounds: Bounds = Bounds()
    keys: tuple[str, ...] = ()
    is_exact: bool = True
    verbs: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    moves: bool = True
    successful: bool = False
    only_place: bool = False
    explains: bool = False
    telling: bool = False
    value: str = ""


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
        re.compile(rf"\b(?:before|prior\s+to|preceding|earlier\s+than)\s+{_UNIT}{_N}", re.I),
        "before",
    ),
    (
        re.compile(
            rf"\b(?:until|till|up\s+to(?:\s+and\s+including)?|through|by(?:\s+the\s+end\s+of)?|"
            rf"no\s+later\s+than)\s+{_UNIT}{_N}",
            re.I,
        ),
        "until",
    ),
    (re.compile(rf"\b(?:after|following|later\s+than)\s+{_UNIT}{_N}", re.I), "after"),
    (re.compile(rf"\b(?:since|from|starting\s+(?:at|from|with))\s+{_UNIT}{_N}", re.I), "since"),
)
_POINT = re.compile(
    rf"\b(?:steps?|turns?)\s*#?\s*{_N}((?:\s*(?:,|and|&|or)\s*(?:{_UNIT})?\d{{1,9}})*)|\bs{_N}\b",
    re.I,
)
_FIRST = re.compile(
    r"\b(?:first|initial(?:ly)?|at\s+the\s+(?:start|beginning)|earliest|originally)\b", re.I
)
_LAST = re.compile(
    r"\b(?:last|final(?:ly)?|latest|most\s+recent(?:ly)?|in\s+the\s+end|at\s+the\s+end)\b", re.I
)
_QUOTED = re.compile(r"'([^'\n]{2,120})'|\"([^\"\n]{2,120})\"|`([^`\n]{2,120})`")
_NO_MOVES = re.compile(
    r"\b(?:exclud\w*|without|except(?:ing)?|other\s+than|ignoring|not\s+counting|apart\s+from)\b"
    r"[^.?!]{0,20}?\b(?:go(?:ing)?(?:[\s_]?to)?|moves?\b|movement|navigat\w*|walk\w*)",
    re.I,
)
_SUPPOSE = re.compile(
    r"\bif\b[^?]{0,80}\b(?:execut|perform|run|do|take|issu)\w*[^?\[]{0,60}\[", re.I
)
_WISHES: Final = (
    (Wish.SUPPOSE, _SUPPOSE),
    (
        Wish.OBJECTS,
        re.compile(
            r"\b(?:objects?|items?|things?|receptacles?|entit(?:y|ies)|files?)\b[^?]{0,60}?\b(?:interact\w*|"
            r"touched|manipulated|handled)\b|\binteract\w*\s+with\s+(?:which|what)\b",
            re.I,
        ),
    ),
    (Wish.COUNT, re.compile(r"\bhow\s+(?:many\s+times|often)\b|\bnumber\s+of\s+times\b|\bhow\s+many\s+\w*\s*actions\b", re.I)),
    (Wish.FREQUENCY, re.compile(r"\bfrequen|\bcounts?\s+of\s+(?:each|every|all)\b", re.I)),
    (Wish.DURATION, re.compile(r"\bhow\s+long\b|\bfor\s+how\s+many\s+(?:steps|turns)\b|\bhow\s+many\s+(?:steps|turns)\b", re.I)),
    (Wish.CHANGES, re.compile(r"\bactions?\b[^?]{0,60}\bchang|\bchang\w*\b[^?]{0,60}\bactions?\b", re.I)),
    (
        Wish.ACTIONS,
        re.compile(r"\b(?:what|which|list)\b[^?.]{0,40}?\b(?:actions?|commands?|(?:tool\s+)?calls?|operations?)\b"
                   r"|\bwhat\s+(?:did|has|had)\s+(?:the\s+)?\w+\s+(?:do|done)\b", re.I),
    ),
    (Wish.INVENTORY, re.compile(r"\binventory\b|\bcarry(?:ing)?\b|\bcarried\b|\bholding\b|\bin\s+(?:its|the\s+agent's|their)\s+hands?\b", re.I)),
    (Wish.HISTORY, re.compile(r"\bchang|\bhistor(?:y|ies)|\bevol|\btransition|\bover\s+time\b|\btimeline\b|\btrace\b|\bthroughout\b", re.I)),
    (Wish.WHEN, re.compile(r"\bwhen\b|\b(?:which|what)\s+(?:step|turn)s?\b", re.I)),
    (Wish.STATE, re.compile(r"\bwhere\b|\blocat|\bstate\b|\bstatus\b|\bvalue\b|\bcontain|\bhold|\binside\b|\bposition|\bwhat\s+(?:is|was|were|are|did)\b|\bwhich\b|\bhow\s+(?:much|many)\b|\bis\b|\bwas\b", re.I)),
)  # fmt: skip
_WHAT_CHANGED = re.compile(r"\b(?:what|which|list|any)\b[^?.]{0,60}\bchang", re.I)
_EXPLAINS = re.compile(
    r"\bwhy\b|\bexplain|\breasons?\b|\bcounterfactual|\bhypothe|\binfer|\bwould\s+have\b|\bcritical|"
    r"\bstrateg",
    re.I,
)
_TELLING = re.compile(
    r"\b(?:key|critical|crucial|important|significant|main)\s+(?:\w+\s+)?actions?\b", re.I
)
_PLACE = re.compile(r"\bwhere\b|\blocat|\bposition", re.I)
_SUCCESS = re.compile(r"\bsuccessful(?:ly)?\b|\bsucceed|\bmanaged?\s+to\b", re.I)
_REACH = re.compile(
    r"\b(?:reach|exceed|hit|equal|become|became|turn|drop|fall|rise|go|be|get)\w*\s+(?:to\s+|above\s+|below\s+|over\s+)?"
    r"(-?\d[\d.,]*|\w{2,20})\b",
    re.I,
)
_NO_VERBS: Final = frozenset(
    "do be have make can perform execute start begin continue show know list step need want try "
    "set get run place submit answer change notice become call find consider turn".split()
)


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
    first, last, said = 0, None, []
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


def asked_of(question: str, names: Names, verbs: Collection[str]) -> Asked:
    """Return what a question asks of a log.

    Args:
        question: As it was asked.
        names: The things the log knows.
        verbs: The verbs of its actions.
    """
    text = question[:_READ]
    mentions = names.mentioned(text)
    quoted = tuple("".join(groups).strip() for groups in _QUOTED.findall(text))
    named = _verbs_in(text, verbs, mentions.keys)
    bounds = bounds_of(text)
    return Asked(
        wish=_wish(text, keys=mentions.keys, verbs=named, quoted=quoted),
        bounds=bounds,
        keys=mentions.keys,
        is_exact=mentions.is_exact,
        verbs=named,
        quoted=quoted,
        moves=_NO_MOVES.search(text) is None,
        successful=_SUCCESS.search(text) is not None,
        only_place=_PLACE.search(text) is not None,
        telling=_TELLING.search(text) is not None,
        explains=_EXPLAINS.search(text) is not None,
        value=match[1] if (match := _REACH.search(text)) else "",
    )


def _wish(
    text: str, *, keys: tuple[str, ...], verbs: tuple[str, ...], quoted: tuple[str, ...]
) -> Wish | None:
    wish = next((wish for wish, pattern in _WISHES if pattern.search(text)), None)
    if wish is Wish.COUNT and not (keys or verbs or quoted):
        return Wish.FREQUENCY
    if wish is Wish.HISTORY and not keys:
        return Wish.CHANGES if _WHAT_CHANGED.search(text) else None
    if wish in {Wish.STATE, Wish.DURATION} and not keys:
        return None
    if wish is Wish.WHEN and not (keys or verbs or quoted):
        return None
    return wish


def _verbs_in(text: str, known: Collection[str], keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return the verbs of a question that the log has, else their kin: "picked up" for `take`."""
    named = {word for key in keys for word in key.split(" ")}
    found: dict[str, None] = {}
    for word in words_of(text):
        base = base_of(word)
        if word in named or base in _NO_VERBS or class_of(base) == "":
            if word not in known or word in named or word in _NO_VERBS:
                continue
            base = word
        kin = [verb for verb in sorted(known) if class_of(verb) == class_of(base) != ""]
        # What no verb of the log means may still be seen by what has changed.
        found.update(dict.fromkeys([base] if base in known or not kin else kin))
    return tuple(found)
