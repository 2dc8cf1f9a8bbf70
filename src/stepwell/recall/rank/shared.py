"""Records that several runs hold: a copied, forked or resumed session repeats another's steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.store.contents import said_by
from stepwell.store.read import load_step
from stepwell.store.rowids import MAX_PLACES, number_of, step_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from stepwell.store.database import Database
    from stepwell.store.facts import StepFacts
    from stepwell.trajectory.model import Result

__all__ = ["told_once"]


def told_once(
    db: Database,
    keys: Sequence[int],
    facts: Mapping[int, StepFacts],
    *,
    named: Collection[int],
) -> list[int]:
    """Return steps, of each record that several runs hold the first alone.

    A record is the same where the same was said and done at the same time, with the same results.
    What a run says twice is another matter, and stays.

    Args:
        db: The database.
        keys: The keys of the steps, best first.
        facts: What is known of each, by key.
        named: The keys of steps that the question names: these stay.
    """
    if len({number_of(key * MAX_PLACES) for key in keys}) <= 1:
        return list(keys)
    said = said_by(db, [key * MAX_PLACES for key in keys])
    first: dict[tuple[bytes, object], int] = {}
    kept: list[int] = []
    for key in keys:
        before = first.setdefault((said.get(key * MAX_PLACES, b""), facts[key].time), key)
        is_other_run = number_of(before * MAX_PLACES) != number_of(key * MAX_PLACES)
        if not (is_other_run and key not in named and _is_same(db, before, key, facts)):
            kept.append(key)
    return kept


def _is_same(db: Database, one: int, other: int, facts: Mapping[int, StepFacts]) -> bool:
    return facts[one].kind == "user" or _results(db, one) == _results(db, other)


def _results(db: Database, key: int) -> list[str]:
    row = key * MAX_PLACES
    step = load_step(db, number_of(row), step_of(row))
    results: Sequence[Result] = () if step is None else step.results
    return [result.text for result in results]
