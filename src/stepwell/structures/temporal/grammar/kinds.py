"""The kinds of questions that a log can answer, and which kind a question is."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from stepwell.structures.temporal.grammar.patterns import phrases
from stepwell.structures.temporal.grammar.words.failures import FAILING, FIXING
from stepwell.structures.temporal.grammar.words.questions import (
    CARRYING,
    DURATIONS,
    HISTORIES,
    MOMENTS,
    STATES,
)

__all__ = ["QueryKind", "kind_of"]


class QueryKind(StrEnum):
    """What is wanted of a log."""

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
    FILES = "files"
    FAILURES = "failures"
    FIX = "fix"


_THINGS: Final = r"(?:objects?|items?|things?|receptacles?|entit(?:y|ies)|files?|tables?)"
_TOUCHED: Final = r"(?:interact\w*|touched|manipulated|handled|referenced|queried)"
_ACTS: Final = r"(?:actions?|commands?|(?:tool\s+)?calls?|operations?)"
_EDITED: Final = r"(?:edit|chang|modif|writ|creat|delet|remov|updat|alter)\w*"
_FAILS: Final = phrases(FAILING)
_SOURCES: Final = {
    # If the agent executes actions ['open box 1'], what changes?
    QueryKind.SUPPOSE: (r"\bif\b[^?]{0,80}\b(?:execut|perform|run|do|take|issu)\w*[^?\[]{0,60}\[",),
    # Which objects were interacted with?
    QueryKind.OBJECTS: (
        rf"\b{_THINGS}\b[^?]{{0,60}}?\b{_TOUCHED}\b",
        r"\binteract\w*\s+with\s+(?:which|what)\b",
    ),
    # Which command fixed it?
    QueryKind.FIX: (
        rf"\b(?:what|which)\s+(?:{_ACTS}|steps?|edits?|changes?)?\s*{phrases(FIXING)}",
    ),
    # List all files edited.
    QueryKind.FILES: (
        rf"\b(?:what|which|list|all|many|any|name)\b[^?.]{{0,20}}\bfiles?\b[^?.]{{0,30}}\b{_EDITED}",
        rf"\b(?:what|which|list|all|many|any|name)\b[^?.]{{0,30}}\b{_EDITED}\s+files?\b",
    ),
    # How many commands failed? What was the last error?
    QueryKind.FAILURES: (
        rf"\b(?:what|which|list|all|many|any)\b[^?.,]{{0,30}}?\b(?:{_ACTS}|steps?)\b[^?.,]{{0,30}}{_FAILS}",
        r"\b(?:what|which|list|all|many|any|show)\b[^?.]{0,30}\b(?:errors?|failures?|exceptions?)\b",
    ),
    # How many times was the box opened?
    QueryKind.COUNT: (
        phrases(("how many times", "how often", "number of times")),
        r"\bhow\s+many\s+(?:\w{1,30}\s+)?actions\b",
    ),
    # How frequently was each action performed?
    QueryKind.FREQUENCY: (
        phrases(("frequen*",)),
        r"\bhow\s+many\s+(?:\w{1,30}\s+){0,2}calls\b",
        r"\bcalls\b[^?.]{0,30}\bby\s+(?:type|kind|tool)\b",
        r"\bcounts?\s+of\s+(?:each|every|all)\b",
    ),
    QueryKind.DURATION: (phrases(DURATIONS),),
    # Which actions changed the environment?
    QueryKind.CHANGES: (
        r"\bactions?\b[^?]{0,60}\bchang",
        r"\bchang\w*\b[^?]{0,60}\bactions?\b",
    ),
    # What did the agent do?
    QueryKind.ACTIONS: (
        rf"\b(?:what|which|list)\b[^?.]{{0,40}}?\b{_ACTS}\b",
        r"\bwhat\s+(?:did|has|had)\s+(?:the\s+)?\w+\s+(?:do|done)\b",
    ),
    QueryKind.INVENTORY: (phrases(CARRYING),),
    QueryKind.HISTORY: (phrases(HISTORIES),),
    QueryKind.WHEN: (phrases(MOMENTS),),
    QueryKind.STATE: (phrases(STATES),),
}
"""The forms of each kind, the most particular kind first: the first that matches is meant."""

_KINDS: Final = {
    kind: re.compile("|".join(sources), re.IGNORECASE) for kind, sources in _SOURCES.items()
}
_WHAT_CHANGED = re.compile(r"\b(?:what|which|list|any)\b[^?.]{0,60}\bchang", re.IGNORECASE)

_OF_ACTIONS: Final = frozenset({QueryKind.COUNT, QueryKind.WHEN})
_WITHOUT_NAMES: Final[dict[QueryKind, QueryKind | None]] = {
    QueryKind.STATE: None,
    QueryKind.DURATION: None,
    QueryKind.COUNT: QueryKind.FREQUENCY,
    QueryKind.WHEN: None,
}
"""What can be computed instead when nothing is named that the log knows."""


def _first_kind(text: str) -> QueryKind | None:
    return next((kind for kind, pattern in _KINDS.items() if pattern.search(text)), None)


def kind_of(text: str, *, names_things: bool, names_actions: bool) -> QueryKind | None:
    """Return what a question wants; None when nothing can be computed for it.

    Args:
        text: The question.
        names_things: Whether it names things that the log knows.
        names_actions: Whether it quotes an action or has a verb that the log knows.
    """
    kind = _first_kind(text)
    if kind is None or names_things:
        return kind
    if kind is QueryKind.HISTORY:
        return QueryKind.CHANGES if _WHAT_CHANGED.search(text) else None
    if kind in _OF_ACTIONS and names_actions:
        return kind
    return _WITHOUT_NAMES.get(kind, kind)
