"""Walks whose use of a reservoir is audited."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from stepwell_bench.ctmc.policies import Place
from stepwell_bench.ctmc.reservoir import ACTIONS, Reservoir
from stepwell_bench.ctmc.world import Stream

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from stepwell_bench.ctmc.policies import Policy
    from stepwell_bench.ctmc.reservoir import ReservoirOptions
    from stepwell_bench.ctmc.world import World

__all__ = ["random_walk", "use", "use_along"]

_RECENT: Final = 5


def random_walk(world: World, n_steps: int) -> list[tuple[int, int]]:
    """Walk to any successor, each as likely.

    Returns:
        The state and the transition's number of each step; actions are those whose segment holds
        the next state.
    """
    rng = Stream.WALK.rng(world.seed)
    n = len(world)
    rows = [
        [
            (state * ACTIONS + action) * n + after
            for action, part in enumerate(parts)
            for after in part
        ]
        for state, parts in enumerate(world.segments)
    ]
    state = int(rng.integers(n))
    steps: list[tuple[int, int]] = []
    for draw in rng.random(n_steps).tolist():
        row = rows[state]
        transition = row[int(draw * len(row))]
        steps.append((state, transition))
        state = transition % n
    return steps


def use(
    world: World, steps: list[tuple[int, int]], options: ReservoirOptions | None = None
) -> NDArray[np.int64]:
    """Return how often each transition was used when a walk is written and read step by step."""
    memory = _reservoir(world, options)
    write, read = memory.write, memory.read
    for state, transition in steps:
        write(transition)
        read(state)
    return memory.counts()


def use_along(
    world: World, policy: Policy, *, n_steps: int, options: ReservoirOptions | None = None
) -> NDArray[np.int64]:
    """Return how often each transition was used when a policy walks by what it reads."""
    memory, n = _reservoir(world, options), len(world)
    rng = Stream.WALK.rng(world.seed)
    state = int(rng.integers(n))
    recent = deque([state], maxlen=_RECENT)
    for _ in range(n_steps):
        hinted = {transition % n for transition in memory.read(state)}
        action = policy.choose(Place(state=state, recent=recent, hinted=hinted, context=""))
        part = world.segments[state][action]
        after = part[int(rng.integers(len(part)))]
        memory.write((state * ACTIONS + action) * n + after)
        state = after
        recent.append(state)
    return memory.counts()


def _reservoir(world: World, options: ReservoirOptions | None) -> Reservoir:
    return Reservoir(len(world), rng=Stream.MEMORY.rng(world.seed), options=options)
