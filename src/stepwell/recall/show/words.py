"""Words: what stands for a run in a payload: its id, or the shortest beginning that names it."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from stepwell.recall.markup import plain_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from stepwell.store.read import Entry

__all__ = ["run_words"]

_WORD = re.compile(r"[^\W_]*")

_LONG = 24
"""Characters above which an id is shortened: a UUID has 36, of some 20 tokens."""

_SHORTEST = 8
"""Characters of a beginning: so many, that runs added later seldom share them."""


def run_words(entries: Iterable[Entry]) -> Mapping[str, str]:
    """Return the word that stands for each run, by its id; `find_entry` finds the run by it.

    A long id of a run is cut to a beginning that no other run has, and one of a subagent to its
    last part, where that names it alone. What cannot be shortened so is one plain word.

    Args:
        entries: The runs that may be told apart, those in scope.
    """
    runs = list(entries)
    names = [run.trajectory_id for run in runs]
    words = {name: plain_word(name) for name in names}
    last_parts = Counter(name.rpartition("/")[2] for name in names if "/" in name)
    taken = Counter([*names, *words.values()])
    main = {run.trajectory_id for run in runs if run.parent_id is None}
    beginnings = _beginnings(sorted(main))
    for name in names:
        last = name.rpartition("/")[2]
        short = beginnings[name] if name in main else last
        is_shared = taken[short] or last_parts[short] > (name not in main)
        if len(name) > _LONG and len(short) < len(words[name]) and not is_shared:
            words[name] = short if plain_word(short) == short else words[name]
    return words


def _beginnings(names: list[str]) -> dict[str, str]:
    """Return the shortest beginning of each name that no other has; names are in order."""
    shared = [0, *(_n_shared(*pair) for pair in pairwise(names)), 0]
    cut: dict[str, str] = {}
    for name, (one, other) in zip(names, pairwise(shared), strict=True):
        rest = _WORD.match(name, max(_SHORTEST, one + 1, other + 1))
        cut[name] = name[: rest.end()] if rest else name
    return cut


def _n_shared(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
