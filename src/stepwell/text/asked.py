"""Read which step of a run an everyday question asks for: who spoke, which of them, beside what.

"What did the user ask first?", "what was the last command?", "what happened after the tests
failed?". A question is read as the set of words that `languages` knows, whatever their order, and
only if nothing else is left of it but what may tell which of several steps is meant.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from stepwell.text.dates import without_times
from stepwell.text.languages import words_in
from stepwell.text.question import places_in, without_places
from stepwell.text.search import content_of, search_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from stepwell.text.languages import Word

__all__ = ["Asked", "What", "asked_in", "is_about_now", "quotes_steps"]

What: TypeAlias = Literal["prompt", "reply", "command", "call", "edit", "error", "task", "step"]

_LONGEST: Final = 160
"""Characters above which a question is no everyday one: its parts mean something together."""

_KEPT: Final = 64

_ENDS: Final = " ?!.,;:"

_KINDS: Final[tuple[What, ...]] = ("command", "edit", "error", "call", "reply", "prompt")
"""Kinds of steps that may stand beside another."""

_AUXILIARY: Final = frozenset({"do", "does", "did"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A step that a question asks for.

    Attributes:
        what: What kind of step.
        pick: Which of them, in the order of the run; or the best match.
        topic: Words that tell which of them are meant; empty for all.
        side: On which side of `beside` it stands; empty where it stands for itself.
        beside: Words that tell the step it stands beside.
        anchor: The index of that step, where the question names it.
        is_all: Whether nothing else is asked for.
    """

    what: What
    pick: Literal["first", "last", "best"]
    topic: str = ""
    side: Literal["", "before", "after"] = ""
    beside: str = ""
    anchor: int | None = None
    is_all: bool = False


@lru_cache(maxsize=_KEPT)
def asked_in(question: str) -> Asked | None:
    """Return the step that an everyday question asks for, if it is one.

    >>> asked = asked_in("What was the last git command?")
    >>> asked.pick, asked.what, asked.topic
    ('last', 'command', 'git')
    >>> asked_in("Why was the last git command slow to finish?") is None
    True
    """
    if len(question) > _LONGEST:
        return None
    text = " ".join(without_times(question).split())
    words = words_in(text)
    side = next((word for word in words if word.concept in {"after", "before"}), None)
    if side is not None:
        return _beside(text, words, side)
    found = {word.concept for word in words}
    topic = _rest(text, words)
    what = None if "why" in found else _what(found, is_bare=not topic)
    if what is None or {"first", "last"} <= found or places_in(text):
        return None
    is_last = "last" in found or ("first" not in found and what == "reply")
    return Asked(
        what=what,
        pick="last" if is_last else "first",
        topic=topic,
        is_all=not topic and what != "task" and bool(found & {"first", "last"}),
    )


def is_about_now(question: str) -> bool:
    """Tell whether a question asks for what holds now, of facts that change.

    >>> is_about_now("Which port is it now?"), is_about_now("Which port was it?")
    (True, False)
    """
    if len(question) > _LONGEST:
        return False
    return any(
        word.concept == "now" or word.text in {"latest", "most recent"}
        for word in words_in(question)
    )


def quotes_steps(question: str) -> bool:
    """Tell whether a question asks for the text of the steps it names, and for nothing else.

    >>> quotes_steps("What does step 4 say?"), quotes_steps("Why did step 4 fail?")
    (True, False)
    """
    if len(question) > _LONGEST or not places_in(question).ranges:
        return False
    rest = without_places(question)
    words = words_in(rest)
    found = {word.concept for word in words if word.text not in _AUXILIARY}
    return found <= {"said", "quoted", "filler"} and not _rest(rest, words)


def _what(found: set[str], *, is_bare: bool) -> What | None:
    """Return what kind of step is asked for.

    Args:
        found: The concepts in the question.
        is_bare: Whether nothing else is in it.
    """
    picked = bool(found & {"first", "last"})
    user_says = "user" in found and bool(found & {"said", "prompt", "message"})
    agent_says = "agent" in found and bool(found & {"said", "reply", "message"})
    by_name: tuple[tuple[What, bool], ...] = (
        ("task", "task" in found and "last" not in found and is_bare),
        ("prompt", "task" in found and is_bare),
        ("command", picked and "command" in found),
        ("edit", picked and "edit" in found),
        ("error", picked and "error" in found),
        ("prompt", user_says and (picked or is_bare)),
        ("reply", agent_says and picked),
        ("prompt", picked and is_bare and "prompt" in found),
        ("reply", picked and is_bare and bool(found & {"reply", "message"})),
        ("reply", is_bare and "ending" in found),
        ("call", picked and "call" in found),
    )
    return next((what for what, fits in by_name if fits), None)


def _beside(text: str, words: Sequence[Word], side: Word) -> Asked | None:
    """Return what stands before or after something, if that is all that is asked."""
    head = [word for word in words if word.end <= side.start]
    found = {word.concept for word in head}
    if not found & {"did", "filler", "command", "edit", "error", "call", "reply", "prompt"}:
        return None
    if _rest(text[: side.start], head):
        return None
    tail = text[side.end :].strip(_ENDS)
    ranges = places_in(tail).ranges
    beside = " ".join(search_tokens(content_of(without_places(tail)))) if ranges else tail
    anchor = ranges[0][0] if len(ranges) == 1 and ranges[0][0] == ranges[0][1] else None
    if not search_tokens(content_of(tail)) or (ranges and (anchor is None or beside)):
        return None
    kinds: list[What] = [kind for kind in _KINDS if kind in found]
    return Asked(
        what=kinds[0] if kinds else "step",
        pick=_pick(word.concept for word in words if word.start >= side.end),
        side="after" if side.concept == "after" else "before",
        beside="" if ranges else tail,
        anchor=anchor,
    )


def _pick(concepts: Iterable[str]) -> Literal["first", "last", "best"]:
    for concept in concepts:
        if concept in {"first", "last"}:
            return "first" if concept == "first" else "last"
    return "best"


def _rest(text: str, words: Sequence[Word]) -> str:
    """Return what a question says besides the words that are understood."""
    left, end = list[str](), 0
    for word in words:
        left.append(text[end : word.start])
        end = word.end
    left.append(text[end:])
    # What is left of "user's" and "what's", and a citation, say nothing of their own.
    rest = content_of(re.sub(r"(?<!\w)(?:s|t|re|ve|d|ll|s\d+\S*)(?!\w)", " ", " ".join(left)))
    return rest.strip(_ENDS) if search_tokens(rest) else ""
