"""The steps that lie in the times a question names, which come before all others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.recall.rank.places import Named, spread
from stepwell.store.facts import keys_between
from stepwell.store.rowids import MAX_PLACES, step_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.recall.rank.score import Scored
    from stepwell.store.database import Database
    from stepwell.structures.base import Within
    from stepwell.text.dates import Period

__all__ = ["keys_in", "over_time", "put_first"]


_ABOVE: Final = 1.0
"""Deviations between the best step of another time and the least one of the time asked about."""


def keys_in(db: Database, periods: Sequence[Period], where: Within) -> list[int]:
    """Return the keys of the steps in scope that began in one of some times, ascending."""
    spans = where.spans
    if where.is_all:  # one look, however many runs there are
        spans = tuple((spans[0][0], spans[-1][1]) for _ in spans[:1])
    return sorted(
        {
            key
            for period in periods
            for rows in spans
            for key in keys_between(db, rows, period.start, period.end)
        }
    )


def put_first(scored: Scored, keys: Sequence[int]) -> Scored:
    """Return scores in which these steps stand above all others, in the order they had."""
    inside = np.isin(scored.keys, keys)
    if not inside.any() or inside.all():
        return scored
    gap = float(scored.total[~inside].max() - scored.total[inside].min())
    return replace(scored, total=scored.total + np.where(inside, max(gap + _ABOVE, 0.0), 0.0))


def over_time(scored: Scored, keys: Sequence[int]) -> dict[int, Named]:
    """Return an outline of the steps of a time of which no word of the question finds any."""
    hits = np.unique(scored.passages.rows // MAX_PLACES)
    if np.isin(keys, hits).any():
        return {}
    why = "it lies in the time the question names"
    return {
        keys[place]: Named(step=step_of(keys[place] * MAX_PLACES), why=why, rank=rank)
        for rank, place in enumerate(spread(0, len(keys) - 1))
    }
