"""Rank: from what structures found to the steps that may be quoted, best first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.recall.find.find import ALL_STEPS
from stepwell.recall.rank.alike import alike_among, behind_all, counted_once
from stepwell.recall.rank.candidates import best_first, best_keys, candidates_of, speaker_in
from stepwell.recall.rank.modes import with_units
from stepwell.recall.rank.named import named_steps, outline_within
from stepwell.recall.rank.score import score_steps
from stepwell.recall.rank.shared import told_once
from stepwell.recall.rank.sought import Sought, sought_steps
from stepwell.recall.rank.superseded import newest_first
from stepwell.recall.rank.support import SUPPORTED
from stepwell.recall.rank.timed import keys_in, over_time, put_first
from stepwell.store.facts import step_facts
from stepwell.store.rowids import MAX_PLACES, number_of, rowid
from stepwell.text.asked import is_about_now, quotes_steps
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
    from stepwell.recall.rank.support import Support
    from stepwell.store.database import Database
    from stepwell.store.facts import StepFacts
    from stepwell.store.read import Entry
    from stepwell.structures.base import Query, Ranking, Within

__all__ = ["Ranked", "rank"]

_TOKENS_PER_CANDIDATE = 18
"""An outline takes 20 tokens or more."""

_COPIES = 200
"""Steps looked at beyond those there is room for, of which many may say the same."""

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
        is_steered: Whether the question tells which steps it means, by name, place or time, and
            there are such steps.
        support: How far what is in scope supports the question.
    """

    candidates: Sequence[Candidate]
    facts: Mapping[int, StepFacts]
    named: Mapping[int, Named]
    scored: Scored
    units: Reading | None
    is_steered: bool = False
    support: Support = SUPPORTED


def rank(
    db: Database, question: Question, query: Query, *, found: Found, sources: Sources
) -> Ranked:
    """Fuse what was found into scores of steps, and order those that a budget may have room for.

    Args:
        db: The database.
        question: What is asked.
        query: The question, prepared.
        found: What structures found.
        sources: What can be read.
    """
    scored, units = _scored(question.mode, found, sources)
    timed = keys_in(db, question.times, found.within)
    sought = _sought(db, question, found, sources, timed)
    meant = sought or _places(db, question, found, scored, sources)
    if timed:
        scored = put_first(scored, timed)
        meant = meant or over_time(scored, timed)
    named = meant or _outline(found, scored)
    n = min(max(_MIN_CANDIDATES, question.budget // _TOKENS_PER_CANDIDATE), _MAX_CANDIDATES)
    first = list(named)[:n]
    beside = [key + side for key in first for side in (-1, 1)]
    inside = [key for key in beside if _is_inside(key, found.within)]
    # Of copies of a session, and of steps alike, one is quoted: the others must not crowd out what
    # else there is.
    others = _others(question, scored, inside, n + _COPIES, is_meant=bool(meant))
    facts = step_facts(db, [*first, *others])
    speaker = speaker_in(question.text)
    keys = best_first(scored, facts, named=named, speaker=speaker)
    keys = told_once(db, keys, facts, named=() if timed else named)
    groups = alike_among(db, keys, kept=named, terms=query.terms)
    keys = behind_all(keys, groups)[:n]
    candidates = candidates_of(keys, scored, facts, named=named, speaker=speaker)
    candidates = counted_once(candidates, groups)
    if is_about_now(question.text) and not meant:
        candidates = newest_first(db, candidates, facts, scored, query.terms)
    return Ranked(
        candidates=candidates,
        facts=facts,
        named=named,
        scored=scored,
        units=units,
        is_steered=bool(meant or timed),
    )


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
    ends = {entry.number: rowid(entry.number, entry.n_steps) for entry in entries}
    ranges = [
        np.arange(
            first // MAX_PLACES,
            min(ends[number_of(first)], last + 1) // MAX_PLACES,
            dtype=np.int64,
        )
        for first, last in where.spans
    ]
    return np.concatenate(ranges) if ranges else np.empty(0, dtype=np.int64)


def _others(
    question: Question, scored: Scored, inside: Sequence[int], n: int, *, is_meant: bool
) -> Sequence[int]:
    """Return the keys of the steps that may be quoted besides those that the question means."""
    if is_meant and quotes_steps(question.text):
        return ()
    # All words of it were cues, and what they match is noise.
    is_all = is_meant and question.asked is not None and question.asked.is_all
    return inside if is_all else [*best_keys(scored, n), *inside]


def _places(
    db: Database, question: Question, found: Found, scored: Scored, sources: Sources
) -> dict[int, Named]:
    """Return the steps the question names by number, or by an error beside them."""
    places = places_in(question.text)
    if not places or not found.quotes:
        return {}
    return named_steps(
        db, places, scored, entries=found.entries, where=found.within, words=sources.words
    )


def _sought(
    db: Database, question: Question, found: Found, sources: Sources, timed: Sequence[int]
) -> dict[int, Named]:
    """Return the steps that an everyday question asks for."""
    asked = question.asked
    if asked is None or not found.quotes:
        return {}
    if asked.side and places_in(question.text).near_error:
        return {}
    sought = Sought(
        db=db,
        entries=found.entries,
        where=found.within,
        words=sources.words,
        question=question.text.strip(),
        within=frozenset(timed) if question.times else None,
    )
    return sought_steps(sought, asked)


def _outline(found: Found, scored: Scored) -> dict[int, Named]:
    """Return an outline of the only run in scope, where words were to find steps and found none."""
    if scored.passages or len(found.within.spans) != 1 or not (found.quotes and found.reads_words):
        return {}
    return outline_within(found.within.spans[0], found.entries)


def _is_inside(key: int, where: Within) -> bool:
    return any(first <= key * MAX_PLACES <= last for first, last in where.spans)
