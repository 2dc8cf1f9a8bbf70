"""Rank: from what structures found to the steps that may be quoted, best first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.recall.find.find import ALL_STEPS
from stepwell.recall.rank.candidates import best_keys, ordered, speaker_in
from stepwell.recall.rank.modes import with_units
from stepwell.recall.rank.named import named_steps
from stepwell.recall.rank.score import score_steps
from stepwell.store.facts import step_facts
from stepwell.store.rowids import MAX_PLACES, span
from stepwell.text.question import places_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from stepwell.recall.evidence import Reading
    from stepwell.recall.find.context import Sources
    from stepwell.recall.find.find import Found
    from stepwell.recall.question import Mode, Question
    from stepwell.recall.rank.candidates import Candidate
    from stepwell.recall.rank.places import Named
    from stepwell.recall.rank.score import Scored
    from stepwell.store.database import Database
    from stepwell.store.facts import StepFacts
    from stepwell.store.read import Entry
    from stepwell.structures.base import Ranking, Within

__all__ = ["Ranked", "rank"]

_TOKENS_PER_CANDIDATE = 18
"""An outline takes 20 tokens or more."""

_MIN_CANDIDATES = 24
_MAX_CANDIDATES = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """The steps that may be quoted.

    Attributes:
        candidates: Best first; those that the question names stand before all others.
        facts: What is known of each of them without its text, by key.
        named: What the question names, by key.
        scored: Scores of all steps in scope.
        units: How units were read; None where they were not.
    """

    candidates: Sequence[Candidate]
    facts: Mapping[int, StepFacts]
    named: Mapping[int, Named]
    scored: Scored
    units: Reading | None


def rank(db: Database, question: Question, found: Found, *, sources: Sources) -> Ranked:
    """Fuse what was found into scores of steps, and order those that a budget may have room for.

    Args:
        db: The database.
        question: What is asked.
        found: What structures found.
        sources: What can be read.
    """
    scored, units = _scored(question.mode, found, sources)
    named = _named(db, question, found, scored, sources)
    n = min(max(_MIN_CANDIDATES, question.budget // _TOKENS_PER_CANDIDATE), _MAX_CANDIDATES)
    first = list(named)[:n]
    beside = [key + side for key in first for side in (-1, 1)]
    inside = (key for key in beside if _is_inside(key, found.within))
    facts = step_facts(db, [*first, *best_keys(scored, n), *inside])
    candidates = ordered(scored, facts, named=named, speaker=speaker_in(question.text))[:n]
    return Ranked(candidates=candidates, facts=facts, named=named, scored=scored, units=units)


def _scored(mode: Mode, found: Found, sources: Sources) -> tuple[Scored, Reading | None]:
    """Fuse what was found into scores of steps, and let units speak if they were chosen."""
    rankings = [ranking for ranking in found.rankings if ranking.traits.quotes]
    n_steps = sum(entry.n_steps for entry in found.entries)
    keys = _keys(rankings, found.within, found.entries)
    scored = score_steps(rankings, keys=keys, n_steps=n_steps)
    if not found.has_units:
        return scored, None
    # Alone, units cannot fall back on the scores: they order steps by themselves.
    alone = found.has_units_alone and mode == "adaptive"
    return with_units(
        scored, mode="plus" if alone else mode, entries=found.entries, source=sources.units
    )


def _keys(
    rankings: Sequence[Ranking], where: Within, entries: Sequence[Entry]
) -> NDArray[np.int64]:
    """Return the keys of the candidate steps, ascending."""
    hits = [ranking.rowids // MAX_PLACES for ranking in rankings]
    if sum(entry.n_steps for entry in entries) > ALL_STEPS:
        return np.unique(np.concatenate(hits)) if hits else np.empty(0, dtype=np.int64)
    sizes = {span(entry.number)[0]: entry.n_steps for entry in entries}
    spans = where.spans
    ranges = [
        np.arange(
            first // MAX_PLACES,
            min(first // MAX_PLACES + sizes[first], last // MAX_PLACES + 1),
            dtype=np.int64,
        )
        for first, last in spans
    ]
    return np.concatenate(ranges) if ranges else np.empty(0, dtype=np.int64)


def _named(
    db: Database, question: Question, found: Found, scored: Scored, sources: Sources
) -> dict[int, Named]:
    """Return the steps the question names; an outline only where words were to find them."""
    places = places_in(question.text)
    if not found.quotes or not (places or found.reads_words):
        return {}
    return named_steps(
        db, places, scored, entries=found.entries, where=found.within, words=sources.words
    )


def _is_inside(key: int, where: Within) -> bool:
    return any(first <= key * MAX_PLACES <= last for first, last in where.spans)
