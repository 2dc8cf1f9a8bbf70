"""Scope: where a search may look, and by when what it finds must have been known."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from stepwell.store.facts import (
    count_passages,
    count_stored,
    first_step_since,
    keys_answered_since,
    step_facts,
)
from stepwell.store.rowids import MAX_PLACES, number_of, rowid, span
from stepwell.structures.base import Within

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from stepwell.store.database import Database
    from stepwell.store.read import Entry

__all__ = ["moments", "within"]

_JUST_AFTER = timedelta(microseconds=1)


def within(
    db: Database,
    entries: Sequence[Entry],
    *,
    before: int | datetime | None = None,
    after: int | datetime | None = None,
) -> Within:
    """Return where to search.

    Args:
        db: The database.
        entries: The trajectories in scope.
        before: Only what was known before this step index, or before this moment.
        after: Only steps behind this index, or from the first on that began at this moment or
            later; a run without times has none.
    """
    n_stored, n_all = count_stored(db)
    if before is None and after is None:
        spans = tuple(span(entry.number) for entry in entries)
        n_passages = sum(entry.n_passages for entry in entries)
        return Within(
            spans=spans,
            n_passages=n_passages,
            is_all=n_stored == len(entries),
            share=n_passages / max(n_all, 1),
        )
    ends = [entry.n_steps if before is None else _step_at(db, entry, before) for entry in entries]
    # Behind a step is from the next one on; of a moment its own step is one of those wanted.
    start = after + 1 if isinstance(after, int) else after
    starts = [0 if start is None else _step_at(db, entry, start) for entry in entries]
    spans = tuple(
        span(entry.number, first=first, end=end)
        for entry, first, end in zip(entries, starts, ends, strict=True)
        if first < end
    )
    n_passages = sum(count_passages(db, one) for one in spans)
    return Within(
        spans=spans,
        n_passages=n_passages,
        share=n_passages / max(n_all, 1),
        unanswered=_unanswered(db, spans, moments(db, entries, before)),
    )


def _unanswered(
    db: Database, spans: Sequence[tuple[int, int]], known: Mapping[int, datetime]
) -> frozenset[int]:
    """Return the keys of steps whose results had not come by the moment they have to be known."""
    found: set[int] = set()
    for first, last in spans:
        moment = known.get(number_of(first))
        if moment is not None:
            found.update(keys_answered_since(db, (first, last), moment))
    return frozenset(found)


def _step_at(db: Database, entry: Entry, before: int | datetime) -> int:
    """Return the index of the first step that is not before the given step or moment."""
    if isinstance(before, int):
        return min(max(before, 0), entry.n_steps)
    first = first_step_since(db, entry.number, before)
    return entry.n_steps if first is None else first


def moments(
    db: Database, entries: Sequence[Entry], before: int | datetime | None
) -> dict[int, datetime]:
    """Return, by trajectory number, the moment by which a result must have come to be known.

    Before a step index that is just after that step began.
    """
    if before is None:
        return {}
    if isinstance(before, datetime):
        return {entry.number: before for entry in entries}
    keys = [
        rowid(entry.number, before) // MAX_PLACES for entry in entries if before < entry.n_steps
    ]
    began = {key: facts.time for key, facts in step_facts(db, keys).items()}
    return {
        number_of(key * MAX_PLACES): time + _JUST_AFTER
        for key, time in began.items()
        if time is not None
    }
