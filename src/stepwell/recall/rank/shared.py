"""Records that several runs hold: a copied, forked or resumed session repeats another's steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.store.contents import said_by
from stepwell.store.read import load_step
from stepwell.store.rowids import MAX_PLACES, number_of, step_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from stepwell.recall.rank.candidates import Candidate
    from stepwell.store.database import Database
    from stepwell.store.facts import StepFacts
    from stepwell.trajectory.model import Result

__all__ = ["told_once"]


def told_once(
    db: Database,
    candidates: Sequence[Candidate],
    facts: Mapping[int, StepFacts],
    *,
    named: Collection[int],
) -> list[Candidate]:
    """Return candidates, of each record that several runs hold the first alone.

    A record is the same where the same was said and done at the same time, with the same results.
    What a run says twice is another matter, and stays.

    Args:
        db: The database.
        candidates: The candidates, best first.
        facts: What is known of each, by key.
        named: The keys of steps that the question names: these stay.
    """
    if len({number_of(one.key * MAX_PLACES) for one in candidates}) <= 1:
        return list(candidates)
    said = said_by(db, [one.key * MAX_PLACES for one in candidates])
    first: dict[tuple[bytes, object], int] = {}
    kept: list[Candidate] = []
    for one in candidates:
        record = said.get(one.key * MAX_PLACES, b""), facts[one.key].time
        before = first.setdefault(record, one.key)
        is_other_run = number_of(before * MAX_PLACES) != number_of(one.key * MAX_PLACES)
        if not (is_other_run and one.key not in named and _is_same(db, before, one.key, facts)):
            kept.append(one)
    return kept


def _is_same(db: Database, one: int, other: int, facts: Mapping[int, StepFacts]) -> bool:
    return facts[one].kind == "user" or _results(db, one) == _results(db, other)


def _results(db: Database, key: int) -> list[str]:
    row = key * MAX_PLACES
    step = load_step(db, number_of(row), step_of(row))
    results: Sequence[Result] = () if step is None else step.results
    return [result.text for result in results]
