"""What a person should do about the usage of a memory: hot items, cold steps, what nobody reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.recall.evidence import address
from stepwell.store.usage import FATES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from stepwell.store.read import Entry
    from stepwell.store.usage import Usage

__all__ = ["Cold", "Hot", "Unused", "cold_steps", "hot_items", "unused_runs"]

_SHOWN: Final = 10
"""Of each kind; the first are the ones to look at."""

_POOR: Final = 0.5
"""Reward below which an answer was a poor one."""

_HOT: Final = 0.1
"""Share of the recalls that quote a hot item."""

_LEAST_REWARDS: Final = 3
"""Rewards on either side without which an item is not said to help or to harm."""

_IDS: Final = 3

_QUOTED: Final = FATES.index("quoted")
_CUT: Final = FATES.index("cut")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hot:
    """An item that many recalls quote.

    Attributes:
        id: Citation of the step, or id of the trajectory.
        n_recalls: Recalls that quote it.
        recalls: Their share of all recalls.
        tokens: Its share of the tokens of all that is quoted.
        reward: Mean reward of the recalls that quote it; None with fewer than 3.
        reward_without: That of the recalls that do not.
        crowds_out: Whether answers are poor where it is quoted, and poorer than where it is not.
    """

    id: str
    n_recalls: int
    recalls: float
    tokens: float
    reward: float | None
    reward_without: float | None
    crowds_out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Cold:
    """A step that was considered for answers that turned out poor, and never quoted.

    Attributes:
        id: Its citation.
        n_recalls: Recalls with a poor answer that cut it.
        best_rank: Its best rank in one of them.
        structure: The structure that found it there.
        recalls: Ids of some of them, the best rank first.
    """

    id: str
    n_recalls: int
    best_rank: int
    structure: str
    recalls: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unused:
    """Steps of a trajectory that no recall considered.

    Attributes:
        trajectory: Its id.
        n_steps: Steps it has.
        n_unused: How many of them were never considered, nor told of.
        steps: Them, as citations; a long list is cut.
    """

    trajectory: str
    n_steps: int
    n_unused: int
    steps: str


def hot_items(
    entries: Sequence[Entry], usage: Usage, rewards: NDArray[np.float64], *, by_step: bool
) -> tuple[Hot, ...]:
    """Return the items that a tenth of the recalls or more quote, the most tokens first.

    Args:
        entries: The trajectories in scope.
        usage: The accesses to their steps.
        rewards: The reward of each recall, NaN for none, shape (r,).
        by_step: Whether items are steps, or trajectories.
    """
    names = {entry.number: entry.trajectory_id for entry in entries}
    quoted = usage.where(usage.fate == _QUOTED)
    steps = quoted.step if by_step else np.zeros_like(quoted.step)
    groups = _groups(quoted.number, steps)
    total = max(1, int(quoted.tokens.sum()))
    least = max(_LEAST_REWARDS, _HOT * len(usage.recalls))
    found: list[Hot] = []
    for (number, step), rows in groups.items():
        recalls = np.unique(quoted.recall[rows])
        if len(recalls) >= least:
            reward, without = _mean(rewards[recalls]), _mean(np.delete(rewards, recalls))
            is_poor = reward is not None and reward < _POOR
            found.append(
                Hot(
                    id=f"{names[number]}/s{step}" if by_step else names[number],
                    n_recalls=len(recalls),
                    recalls=len(recalls) / len(usage.recalls),
                    tokens=int(quoted.tokens[rows].sum()) / total,
                    reward=reward,
                    reward_without=without,
                    crowds_out=is_poor and (without is None or (reward or 0.0) < without),
                )
            )
    return tuple(sorted(found, key=lambda hot: (-hot.tokens, hot.id))[:_SHOWN])


def cold_steps(
    entries: Sequence[Entry], usage: Usage, rewards: NDArray[np.float64]
) -> tuple[Cold, ...]:
    """Return the steps that recalls with a reward below .5 cut, and no recall ever showed.

    Those that were cut most often come first, and among them the best ranked.

    Args:
        entries: The trajectories in scope.
        usage: The accesses to their steps.
        rewards: The reward of each recall, NaN for none, shape (r,).
    """
    names = {entry.number: entry.trajectory_id for entry in entries}
    shown = usage.where(usage.fate != _CUT)
    known = set(zip(shown.number.tolist(), shown.step.tolist(), strict=True))
    cut = usage.where((usage.fate == _CUT) & (rewards[usage.recall] < _POOR))
    found: list[Cold] = []
    for (number, step), rows in _groups(cut.number, cut.step).items():
        if (number, step) not in known:
            ordered = rows[np.argsort(cut.rank[rows], kind="stable")]
            found.append(
                Cold(
                    id=f"{names[number]}/s{step}",
                    n_recalls=len(rows),
                    best_rank=int(cut.rank[ordered[0]]),
                    structure=usage.structures[int(cut.structure[ordered[0]])],
                    recalls=tuple(
                        usage.recalls[int(place)] for place in cut.recall[ordered[:_IDS]].tolist()
                    ),
                )
            )
    return tuple(sorted(found, key=lambda c: (-c.n_recalls, c.best_rank, c.id))[:_SHOWN])


def unused_runs(entries: Sequence[Entry], usage: Usage) -> tuple[Unused, ...]:
    """Return what was never considered, the trajectories with the most of it first.

    Args:
        entries: The trajectories in scope.
        usage: The accesses to their steps.
    """
    found: list[Unused] = []
    for entry in entries:
        is_used = np.zeros(entry.n_steps, dtype=bool)
        is_used[usage.step[usage.number == entry.number]] = True
        unused = np.flatnonzero(~is_used).tolist()
        if unused:
            found.append(
                Unused(
                    trajectory=entry.trajectory_id,
                    n_steps=entry.n_steps,
                    n_unused=len(unused),
                    steps=address(unused),
                )
            )
    return tuple(sorted(found, key=lambda one: -one.n_unused))


def _groups(
    numbers: NDArray[np.int64], steps: NDArray[np.int64]
) -> dict[tuple[int, int], NDArray[np.int64]]:
    """Return the rows of each pair of trajectory and step."""
    rows: dict[tuple[int, int], list[int]] = {}
    for row, pair in enumerate(zip(numbers.tolist(), steps.tolist(), strict=True)):
        rows.setdefault(pair, []).append(row)
    return {pair: np.array(found, dtype=np.int64) for pair, found in rows.items()}


def _mean(rewards: NDArray[np.float64]) -> float | None:
    known = rewards[np.isfinite(rewards)]
    return float(known.mean()) if len(known) >= _LEAST_REWARDS else None
