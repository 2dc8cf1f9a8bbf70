"""Walk through a world with a memory, and measure what the memory foresaw and what it cost.

After its action is chosen, a step is foreseen if the next state is the one that the memory's first
hint names. Tail states are the half of the visited states visited least, and the tail error is the
error over steps that lead to one.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell_bench.ctmc.policies import Place
from stepwell_bench.ctmc.prompting import Frame
from stepwell_bench.ctmc.transitions import Described, Observed, Transition, predicted
from stepwell_bench.ctmc.world import Stream

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from stepwell.text.tokens import TokenCounter
    from stepwell_bench.ctmc.policies import Policy
    from stepwell_bench.ctmc.transitions import PromptMemory
    from stepwell_bench.ctmc.world import World

__all__ = ["Episode", "Scores", "score", "tail_states", "walk"]

_RECENT: Final = 5
_TAIL: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Episode:
    """What happened in a walk of n states, that is n - 1 steps.

    Attributes:
        states: Where the walker was, shape (n,).
        foreseen: Whether each step was foreseen, shape (n - 1,).
        foreseen_knowing: The same for a reader that knows the chosen action.
        tokens: Prompt tokens of each step.
        memory_tokens: Tokens of what memory said.
        walked: The transitions that happened.
        kept: The transitions that memory held at the end.
    """

    states: NDArray[np.int64]
    foreseen: NDArray[np.bool_]
    foreseen_knowing: NDArray[np.bool_]
    tokens: NDArray[np.int64]
    memory_tokens: NDArray[np.int64]
    walked: AbstractSet[Transition]
    kept: AbstractSet[Transition]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """An episode in figures.

    Attributes:
        tokens: Mean prompt tokens of a step.
        memory_tokens: Mean tokens of what memory said.
        tail_error: Error over steps that lead to a tail state.
        error: Error over all steps.
        tail_error_knowing: Tail error of a reader that knows the chosen action.
        error_knowing: Its error over all steps.
        coverage: Share of the walked transitions that memory held at the end.
    """

    tokens: float
    memory_tokens: float
    tail_error: float
    error: float
    tail_error_knowing: float
    error_knowing: float
    coverage: float


def walk(
    world: World, policy: Policy, memory: PromptMemory, *, n_states: int, counter: TokenCounter
) -> Episode:
    """Walk, writing each step into the memory.

    Args:
        world: Where.
        policy: Who chooses actions.
        memory: What is asked before each step.
        n_states: States of the walk, the first one included: at least 2.
        counter: Counts tokens.
    """
    rng = Stream.WALK.rng(world.seed)
    frame = Frame(world, counter)
    state = int(rng.integers(len(world)))
    states, recent = [state], deque([state], maxlen=_RECENT)
    rows: list[tuple[bool, bool, int, int]] = []
    walked: set[Transition] = set()
    for _ in range(n_states - 1):
        said = memory.recall(state)
        hinted = {one.after for one in said.hints}
        place = Place(state=state, recent=recent, hinted=hinted, context=said.context)
        action = policy.choose(place)
        part = world.segments[state][action]
        after = part[int(rng.integers(len(part)))]
        rows.append(
            (
                predicted(said, state, None) == after,
                predicted(said, state, action) == after,
                frame.tokens(state, recent=recent, context=said.context),
                counter.count(said.context),
            )
        )
        one = Transition(state, action, after)
        memory.write(_observed(world, one))
        walked.add(one)
        state = after
        states.append(state)
        recent.append(state)
    foreseen, knowing, tokens, memory_tokens = zip(*rows, strict=True)
    return Episode(
        states=np.asarray(states),
        foreseen=np.asarray(foreseen),
        foreseen_knowing=np.asarray(knowing),
        tokens=np.asarray(tokens),
        memory_tokens=np.asarray(memory_tokens),
        walked=walked,
        kept=frozenset(memory.kept),
    )


def tail_states(states: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the half of the visited states visited least, earlier visited ones first of equals.

    >>> tail_states(np.array([4, 2, 4, 2, 9, 2])).tolist()
    [9]
    """
    distinct, firsts, visits = np.unique(states, return_index=True, return_counts=True)
    ranked = np.lexsort((firsts, visits))
    return distinct[ranked][: max(1, int(len(distinct) * _TAIL))]


def score(episode: Episode) -> Scores:
    """Return the figures of an episode; without a step to a tail state its tail error is 0."""
    leads = np.isin(episode.states[1:], tail_states(episode.states))
    return Scores(
        tokens=float(episode.tokens.mean()),
        memory_tokens=float(episode.memory_tokens.mean()),
        tail_error=_missed(episode.foreseen[leads]),
        error=_missed(episode.foreseen),
        tail_error_knowing=_missed(episode.foreseen_knowing[leads]),
        error_knowing=_missed(episode.foreseen_knowing),
        coverage=len(episode.kept & episode.walked) / len(episode.walked),
    )


def _missed(foreseen: NDArray[np.bool_]) -> float:
    return float(1 - foreseen.mean()) if len(foreseen) else 0.0


def _observed(world: World, one: Transition) -> Observed:
    return Observed(
        transition=one, left=_described(world, one.before), reached=_described(world, one.after)
    )


def _described(world: World, state: int) -> Described:
    payload = world.payloads[state]
    return Described(
        entities=payload.entities,
        n_actions=payload.n_actions,
        n_neighbours=len(world.successors[state]),
    )
