"""What a question asks of a log: which things, between which steps, and what about them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from stepwell.structures.temporal.bounds import ALWAYS, Bounds, bounds_of
from stepwell.structures.temporal.names import words_of
from stepwell.structures.temporal.verbs import base_of, class_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from stepwell.structures.temporal.names import Names

__all__ = ["Asked", "Wish", "asked_of"]


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
        is_sure: Whether what is computed is what was asked, not only near it: no line of a log
            gives reasons by itself, and a word such as "change" may be about anything.
        telling: Whether only actions that changed something are wanted.
        value: A number or word that a slot is to reach; may be empty.
    """

    wish: Wish | None = None
    bounds: Bounds = ALWAYS
    keys: tuple[str, ...] = ()
    is_exact: bool = True
    verbs: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    moves: bool = True
    successful: bool = False
    only_place: bool = False
    is_sure: bool = True
    telling: bool = False
    value: str = ""


_READ = 4_000
"""Characters read of a question: what is longer holds a pasted log."""

_QUOTED = re.compile(r"'([^'\n]{2,120})'|\"([^\"\n]{2,120})\"|`([^`\n]{2,120})`")
_NO_MOVES = re.compile(
    r"\b(?:exclud\w*|without|except(?:ing)?|other\s+than|ignoring|not\s+counting|apart\s+from)\b"
    r"[^.?!]{0,20}?\b(?:go(?:ing)?(?:[\s_]?to)?|moves?\b|movement|navigat\w*|walk\w*)",
    re.IGNORECASE,
)
_SUPPOSE: Final = r"if\b[^?]{0,80}\b(?:execut|perform|run|do|take|issu)\w*[^?\[]{0,60}\["
_THINGS: Final = r"(?:objects?|items?|things?|receptacles?|entit(?:y|ies)|files?|tables?)"
_ACTS: Final = r"(?:actions?|commands?|(?:tool\s+)?calls?|operations?)"
_WISHES: Final = tuple(
    (wish, re.compile("|".join(rf"\b(?:{pattern})" for pattern in patterns), re.IGNORECASE))
    for wish, patterns in (
        (Wish.SUPPOSE, (_SUPPOSE,)),
        (
            Wish.OBJECTS,
            (
                rf"{_THINGS}\b[^?]{{0,60}}?\b(?:interact\w*|touched|manipulated|handled|referenced|queried)\b",
                r"interact\w*\s+with\s+(?:which|what)\b",
            ),
        ),
        (
            Wish.COUNT,
            (
                r"how\s+(?:many\s+times|often)\b",
                r"number\s+of\s+times\b",
                r"how\s+many\s+(?:\w{1,30}\s+)?actions\b",
            ),
        ),
        (
            Wish.FREQUENCY,
            (
                r"frequen",
                r"how\s+many\s+(?:\w{1,30}\s+){0,2}calls\b",
                r"calls\b[^?.]{0,30}\bby\s+(?:type|kind|tool)\b",
                r"counts?\s+of\s+(?:each|every|all)\b",
            ),
        ),
        (Wish.DURATION, (r"how\s+long\b", r"how\s+many\s+(?:steps|turns)\b")),
        (
            Wish.CHANGES,
            (r"actions?\b[^?]{0,60}\bchang", r"chang\w*\b[^?]{0,60}\bactions?\b"),
        ),
        (
            Wish.ACTIONS,
            (
                rf"(?:what|which|list)\b[^?.]{{0,40}}?\b{_ACTS}\b",
                r"what\s+(?:did|has|had)\s+(?:the\s+)?\w+\s+(?:do|done)\b",
            ),
        ),
        (
            Wish.INVENTORY,
            (
                r"inventory\b",
                r"carry(?:ing)?\b",
                r"carried\b",
                r"holding\b",
                r"in\s+(?:its|the\s+agent's|their)\s+hands?\b",
            ),
        ),
        (
            Wish.HISTORY,
            (
                r"chang",
                r"histor(?:y|ies)",
                r"evol",
                r"transition",
                r"over\s+time\b",
                r"timeline\b",
                r"trace\b",
                r"throughout\b",
            ),
        ),
        (Wish.WHEN, (r"when\b", r"(?:which|what)\s+(?:step|turn)s?\b")),
        (
            Wish.STATE,
            (
                r"where\b",
                r"locat",
                r"stat(?:e|us)\b",
                r"value\b",
                r"contain",
                r"hold",
                r"inside\b",
                r"position",
                r"what\s+(?:is|was|were|are|did)\b",
                r"which\b",
                r"how\s+(?:much|many)\b",
                r"(?:is|was)\b",
            ),
        ),
    )
)
"""What is wanted, by words that ask for it: the first that matches."""

_WHAT_CHANGED = re.compile(r"\b(?:what|which|list|any)\b[^?.]{0,60}\bchang", re.IGNORECASE)
_EXPLAINS = re.compile(
    r"\bwhy\b|\bexplain|\breasons?\b|\bcounterfactual|\bhypothe|\binfer|\bwould\s+have\b|\bcritical|"
    r"\bstrateg",
    re.IGNORECASE,
)
_STATE_ASKED = re.compile(
    r"\bwhere\b|\blocat|\bposition|\b(?:state|status|value|contents?)\s+of\b|\bcontain|\bholds?\b|"
    r"\binside\b|\bopen\s+or\b|\bclosed\s+or\b|\bon\s+or\s+off\b",
    re.IGNORECASE,
)
_WHAT_IS = re.compile(
    r"\bwhat\s+(?:is|was|were|are)\s+(?:the|its|their)\s+((?:\S{1,40}\s+){0,3}\S{1,40})",
    re.IGNORECASE,
)
_WORLD_CHANGED = re.compile(
    r"\b(?:environment|world|state)\b[^?.]{0,30}\bchang|\bchang\w*\s+(?:in\s+|to\s+)?(?:the\s+)?"
    r"(?:environment|world|state)|\bwhat\s+(?:has\s+|have\s+)?(?:changed|changes)\b|"
    r"\b(?:what|which)\s+actions?\s+(?:\w+\s+){0,2}chang",
    re.IGNORECASE,
)
_BECOMES = re.compile(
    r"\bchang|\bmodif|\bedit|\bupdat|\breach|\bexceed|\bbec[ao]me|\bturn(?:ed)?\s+(?:in)?to\b|\bwritten\b|"
    r"\bcreat|\bdelet|\bremov",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"\b(?:key|critical|crucial|important|significant|main)\s+(?:\w+\s+)?actions?\b", re.IGNORECASE
)
_PLACE = re.compile(r"\bwhere\b|\blocat|\bposition", re.IGNORECASE)
_SUCCESS = re.compile(r"\bsuccessful(?:ly)?\b|\bsucceed|\bmanaged?\s+to\b", re.IGNORECASE)
_REACH = re.compile(
    r"\b(?:reach|exceed|hit|equal|become|became|turn|drop|fall|rise|go|be|get)\w*\s+(?:to\s+|above\s+|below\s+|over\s+)?"
    r"(-?\d[\d.,]*|\w{2,20})\b",
    re.IGNORECASE,
)
_NO_VERBS: Final = frozenset(
    {
        *("do", "be", "have", "make", "can", "perform", "execute", "start"),
        *("begin", "continue", "show", "know", "list", "step", "need", "want"),
        *("try", "set", "get", "run", "place", "submit", "answer", "change"),
        *("notice", "become", "call", "find", "consider", "turn"),
    }
)
"""Verbs of asking, which are no verbs of the log when a question has them."""


def asked_of(question: str, names: Names, verbs: Collection[str]) -> Asked:
    """Return what a question asks of a log.

    Args:
        question: As it was asked.
        names: The things the log knows.
        verbs: The verbs of its actions.
    """
    text = question[:_READ]
    mentions = names.mentioned(text)
    asked = Asked(
        bounds=bounds_of(text),
        keys=mentions.keys,
        is_exact=mentions.is_exact,
        verbs=_verbs_in(_NO_MOVES.sub(" ", text), verbs, mentions.keys),
        quoted=tuple("".join(groups).strip() for groups in _QUOTED.findall(text)),
        moves=_NO_MOVES.search(text) is None,
        successful=_SUCCESS.search(text) is not None and "fail" not in text.casefold(),
        only_place=_PLACE.search(text) is not None,
        telling=_TELLING.search(text) is not None,
        value=match[1] if (match := _REACH.search(text)) else "",
    )
    wish = _wish(text, asked, is_done=not set(verbs).isdisjoint(asked.verbs))
    return replace(asked, wish=wish, is_sure=_is_sure(text, wish, asked, names))


def _wish(text: str, asked: Asked, *, is_done: bool) -> Wish | None:
    """Return what is wanted; `is_done` says that the log has a verb of the question."""
    wish = next((wish for wish, pattern in _WISHES if pattern.search(text)), None)
    if wish is Wish.HISTORY and not asked.keys:
        return Wish.CHANGES if _WHAT_CHANGED.search(text) else None
    if wish in {Wish.STATE, Wish.DURATION} and not asked.keys:
        return None
    if wish in {Wish.COUNT, Wish.WHEN} and not (asked.keys or asked.quoted or is_done):
        return Wish.FREQUENCY if wish is Wish.COUNT else None
    return wish


def _is_sure(text: str, wish: Wish | None, asked: Asked, names: Names) -> bool:
    if wish is None or _EXPLAINS.search(text):
        return False
    if wish is Wish.STATE:
        named = (names.mentioned(match[1]).keys for match in _WHAT_IS.finditer(text))
        return _STATE_ASKED.search(text) is not None or any(named)
    if wish is Wish.CHANGES and not asked.keys:
        return _WORLD_CHANGED.search(text) is not None
    if wish is Wish.WHEN:
        return bool(asked.verbs or asked.quoted) or _BECOMES.search(text) is not None
    return True


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
