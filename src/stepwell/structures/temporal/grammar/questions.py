"""What a question asks of a log: which things, between which steps, and what about them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stepwell.structures.temporal.grammar.bounds import ALWAYS, Bounds, bounds_of
from stepwell.structures.temporal.grammar.kinds import QueryKind, kind_of
from stepwell.structures.temporal.grammar.names import words_of
from stepwell.structures.temporal.grammar.patterns import any_of, phrases
from stepwell.structures.temporal.grammar.verbs import base_of, class_of
from stepwell.structures.temporal.grammar.words.questions import (
    BECOMING,
    EXPLAINING,
    PLACES,
    REACHING,
    STATES_OF,
    SUCCESS,
)
from stepwell.structures.temporal.grammar.words.verbs import DOUBTFUL

if TYPE_CHECKING:
    from collections.abc import Collection

    from stepwell.structures.temporal.grammar.mentions import Names

__all__ = ["LogQuery", "read_question"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogQuery:
    """A question as it is put to a log.

    Attributes:
        kind: What is wanted; None when nothing can be computed.
        bounds: The steps it is about.
        keys: Keys of the things it names, in order.
        verbs: Verbs it names that the log knows, in their base form.
        quoted: Texts in quotation marks: actions, as a rule.
        with_moves: Whether the agent's own moves count as actions.
        only_successful: Whether only what succeeded counts.
        only_place: Whether only locations are wanted.
        is_sure: Whether what is computed is what was asked, not only near it: no line of a log
            gives reasons by itself, and a word such as "change" may be about anything.
        only_telling: Whether only actions that changed something are wanted.
        value: A number or word that a slot is to reach; may be empty.
    """

    kind: QueryKind | None = None
    bounds: Bounds = ALWAYS
    keys: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    with_moves: bool = True
    only_successful: bool = False
    only_place: bool = False
    is_sure: bool = True
    only_telling: bool = False
    value: str = ""


_READ = 4_000
"""Characters read of a question: what is longer holds a pasted log."""

_QUOTED = re.compile(r"'([^'\n]{2,120})'|\"([^\"\n]{2,120})\"|`([^`\n]{2,120})`")
_WITHOUT_MOVES = re.compile(
    r"\b(?:exclud\w*|without|except(?:ing)?|other\s+than|ignoring|not\s+counting|apart\s+from)\b"
    r"[^.?!]{0,20}?\b(?:go(?:ing)?(?:[\s_]?to)?|moves?\b|movement|navigat\w*|walk\w*)",
    re.IGNORECASE,
)
"""Excluding 'go to' actions."""

_TELLING = re.compile(
    r"\b(?:key|critical|crucial|important|significant|main)\s+(?:\w+\s+)?actions?\b", re.IGNORECASE
)
"""The key actions."""

_REACHED = re.compile(
    rf"\b{any_of(REACHING)}\w*\s+(?:to\s+|above\s+|below\s+|over\s+)?(-?\d[\d.,]*|\w{{2,20}})\b",
    re.IGNORECASE,
)
"""(When did the score) exceed 40?"""

_WHAT_IS = re.compile(
    r"\bwhat\s+(?:is|was|were|are)\s+(?:the|its|their)\s+((?:\S{1,40}\s+){0,3}\S{1,40})",
    re.IGNORECASE,
)
"""What was the score?"""

_WORLD_CHANGED = re.compile(
    r"\b(?:environment|world|state)\b[^?.]{0,30}\bchang"
    r"|\bchang\w*\s+(?:in\s+|to\s+)?(?:the\s+)?(?:environment|world|state)"
    r"|\bwhat\s+(?:has\s+|have\s+)?(?:changed|changes)\b"
    r"|\b(?:what|which)\s+actions?\s+(?:\w+\s+){0,2}chang",
    re.IGNORECASE,
)
"""Which actions changed the environment?"""

_PLACE = re.compile(phrases(PLACES), re.IGNORECASE)
_SUCCESS = re.compile(phrases(SUCCESS), re.IGNORECASE)
_EXPLAINS = re.compile(phrases(EXPLAINING), re.IGNORECASE)
_STATE_OF = re.compile(phrases(STATES_OF), re.IGNORECASE)
_BECOMES = re.compile(phrases(BECOMING), re.IGNORECASE)


def read_question(question: str, names: Names, verbs: Collection[str]) -> LogQuery:
    """Return what a question asks of a log.

    Args:
        question: As it was asked.
        names: The things the log knows.
        verbs: The verbs of its actions.
    """
    text = question[:_READ]
    keys = names.mentioned(text)
    reached = _REACHED.search(text)
    query = LogQuery(
        bounds=bounds_of(text),
        keys=keys,
        verbs=_verbs_in(_WITHOUT_MOVES.sub(" ", text), verbs, keys),
        quoted=tuple("".join(groups).strip() for groups in _QUOTED.findall(text)),
        with_moves=_WITHOUT_MOVES.search(text) is None,
        only_successful=_SUCCESS.search(text) is not None and "fail" not in text.casefold(),
        only_place=_PLACE.search(text) is not None,
        only_telling=_TELLING.search(text) is not None,
        value=reached[1] if reached else "",
    )
    is_of_actions = bool(query.quoted) or not set(verbs).isdisjoint(query.verbs)
    kind = kind_of(text, names_things=bool(keys), names_actions=is_of_actions)
    return replace(query, kind=kind, is_sure=_is_sure(text, kind, query, names))


def _is_sure(text: str, kind: QueryKind | None, query: LogQuery, names: Names) -> bool:
    if kind is None or _EXPLAINS.search(text):
        return False
    if kind is QueryKind.STATE:
        named = (names.mentioned(match[1]) for match in _WHAT_IS.finditer(text))
        return any((_STATE_OF.search(text), *named))
    if kind is QueryKind.CHANGES:
        return any((query.keys, _WORLD_CHANGED.search(text)))
    if kind is QueryKind.WHEN:
        return any((query.verbs, query.quoted, _BECOMES.search(text)))
    return True


def _verbs_in(text: str, known: Collection[str], keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return the verbs of a question that are not part of a name, as the log has them."""
    named = {word for key in keys for word in key.split(" ")}
    found: dict[str, None] = {}
    for word in words_of(text):
        if word not in named:
            found.update(dict.fromkeys(_verbs_meant(word, known)))
    return tuple(found)


def _verbs_meant(word: str, known: Collection[str]) -> list[str]:
    """Return the verbs of the log that a word means, "picked up" for `take`; none for no verb."""
    verb = base_of(word)
    if verb in DOUBTFUL or not class_of(verb):
        return [word] if word in set(known) - DOUBTFUL else []
    if verb in known:
        return [verb]
    alike = [other for other in sorted(known) if class_of(other) == class_of(verb)]
    # What no verb of the log means may still be seen by what has changed.
    return alike or [verb]
