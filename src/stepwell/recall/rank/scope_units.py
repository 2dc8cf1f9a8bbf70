"""The units over the steps in scope, whichever trajectories they belong to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.store.rowids import MAX_PLACES, number_of, rowid
from stepwell.structures.units.model import Units

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from stepwell.recall.find.context import UnitSource
    from stepwell.store.read import Entry

__all__ = ["ScopeUnits", "units_over"]

_MIN_MEMBERS = 2
"""A unit of which the scope holds one step binds it to nothing."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScopeUnits:
    """The units over the steps in scope.

    Attributes:
        units: The units; their members are places among these steps.
        firsts: First key of the trajectory each unit comes from, shape (u,).
        runs: Id of that trajectory, one per unit.
    """

    units: Units
    firsts: NDArray[np.int64]
    runs: tuple[str, ...]

    def name(self, unit: int) -> str:
        """Return what binds a unit."""
        return self.units.keys[unit]


def units_over(
    keys: NDArray[np.int64], *, entries: Sequence[Entry], source: UnitSource
) -> ScopeUnits:
    """Return the units over some steps, two of which each unit holds at least.

    Args:
        keys: Keys of the steps, ascending, shape (n,).
        entries: The trajectories in scope.
        source: Where units come from.
    """
    numbers = set(np.unique(number_of(keys * MAX_PLACES)).tolist())
    parts = [
        (_held(source.of(entry), keys, first=_first(entry)), entry)
        for entry in entries
        if entry.number in numbers
    ]
    firsts = [np.full(len(units), _first(entry), dtype=np.int64) for units, entry in parts]
    return ScopeUnits(
        units=_joined([units for units, _ in parts], n_steps=len(keys)),
        firsts=_all(firsts),
        runs=tuple(entry.trajectory_id for units, entry in parts for _ in range(len(units))),
    )


def _first(entry: Entry) -> int:
    return rowid(entry.number, 0) // MAX_PLACES


def _held(units: Units, keys: NDArray[np.int64], *, first: int) -> Units:
    """Return a trajectory's units with members as places in `keys`, those without a place gone."""
    place = int(np.searchsorted(keys, first))
    end = place + units.n_steps
    if end <= len(keys) and units.n_steps and keys[end - 1] == first + units.n_steps - 1:
        return _with_members(units, units.members + place, units.starts)
    places = np.minimum(np.searchsorted(keys, units.members + first), len(keys) - 1)
    is_held = keys[places] == units.members + first
    owner = np.repeat(np.arange(len(units)), np.diff(units.starts))
    sizes = np.bincount(owner[is_held], minlength=len(units))
    stays = sizes >= _MIN_MEMBERS
    is_held &= stays[owner]
    starts = np.concatenate([[0], np.cumsum(sizes[stays])]).astype(np.int64)
    return _with_members(_chosen(units, stays), places[is_held], starts)


def _chosen(units: Units, stays: NDArray[np.bool_]) -> Units:
    return Units(
        n_steps=units.n_steps,
        views=units.views[stays],
        keys=tuple(units.keys[place] for place in np.flatnonzero(stays).tolist()),
        starts=units.starts,
        members=units.members,
        centroids=None,
        coherence=None if units.coherence is None else units.coherence[stays],
    )


def _with_members(units: Units, members: NDArray[np.int64], starts: NDArray[np.int64]) -> Units:
    return Units(
        n_steps=units.n_steps,
        views=units.views,
        keys=units.keys,
        starts=starts,
        members=members,
        centroids=None,  # those of all members, and of no use to fused scores
        coherence=units.coherence,
    )


def _joined(parts: Sequence[Units], *, n_steps: int) -> Units:
    offsets = np.cumsum([0, *(len(units.members) for units in parts)])
    starts = [units.starts[:-1] + offset for units, offset in zip(parts, offsets, strict=False)]
    coherence = [
        np.zeros(len(units)) if units.coherence is None else units.coherence for units in parts
    ]
    return Units(
        n_steps=n_steps,
        views=np.concatenate([np.empty(0, dtype=np.int8), *(units.views for units in parts)]),
        keys=tuple(key for units in parts for key in units.keys),
        starts=_all([*starts, offsets[-1:]]),
        members=_all([units.members for units in parts]),
        centroids=None,
        coherence=np.concatenate([np.empty(0), *coherence]),
    )


def _all(arrays: Iterable[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate([np.empty(0, dtype=np.int64), *arrays]).astype(np.int64)
