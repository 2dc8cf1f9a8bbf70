"""Candidates of the views that annotations name: steps that share an entity, a tool, a subgoal."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from stepwell.structures.units.model import PRIORITY, View

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from stepwell.structures.units.model import UnitOptions

__all__ = [
    "Candidates",
    "Group",
    "Groups",
    "candidates_of",
    "gap_of",
    "groups_of",
    "without_common",
]

_GAPS: Final = {View.ENTITY: (60, 8), View.TOOL: (12, 2), View.SUBGOAL: (8, 1)}
"""Least gap in steps, and how many times Δ_gap (OSU-Mem, section 3)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates:
    """Groups of steps that may become units, sorted by view, first step, key.

    Attributes:
        views: Place in `PRIORITY` of each one's view, shape (c,), int8.
        keys: What binds each.
        starts: Where the members of each begin, shape (c + 1,), int64.
        members: Step indices, ascending within a candidate, shape (m,), int64.
        owners: The candidate of each member, shape (m,), int64.
        ids: A number from 0 for each named candidate, the same as long as it only grows; -1 for
            communities, which are found anew; shape (c,), int64.
    """

    views: NDArray[np.int8]
    keys: list[str]
    starts: NDArray[np.int64]
    members: NDArray[np.int64]
    owners: NDArray[np.int64]
    ids: NDArray[np.int64]


def gap_of(view: View, gap: int) -> int:
    """Return how many steps apart two steps of a group of this view may be.

    >>> [gap_of(view, 6) for view in (View.ENTITY, View.TOOL, View.SUBGOAL)]
    [60, 12, 8]
    """
    least, times = _GAPS[view]
    return max(least, times * gap)


class Group(NamedTuple):
    """Steps that share a name; sorts by first step, then name.

    Attributes:
        first: The first of them.
        name: What they share.
        number: Its id among the candidates of all views; -1 for a community.
        steps: All of them, ascending.
    """

    first: int
    name: str
    number: int
    steps: list[int]


@dataclass(slots=True)
class Groups:
    """The groups of one view, kept as steps arrive.

    A group is cut where two of its steps are more than `gap` apart, and when it holds `max_size`
    steps; both are known when a step arrives, so nothing is ever regrouped.

    Attributes:
        min_size: Fewest steps of a candidate.
        max_size: Most steps of a candidate.
        gap: Most steps between two of its steps.
        numbers: Gives candidates their ids.
    """

    min_size: int
    max_size: int
    gap: int
    numbers: Iterator[int]
    _latest: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    _before: dict[str, list[list[int]]] = field(default_factory=dict[str, list[list[int]]])
    _large: list[Group] = field(default_factory=list[Group])

    def extend(self, first: int, names: Iterable[Iterable[str]]) -> None:
        """Put steps from index `first` on, each given by its names, into the groups of these."""
        latest, min_size, max_size, gap = self._latest, self.min_size, self.max_size, self.gap
        for step, its_names in enumerate(names, start=first):
            for name in its_names:
                steps = latest.get(name)
                if steps is not None and steps[-1] == step:  # named twice
                    continue
                if steps is None or step - steps[-1] > gap or len(steps) == max_size:
                    if steps is not None:
                        self._before.setdefault(name, []).append(steps)
                    steps = latest[name] = []
                steps.append(step)
                if len(steps) == min_size:
                    self._large.append(Group(steps[0], name, next(self.numbers), steps))

    def cut(self, n: int, names: Iterable[Iterable[str]]) -> None:
        """Take back all steps from index n on, given by their names, the latest first."""
        touched: set[int] = set()
        for its_names in names:
            for name in its_names:
                steps = self._latest.get(name)
                if steps is None or steps[-1] < n:  # named twice
                    continue
                touched.add(id(steps))
                steps.pop()
                if not steps:
                    self._take_back(name)
        self._large = [
            group._replace(number=next(self.numbers)) if id(group.steps) in touched else group
            for group in self._large
            if len(group.steps) >= self.min_size
        ]

    def _take_back(self, name: str) -> None:
        """Forget the latest group of a name, which is empty."""
        before = self._before.get(name)
        if before:
            self._latest[name] = before.pop()
        else:
            del self._latest[name]

    def large(self) -> list[Group]:
        """Return the groups that are large enough, by first step, then name."""
        self._large.sort()
        return self._large


def without_common(groups: Sequence[Group], *, most: float) -> Sequence[Group]:
    """Return the groups of names whose groups have at most so many steps together."""
    n_steps = Counter[str]()
    for group in groups:
        n_steps[group.name] += len(group.steps)
    return [group for group in groups if n_steps[group.name] <= most]


def groups_of(view: View, options: UnitOptions, numbers: Iterator[int]) -> Groups:
    """Return the empty groups of a view."""
    return Groups(
        min_size=options.min_size,
        max_size=options.max_size,
        gap=gap_of(view, options.gap),
        numbers=numbers,
    )


def candidates_of(found: Mapping[View, Sequence[Group]]) -> Candidates:
    """Return the candidates of several views, each given by first step, then name."""
    order = [view for view in PRIORITY if view in found]
    groups = [group for view in order for group in found[view]]
    sizes = np.fromiter([len(group.steps) for group in groups], dtype=np.int64)
    starts = np.zeros(len(groups) + 1, dtype=np.int64)
    np.cumsum(sizes, out=starts[1:])
    places = np.array([PRIORITY.index(view) for view in order], dtype=np.int8)
    return Candidates(
        views=np.repeat(places, [len(found[view]) for view in order]),
        keys=[group.name for group in groups],
        starts=starts,
        members=np.fromiter(
            chain.from_iterable([group.steps for group in groups]),
            dtype=np.int64,
            count=int(starts[-1]),
        ),
        owners=np.repeat(np.arange(len(groups)), sizes),
        ids=np.fromiter([group.number for group in groups], dtype=np.int64),
    )
