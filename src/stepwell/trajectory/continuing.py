"""Whether two readings are of one run, and which of their steps are the same.

A log grows, is trimmed at its start, summarised, copied or moved; another run may claim its id.
What tells these apart is which steps they share, in which order.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, TypeAlias

from stepwell.trajectory.contents import SPOKEN

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from stepwell.trajectory.contents import Content
    from stepwell.trajectory.model import Step

__all__ = ["Places", "continues", "grew", "in_order", "places_in"]

Places: TypeAlias = list[int | None]
"""For each step of a reading, the place of the same step among those known; None for a new one."""

_SUMMARY = 2
"""Messages that may stand for a trimmed beginning: a summary, and the answer that it was read."""


def places_in(old: Sequence[Content], new: Sequence[Content]) -> Places:
    """Return where the steps of a reading stand among those known, in order.

    Steps are the same by what was said, and between such by the record they were read from: the
    same bytes, which another version of a reader may read in another way.
    """
    places: Places = [None] * len(new)
    for i, j in _common([one.said for one in old], [one.said for one in new]):
        places[j] = i
    for olds, news in list(_gaps(places, len(old))):
        a = [old[i].record or i for i in olds]
        b = [new[j].record or -j - 1 for j in news]
        for i, j in _common(a, b):
            places[news[j]] = olds[i]
    return places


def continues(
    old: Sequence[Content], new: Sequence[Content], places: Places, *, same_file: bool
) -> bool:
    """Return whether a reading is of the run that is known.

    It is where nothing was said on both sides of any gap between the steps they share: one of
    them only goes on, starts later, or leaves something out. A summary may stand for the steps
    before the first they share. A file that is known, and that was rewritten, still tells of the
    same run if it holds a step of its agent.
    """
    kept = [j for j, place in enumerate(places) if place is not None]
    if len(kept) in {len(old), len(new)}:
        return True
    n_spoken = sum(new[j].kind in SPOKEN for j in kept)
    if same_file and any(new[j].kind == "agent" for j in kept):
        return True
    for olds, news in _gaps(places, len(old)):
        n_new = sum(new[j].kind in SPOKEN for j in news)
        is_trimmed = olds.start == 0 and n_new <= _SUMMARY and n_new < n_spoken
        if n_new and not is_trimmed and any(old[i].kind in SPOKEN for i in olds):
            return False
    return n_spoken > 0


def grew(old: Step, new: Step) -> bool:
    """Return whether a step is another that was cut off when it was read: its text goes on."""
    n = len(old.calls)
    return (
        (old.kind, old.actor) == (new.kind, new.actor)
        and new.message.startswith(old.message)
        and new.thought.startswith(old.thought)
        and [call.native_id for call in old.calls] == [call.native_id for call in new.calls[:n]]
        and all(a.name == b.name for a, b in zip(old.calls, new.calls, strict=False))
        and bool(old.message or old.thought or old.calls)
    )


def in_order(follows: Sequence[int | None]) -> list[int]:
    """Return the indices of steps in the order of the run.

    Args:
        follows: The index of the step each comes right after, -1 for none; None for the one before.

    >>> in_order([None, None, -1, 1])
    [2, 0, 1, 3]
    """
    behind = {-1: -1}
    for index, given in enumerate(follows):
        above = index - 1 if given is None else given
        behind[index], behind[above] = behind[above], index
    order: list[int] = []
    at = behind[-1]
    while at != -1:
        order.append(at)
        at = behind[at]
    return order


def _gaps(places: Places, n_old: int) -> Iterator[tuple[range, range]]:
    """Yield the steps between those shared: known ones, and those of the reading."""
    i, j = 0, 0
    for at, place in enumerate([*places, n_old]):
        if place is not None:
            if place > i or at > j:
                yield range(i, place), range(j, at)
            i, j = place + 1, at + 1


def _common(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return pairs of places of equal elements, ascending in both.

    Patience: what is equal at both ends, then the longest ascending run of elements that are
    unique on both sides (Cohen's diff), then the same between these; where nothing is unique, each
    element goes to the first of its equals behind the last one taken.
    """
    pairs: list[tuple[int, int]] = []
    parts = [(0, len(a), 0, len(b))]
    while parts:
        first, last, start, end = parts.pop()
        while first < last and start < end and a[first] == b[start]:
            pairs.append((first, start))
            first, start = first + 1, start + 1
        while first < last and start < end and a[last - 1] == b[end - 1]:
            last, end = last - 1, end - 1
            pairs.append((last, end))
        if first == last or start == end:
            continue
        anchors = _ascending(_unique(a, b, range(first, last), range(start, end)))
        if not anchors:
            pairs += _greedy(a, b, range(first, last), range(start, end))
            continue
        for i, j in [*anchors, (last, end)]:
            parts.append((first, i, start, j))
            first, start = i + 1, j + 1
        pairs += anchors
    return sorted(pairs)


def _unique(
    a: Sequence[Hashable], b: Sequence[Hashable], ours: range, theirs: range
) -> list[tuple[int, int]]:
    """Return the places of elements that stand once on each side, ascending in the second."""
    found: dict[Hashable, list[list[int]]] = {}
    for side, (values, places) in enumerate(((a, ours), (b, theirs))):
        for place in places:
            found.setdefault(values[place], [[], []])[side].append(place)
    pairs = [(i[0], j[0]) for i, j in found.values() if len(i) == len(j) == 1]
    return sorted(pairs, key=lambda pair: pair[1])


def _ascending(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest run of pairs that ascends in both places (patience sorting)."""
    ends: list[int] = []
    piles: list[int] = []
    above: list[int] = []
    for at, (i, _) in enumerate(pairs):
        pile = bisect_left(ends, i)
        above.append(piles[pile - 1] if pile else -1)
        if pile == len(ends):
            ends.append(i)
            piles.append(at)
        else:
            ends[pile], piles[pile] = i, at
    run: list[tuple[int, int]] = []
    at = piles[-1] if piles else -1
    while at >= 0:
        run.append(pairs[at])
        at = above[at]
    return run[::-1]


def _greedy(
    a: Sequence[Hashable], b: Sequence[Hashable], ours: range, theirs: range
) -> Iterator[tuple[int, int]]:
    places: dict[Hashable, list[int]] = {}
    for i in ours:
        places.setdefault(a[i], []).append(i)
    behind = ours.start
    for j in theirs:
        known = places.get(b[j], [])
        if (at := bisect_left(known, behind)) < len(known):
            yield known[at], j
            behind = known[at] + 1
