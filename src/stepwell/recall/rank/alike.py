"""Alike: of steps of a run that say the same but for their numbers, one is quoted, with a count.

Progress messages, polls, one move made again and again: two steps are alike if their texts are
equal but for blanks and digits. A few such steps may be a fact stated anew, and of different runs
they are more often facts than progress, so only many of one run are counted rather than quoted.
Texts of many numbers are about these, and a number that the question asks about tells steps apart.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from stepwell.store.read import load_passages
from stepwell.store.rowids import MAX_PLACES, number_of, step_of

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Sequence

    from stepwell.recall.rank.candidates import Candidate
    from stepwell.store.database import Database

__all__ = ["counted_once"]

_FEWEST = 4
"""Steps alike before they are counted: three ports named one after the other are three facts."""

_SHORTEST = 80
"""Characters below which a step is quoted as cheaply as counted, and its numbers are most of it."""

_MOST_NUMBERS = 4
"""Numbers of a text of which only the words tell: a board or a table says what its numbers are."""

_READ = 3
"""Passages by which steps are compared; a step of more is alike to none."""

_NUMBER = re.compile(r"\d+")


def counted_once(
    db: Database,
    candidates: Sequence[Candidate],
    *,
    kept: Collection[int],
    terms: Collection[str],
) -> list[Candidate]:
    """Return candidates, the best of those alike with their steps, the others behind all else.

    Args:
        db: The database.
        candidates: Best first.
        kept: Keys of steps that the question names: these are quoted themselves.
        terms: Search tokens of the question.
    """
    asked = {term for term in terms if term.isdigit()}
    texts = _texts(db, [one.key for one in candidates if one.key not in kept])
    groups: dict[Hashable, list[int]] = {}
    for key, parts in texts.items():
        said = " ".join(" ".join(parts).split())
        numbers = _NUMBER.findall(said)
        if len(said) < _SHORTEST or len(numbers) > _MOST_NUMBERS:
            continue
        told = tuple(sorted(asked.intersection(numbers)))
        groups.setdefault((number_of(key * MAX_PLACES), told, _NUMBER.sub("0", said)), []).append(
            key
        )
    many = [keys for keys in groups.values() if len(keys) >= _FEWEST]
    steps = {keys[0]: tuple(sorted(step_of(key * MAX_PLACES) for key in keys)) for keys in many}
    spared = {key for keys in many for key in keys[1:]}
    found = [
        replace(one, alike=steps.get(one.key, ()), is_spared=one.key in spared)
        for one in candidates
    ]
    return sorted(found, key=lambda one: one.is_spared)


def _texts(db: Database, keys: Sequence[int]) -> dict[int, list[str]]:
    """Return the whole texts of the steps that are short, by key, in the order of the keys."""
    rows = [key * MAX_PLACES + place for key in keys for place in range(_READ + 1)]
    passages = load_passages(db, rows)
    texts: dict[int, list[str]] = {}
    for row in rows:
        if row in passages:
            one = passages[row]
            texts.setdefault(row // MAX_PLACES, []).append(f"{one.part} {one.label} {one.text}")
    return {key: parts for key, parts in texts.items() if len(parts) <= _READ}
