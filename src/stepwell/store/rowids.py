"""Row ids: trajectory number times 2**32 plus a running number, in every table alike.

A trajectory's rows are one contiguous range of every table and index, however the appends of many
trajectories interleave; a scope is a set of ranges; deleting a trajectory is one range per table.
"""

from __future__ import annotations

__all__ = ["TRAJECTORY_BITS", "number_of", "offset_of", "rowid", "span"]

TRAJECTORY_BITS = 32
"""Rows per trajectory and table: 4 billion, and 2 billion trajectories below SQLite's 63 bits."""


def rowid(trajectory: int, n: int) -> int:
    """Return the row id of a trajectory's n-th row (from 0).

    >>> number_of(rowid(7, 3)), offset_of(rowid(7, 3))
    (7, 3)
    """
    return trajectory << TRAJECTORY_BITS | n


def number_of(row: int) -> int:
    """Return the trajectory number of a row id."""
    return row >> TRAJECTORY_BITS


def offset_of(row: int) -> int:
    """Return a row id's place within its trajectory, from 0."""
    return row & ((1 << TRAJECTORY_BITS) - 1)


def span(trajectory: int) -> tuple[int, int]:
    """Return the first and last possible row id of a trajectory, inclusive."""
    return rowid(trajectory, 0), rowid(trajectory + 1, 0) - 1
