"""Cells of training cases and what should be read in them, by what was gained on each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.learn.held_out import lower_sum

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from stepwell.learn.proposers.guide import Guide, Reading
    from stepwell.policy.conditions import Condition

__all__ = ["Choice", "best_choices", "lower_gain", "smoothed_means"]

CAUTION: Final = 1.0
"""Standard errors taken off a gain: the best of many changes owes something to luck. With 2, rules
that were right were not found on 18 episodes; validation cases are there for the rest."""

_SMOOTHING: Final = 5.0
"""Cases that a cell's mean is smoothed with, all of them at the mean of what it lies in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A cell and what to read in it.

    Attributes:
        when: The conditions that make the cell.
        reading: What to read.
        gain: What that adds to the mean worth of all training cases, less one standard error.
    """

    when: tuple[Condition, ...]
    reading: Reading
    gain: float


def best_choices(
    guide: Guide,
    cells: Sequence[tuple[Condition, ...]],
    readings: Sequence[Reading],
    *,
    within: NDArray[np.bool_],
    current: NDArray[np.float64],
    most: int,
) -> list[Choice]:
    """Return the choices that gain most over what is read now, the best first.

    With d_i what a reading adds on case i of a cell, the gain is (Σ d - √(Σ_e (Σ_{i∈e} d_i)²)) / n
    over episodes e: the standard error is of sums by episode, as questions about one episode share
    its text, and is not centred, so that one lucky episode gains nothing.

    Args:
        guide: The training cases.
        cells: Conditions of each cell.
        readings: What can be read.
        within: The cases that would be decided anew, shape (n,).
        current: What is read now is worth, shape (n,).
        most: Choices returned.
    """
    masks = [guide.holds(cell) & within for cell in cells]
    kept = [number for number, mask in enumerate(masks) if guide.is_supported(mask)]
    if not kept or not readings:
        return []
    members = np.array([masks[number] for number in kept], dtype=np.float64)
    added = np.column_stack([guide.worth(reading) for reading in readings]) - current[:, None]
    sums = np.zeros((len(kept), len(readings)))
    squares = np.zeros_like(sums)
    for episode in range(int(guide.episodes.max()) + 1):
        rows = guide.episodes == episode
        total = members[:, rows] @ added[rows]
        sums += total
        squares += np.square(total)
    gains = (sums - CAUTION * np.sqrt(squares)) / len(current)
    order = np.argsort(-gains, axis=None, kind="stable")[:most]
    places = [divmod(int(place), len(readings)) for place in order]
    return [
        Choice(when=cells[kept[row]], reading=readings[column], gain=float(gains[row, column]))
        for row, column in places
    ]


def lower_gain(guide: Guide, added: NDArray[np.float64]) -> float:
    """Return the mean of what is added on each case, less one standard error by episode."""
    return lower_sum(added, guide.episodes, caution=CAUTION) / len(added)


def smoothed_means(
    guide: Guide,
    readings: Sequence[Reading],
    *,
    cell: NDArray[np.bool_],
    around: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Return the mean worth of each reading in a cell, smoothed towards the mean around it.

    (Σ_{i∈cell} u_i + κ·ū_around) / (|cell| + κ), Laplace's rule with κ cases (MESA, direction of
    utility).

    Args:
        guide: The training cases.
        readings: What can be read.
        cell: The cell, shape (n,).
        around: What it lies in, shape (n,); at least one case.

    Returns:
        Means, shape (number of readings,).
    """
    worth = np.column_stack([guide.worth(reading) for reading in readings])
    n = int(cell.sum())
    sums = worth[cell].sum(axis=0) + _SMOOTHING * worth[around].mean(axis=0)
    smoothed: NDArray[np.float64] = sums / (n + _SMOOTHING)
    return smoothed
