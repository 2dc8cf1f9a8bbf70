"""Row ids: trajectory, step and place in one 63-bit number, in every table alike.

A trajectory's rows, and a step's, are one contiguous range of every table and index, however the
appends of many trajectories interleave. A scope is a set of ranges, "before step n" is the end of
one, deleting is one range per table, and a hit tells its step without a look-up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "MAX_PLACES",
    "MAX_STEPS",
    "number_of",
    "place_of",
    "rowid",
    "span",
    "step_of",
]

Rows = TypeVar("Rows", "int", "NDArray[np.int64]")

_PLACE_BITS = 16
_STEP_BITS = 20

MAX_PLACES = 1 << _PLACE_BITS
"""Passages per step; longer texts get longer passages (`trajectory.passages`)."""

MAX_STEPS = 1 << _STEP_BITS
"""Steps per trajectory; this leaves room for 134 million trajectories."""


def rowid(trajectory: int, step: int, place: int = 0) -> int:
    """Return the row id of a step, or of its passage at a place (both from 0).

    >>> row = rowid(7, 42, 3)
    >>> number_of(row), step_of(row), place_of(row)
    (7, 42, 3)
    """
    # Added, not joined by bits: the step behind the last one is the next trajectory's first.
    return (((trajectory << _STEP_BITS) + step) << _PLACE_BITS) + place


def number_of(row: Rows) -> Rows:
    """Return the trajectory number of a row id, or of each in an array."""
    return row >> (_STEP_BITS + _PLACE_BITS)


def step_of(row: Rows) -> Rows:
    """Return the step index of a row id, or of each in an array."""
    return row >> _PLACE_BITS & (MAX_STEPS - 1)


def place_of(row: int) -> int:
    """Return the place of a row within its step, from 0."""
    return row & (MAX_PLACES - 1)


def span(trajectory: int, *, first: int = 0, end: int | None = None) -> tuple[int, int]:
    """Return the first and last possible row id of a trajectory, inclusive.

    Args:
        trajectory: Its number.
        first: Only from this step on.
        end: Only before this step.
    """
    stop = rowid(trajectory + 1, 0) if end is None else rowid(trajectory, end)
    return rowid(trajectory, first), stop - 1
