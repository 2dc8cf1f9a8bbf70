"""A Synthetic Graph World: states with payloads, actions that lead to one of a segment of states.

A state has 3 to 8 of 200 entities, 2 to 6 relations among them, 1 to 4 of 7 constraints, and 1 to 3
actions, at most one for each successor. Its successors, in order, are split into as many equal
segments as it has actions, the last taking the rest; an action leads to any state of its segment,
each as likely.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from stepwell_bench.ctmc.graphs import Family, make_graph

if TYPE_CHECKING:
    from stepwell_bench.ctmc.graphs import Successors

__all__ = [
    "ENTITIES",
    "Payload",
    "Stream",
    "World",
    "make_world",
    "segment_size",
    "segments_of",
    "state_name",
]

ENTITIES = 200
_RELATIONS = ("hasPart", "connectedTo", "adjacentTo", "similarTo", "controls", "contains")
_CONSTRAINTS = (
    "temperature<50",
    "battery>=0.2",
    "count<=10",
    "unlocked==True",
    "safe_mode==False",
    "queue_empty==True",
    "cooldown<3",
)
_MOST_ACTIONS = 3


class Stream(IntEnum):
    """What is added to a seed for each thing that is drawn, so that one does not move another."""

    GRAPH = 0
    PAYLOAD = 1
    FLAT = 3
    CONTROLLER = 8
    WALK = 100
    MEMORY = 200
    FALLBACK = 300
    GOAL = 400

    def rng(self, seed: int) -> np.random.Generator:
        """Return the generator of this stream."""
        return np.random.default_rng(seed + self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """What a state says of itself.

    Attributes:
        entities: Numbers of entities.
        relations: Head, relation and tail.
        constraints: What holds there.
        n_actions: How many actions it offers.
    """

    entities: tuple[int, ...]
    relations: tuple[tuple[int, str, int], ...]
    constraints: tuple[str, ...]
    n_actions: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class World:
    """A world of n states.

    Attributes:
        family: The graph's family.
        seed: What it was made from.
        successors: The states after each, in order.
        payloads: What each state says.
        segments: For each state and action, the states it may lead to.
    """

    family: Family
    seed: int
    successors: Successors
    payloads: tuple[Payload, ...]
    segments: tuple[Successors, ...]

    def __len__(self) -> int:
        return len(self.successors)

    @property
    def n_edges(self) -> int:
        """How many transitions there are from a state to another."""
        return sum(map(len, self.successors))


_SYMMETRIC = Payload(
    entities=(1, 2, 3), relations=((1, "r1", 2),), constraints=("c1",), n_actions=_MOST_ACTIONS
)


def make_world(family: Family, n_states: int, *, seed: int) -> World:
    """Return the world of a family, size and seed.

    Args:
        family: The graph's recipe; baseline-symmetric gives every state the same payload.
        n_states: How many states, at least 20.
        seed: The same gives the same world.

    Raises:
        InvalidInputError: There are too few states.
    """
    successors = make_graph(family, n_states, rng=Stream.GRAPH.rng(seed))
    rng = Stream.PAYLOAD.rng(seed)
    payloads = tuple(
        _SYMMETRIC if family is Family.SYMMETRIC else _payload(len(after), rng)
        for after in successors
    )
    segments = tuple(
        segments_of(after, payload.n_actions)
        for after, payload in zip(successors, payloads, strict=True)
    )
    return World(
        family=family, seed=seed, successors=successors, payloads=payloads, segments=segments
    )


def segments_of(successors: tuple[int, ...], n_actions: int) -> Successors:
    """Return the states that each action may lead to.

    >>> segments_of((4, 7, 1, 9, 3), 2)
    ((4, 7), (1, 9, 3))
    """
    sizes = [segment_size(len(successors), n_actions, action) for action in range(n_actions)]
    ends = list(accumulate(sizes))
    return tuple(successors[end - size : end] for size, end in zip(sizes, ends, strict=True))


def segment_size(n_successors: int, n_actions: int, action: int) -> int:
    """Return how many states an action may lead to; the last one takes the rest.

    >>> [segment_size(5, 2, action) for action in (0, 1)]
    [2, 3]
    """
    size, rest = divmod(n_successors, n_actions)
    return size + rest * (action == n_actions - 1)


def state_name(state: int) -> str:
    """Return the name of a state in prompts.

    >>> state_name(7)
    'v_0007'
    """
    return f"v_{state:04d}"


def _payload(n_successors: int, rng: np.random.Generator) -> Payload:
    entities = rng.choice(ENTITIES, size=rng.integers(3, 9), replace=False).tolist()
    relations = tuple(
        (
            entities[rng.integers(len(entities))],
            _RELATIONS[rng.integers(len(_RELATIONS))],
            entities[rng.integers(len(entities))],
        )
        for _ in range(rng.integers(2, 7))
    )
    held: list[int] = rng.permutation(len(_CONSTRAINTS))[: rng.integers(1, 5)].tolist()
    return Payload(
        entities=tuple(entities),
        relations=relations,
        constraints=tuple(_CONSTRAINTS[place] for place in held),
        n_actions=min(int(rng.integers(1, _MOST_ACTIONS + 1)), n_successors),
    )
