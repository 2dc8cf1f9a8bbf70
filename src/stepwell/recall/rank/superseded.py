"""Like facts of different times: of a question about now, the newest is the one that holds."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from stepwell.store.read import load_passages
from stepwell.text.search import search_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from stepwell.recall.rank.candidates import Candidate
    from stepwell.recall.rank.score import Scored
    from stepwell.store.database import Database
    from stepwell.store.facts import StepFacts

__all__ = ["newest_first"]

_COMPARED: Final = 24
"""Candidates whose facts are compared: the others are hardly shown."""

_SHARED: Final = 0.6
"""Share of the shorter statement's words that like statements have in common."""

_ASKED: Final = 2
"""Words of the question that a statement about it holds; a question may have fewer."""

_SENTENCE: Final = re.compile(r"[.!?]\s+|[\u3002\uff01\uff1f\n]")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fact:
    """What a step says of the question: the words of one sentence, and when."""

    place: int
    words: frozenset[str]
    time: tuple[datetime, int]


def newest_first(
    db: Database,
    candidates: Sequence[Candidate],
    facts: Mapping[int, StepFacts],
    scored: Scored,
    terms: Sequence[str],
) -> list[Candidate]:
    """Return candidates with the newest of like facts in the first of their places.

    Two statements are alike when they share three fifths of the words of the shorter one, at least
    two of the question among them, and each has a word the other lacks: the value that changed.
    The older ones are marked.

    Args:
        db: The database.
        candidates: Best first.
        facts: What is known of them, by key.
        scored: Which of their passages match.
        terms: Search tokens of the question.
    """
    said = _facts(db, candidates[:_COMPARED], facts, scored, frozenset(terms))
    ordered = list(candidates)
    for group in _groups(said):
        newest = sorted(group, key=lambda fact: fact.time, reverse=True)
        old = {
            fact.place
            for fact in newest
            if any(fact.time < other.time and _differ(fact, other) for other in newest)
        }
        places = sorted(fact.place for fact in group)
        for place, fact in zip(places, newest, strict=True):
            ordered[place] = replace(
                candidates[fact.place],
                score=candidates[place].score,
                is_superseded=fact.place in old,
            )
    return ordered


def _facts(
    db: Database,
    candidates: Sequence[Candidate],
    facts: Mapping[int, StepFacts],
    scored: Scored,
    terms: frozenset[str],
) -> list[_Fact]:
    """Return what each candidate's best passage says of the question, if it says anything."""
    best = scored.passages.best_of([one.key for one in candidates], 1)
    texts = load_passages(db, [row for rows in best.values() for row in rows])
    unknown = datetime.min.replace(tzinfo=UTC)
    found: list[_Fact] = []
    for place, candidate in enumerate(candidates):
        rows = best.get(candidate.key)
        if not rows:
            continue
        sentences = (frozenset(search_tokens(one)) for one in _SENTENCE.split(texts[rows[0]].text))
        words = max(sentences, key=lambda words: (len(words & terms), -len(words)))
        if len(words & terms) >= min(_ASKED, len(terms)):
            time = (facts[candidate.key].time or unknown, candidate.key)
            found.append(_Fact(place=place, words=words, time=time))
    return found


def _groups(said: Sequence[_Fact]) -> list[list[_Fact]]:
    """Return the statements that are alike, each with the first one it is like."""
    groups: list[list[_Fact]] = []
    for fact in said:
        group = next((group for group in groups if _alike(group[0], fact)), None)
        if group is None:
            groups.append([fact])
        else:
            group.append(fact)
    return [group for group in groups if len(group) > 1]


def _alike(one: _Fact, other: _Fact) -> bool:
    shared = len(one.words & other.words)
    return shared >= _SHARED * min(len(one.words), len(other.words))


def _differ(one: _Fact, other: _Fact) -> bool:
    return bool(one.words - other.words) and bool(other.words - one.words)
