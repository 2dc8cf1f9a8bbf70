"""The audit of usage: how recalls use the steps of a memory, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

import numpy as np

from stepwell.errors import InvalidInputError, NotFoundError
from stepwell.memory.advice import cold_steps, hot_items, unused_runs
from stepwell.memory.recalls import logged_recalls
from stepwell.stats.tails.audit import audit_counts
from stepwell.store.read import entries
from stepwell.store.units import snapshot
from stepwell.store.usage import FATES, load_usage

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from stepwell.memory.advice import Cold, Hot, Unused
    from stepwell.memory.recalls import RecallLog
    from stepwell.memory.views import Views
    from stepwell.stats.tails.audit import Tails
    from stepwell.store.database import Database
    from stepwell.store.read import Entry
    from stepwell.store.recalls import Recalled
    from stepwell.store.scope import Scope
    from stepwell.store.usage import Usage
    from stepwell.structures.units.index import UnitIndex

__all__ = [
    "LEAST_RECALLS",
    "Counted",
    "Item",
    "Logged",
    "UsageOptions",
    "UsageReport",
    "audit_usage",
    "read_usage",
]

Counted: TypeAlias = Literal["quoted", "told", "considered"]
"""An access is a step quoted, a step told of by a line, or one quoted or cut."""

Item: TypeAlias = Literal["step", "trajectory", "entity"]
"""What is counted: steps, whole trajectories, or the names in steps, whatever the trajectory."""

LEAST_RECALLS: Final = 20
"""Recalls below which nothing is said: one question more or less would change it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageOptions:
    """What an audit of usage counts.

    Attributes:
        item: What is counted.
        counted: Which accesses.
        last: Only the last so many recalls; None for all that are logged.
        n_draws: Draws of the bootstrap for the goodness of fit.
        seed: Of these draws.

    Raises:
        InvalidInputError: There is no such item or access, or a number is too small.
    """

    item: Item = "step"
    counted: Counted = "quoted"
    last: int | None = None
    n_draws: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        is_known = self.item in get_args(Item) and self.counted in _FATES
        if not is_known or (self.last is not None and self.last < 1):
            raise InvalidInputError(
                f"item={self.item!r}, counted={self.counted!r}, last={self.last!r} cannot be used.",
                hint="Count a step, trajectory or entity; quoted, told or considered; the last 1 "
                "or more.",
            )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Logged:
    """What is logged of the usage of some trajectories.

    Attributes:
        entries: The trajectories.
        usage: The accesses to their steps, by any recall.
        recalls: The recalls that quoted nothing but them, by id; others have no question here.
        entities: The names in each step of each, by its number; empty where none were asked for.
    """

    entries: tuple[Entry, ...]
    usage: Usage
    recalls: dict[str, Recalled]
    entities: dict[int, tuple[tuple[str, ...], ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageReport:
    """How recalls use a memory.

    Attributes:
        options: What was counted.
        n_recalls: Recalls that were looked at.
        n_rewarded: How many of them have a reward.
        n_items: All items in scope, accessed or not.
        tails: How unevenly accesses fall on them.
        hot: Items that many recalls quote, the most tokens first.
        cold: Steps that were cut in recalls with a poor answer and were never quoted.
        unused: Steps that no recall considered, by trajectory, the most first.
    """

    options: UsageOptions
    n_recalls: int
    n_rewarded: int
    n_items: int
    tails: Tails
    hot: tuple[Hot, ...]
    cold: tuple[Cold, ...]
    unused: tuple[Unused, ...]


_FATES: Final = {
    "quoted": (FATES.index("quoted"),),
    "told": (FATES.index("told"),),
    "considered": (FATES.index("quoted"), FATES.index("cut")),
}


def read_usage(
    db: Database,
    scope: Scope,
    options: UsageOptions,
    *,
    log: RecallLog | None,
    views: Views,
) -> Logged:
    """Return what is logged of the usage of the trajectories in a scope.

    Args:
        db: The database.
        scope: What may be seen.
        options: What is counted; the entities of steps are read only for that.
        log: What may hold recalls that are not written yet.
        views: What knows the entities.

    Raises:
        StoreError: It is damaged.
    """
    recalls = {one.id: one for one in logged_recalls(db, scope, log=log)}
    named = entries(db, scope) if options.item == "entity" else []
    for entry in named:
        views.units.annotations(entry.number)  # they are stored, which a snapshot does not allow
    with snapshot(db):
        found = entries(db, scope)
        usage = load_usage(db, numbers=[entry.number for entry in found])
        entities = {entry.number: _entities(entry, views.units) for entry in found if named}
    # A log that was read again in a shorter form leaves usage of steps that are no more.
    sizes = {entry.number: entry.n_steps for entry in found}
    ends = np.array([sizes[number] for number in usage.number.tolist()], dtype=np.int64)
    return Logged(
        entries=tuple(found),
        usage=usage.where(usage.step < ends),
        recalls=recalls,
        entities=entities,
    )


def _entities(entry: Entry, units: UnitIndex) -> tuple[tuple[str, ...], ...]:
    """Return the names in each step."""
    return tuple(one.entities for one in units.annotations(entry.number))


def audit_usage(
    logged: Logged, options: UsageOptions, *, progress: Callable[[], None] | None = None
) -> UsageReport:
    """Return how recalls use the steps of a memory.

    Args:
        logged: What is logged.
        options: What is counted.
        progress: Called after each draw of the bootstrap.

    Raises:
        NotFoundError: Fewer than 20 recalls are logged.
    """
    usage = _last(logged.usage, options.last)
    n_recalls = len(usage.recalls)
    if n_recalls < LEAST_RECALLS:
        raise NotFoundError(
            f"{n_recalls or 'No'} recall{'' if n_recalls == 1 else 's'} over what is in this scope "
            f"{'is' if n_recalls == 1 else 'are'} logged; an audit needs {LEAST_RECALLS}.",
            hint="Recalls are logged as they are made (`stepwell ask`, Memory.recall), unless the "
            "memory is opened with log_recalls=False.",
        )
    rewards = np.array([_reward(logged, one) for one in usage.recalls])
    counts = _counts(logged, usage, options)
    return UsageReport(
        options=options,
        n_recalls=n_recalls,
        n_rewarded=int(np.isfinite(rewards).sum()),
        n_items=len(counts),
        tails=audit_counts(
            counts,
            rng=np.random.default_rng(options.seed),
            n_draws=options.n_draws,
            progress=progress,
        ),
        hot=hot_items(logged.entries, usage, rewards, by_step=options.item != "trajectory"),
        cold=cold_steps(logged.entries, usage, rewards),
        unused=unused_runs(logged.entries, usage),
    )


def _reward(logged: Logged, recall_id: str) -> float:
    recall = logged.recalls.get(recall_id)
    return np.nan if recall is None or recall.reward is None else recall.reward


def _last(usage: Usage, last: int | None) -> Usage:
    """Return the accesses of the last recalls, which keep their places among fewer."""
    if last is None or last >= len(usage.recalls):
        return usage
    return usage.since(len(usage.recalls) - last)


def _counts(logged: Logged, usage: Usage, options: UsageOptions) -> NDArray[np.int64]:
    """Return the accesses of each step, trajectory or entity in scope."""
    wanted, runs = usage.where(np.isin(usage.fate, _FATES[options.counted])), logged.entries
    if options.item == "entity":
        return _entity_counts(logged.entities, wanted)
    if options.item == "step":
        starts = np.cumsum([0, *(entry.n_steps for entry in runs)])
        firsts = {e.number: int(s) for e, s in zip(runs, starts[:-1], strict=True)}
        places = [firsts[number] for number in wanted.number.tolist()]
        found = np.array(places, dtype=np.int64) + wanted.step
        return np.bincount(found, minlength=int(starts[-1]))
    # Once for each recall, however many of its steps are quoted.
    pairs = np.unique(np.stack((wanted.recall, wanted.number)), axis=1)
    order = {entry.number: place for place, entry in enumerate(runs)}
    found = np.array([order[number] for number in pairs[1].tolist()], dtype=np.int64)
    return np.bincount(found, minlength=len(runs))


def _entity_counts(
    entities: dict[int, tuple[tuple[str, ...], ...]], usage: Usage
) -> NDArray[np.int64]:
    """Return the recalls of each name, once for each, however many of its steps are quoted."""
    named = chain.from_iterable(chain.from_iterable(entities.values()))
    order = {name: place for place, name in enumerate(dict.fromkeys(named))}
    recalls: list[int] = usage.recall.tolist()
    numbers: list[int] = usage.number.tolist()
    steps: list[int] = usage.step.tolist()
    pairs = {
        (recall, order[name])
        for recall, number, step in zip(recalls, numbers, steps, strict=True)
        for name in entities[number][step]
    }
    found = np.array([place for _, place in pairs], dtype=np.int64)
    return np.bincount(found, minlength=len(order))
