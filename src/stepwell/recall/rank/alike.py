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

__all__ = ["alike_among", "behind_all", "counted_once"]

_FEWEST = 4
"""Steps alike before they are counted: three ports named one after the other are three facts."""

_SHORTEST = 80
"""Characters below which a step is quoted as cheaply as counted, and its numbers are most of it."""

_MOST_NUMBERS = 4
"""Numbers of a text of which only the words tell: a board or a table says what its numbers are."""

_READ = 3
"""Passages by which steps are compared; a step of more is alike to none."""

_NUMBER = re.compile(r"\d+")


def alike_among(
    db: Database, keys: Sequence[int], *, kept: Collection[int], terms: Collection[str]
) -> list[list[int]]:
    """Return the steps that are alike, so many that one is to be quoted for all, each best first.

    Args:
        db: The database.
        keys: The keys of the steps, best first.
        kept: Keys of steps that the question names: these are quoted themselves.
        terms: Search tokens of the question.
    """
    asked = {term for term in terms if term.isdigit()}
    groups: dict[Hashable, list[int]] = {}
    for key, parts in _texts(db, [key for key in keys if key not in kept]).items():
        said = " ".join(" ".join(parts).split())
        numbers = _NUMBER.findall(said)
        if len(said) >= _SHORTEST and len(numbers) <= _MOST_NUMBERS:
            told = tuple(sorted(asked.intersection(numbers)))
            form = (number_of(key * MAX_PLACES), told, _NUMBER.sub("0", said))
            groups.setdefault(form, []).append(key)
    return [alike for alike in groups.values() if len(alike) >= _FEWEST]


def behind_all(keys: Sequence[int], groups: Sequence[Sequence[int]]) -> list[int]:
    """Return steps, those for which another stands behind all else."""
    spared = _spared(groups)
    return [key for key in keys if key not in spared] + [key for key in keys if key in spared]


def counted_once(
    candidates: Sequence[Candidate], groups: Sequence[Sequence[int]]
) -> list[Candidate]:
    """Return candidates, the first of those alike with their steps, the others marked."""
    spared = _spared(groups)
    steps = {
        alike[0]: tuple(sorted(step_of(key * MAX_PLACES) for key in alike)) for alike in groups
    }
    return [
        replace(one, alike=steps.get(one.key, ()), is_spared=one.key in spared)
        if one.key in steps or one.key in spared
        else one
        for one in candidates
    ]


def _spared(groups: Sequence[Sequence[int]]) -> set[int]:
    return {key for alike in groups for key in alike[1:]}


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
