"""The seven memory policies that CTMC is compared with, as its authors run them."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from typing import TYPE_CHECKING, Final

from stepwell_bench.ctmc.transitions import Recalled, Transition, arrows
from stepwell_bench.ctmc.world import state_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    import numpy as np

    from stepwell_bench.ctmc.transitions import Observed

__all__ = [
    "FlatRetrieval",
    "FrequencyCache",
    "FullHistory",
    "GraphMemory",
    "HierarchicalSummary",
    "RecencyCache",
    "SlidingWindow",
]

_TOP: Final = 3
_CACHE: Final = 100
_WINDOW: Final = 100
_CHUNK: Final = 100
_SUMMARY: Final = 5
_RAW: Final = 5
_NEWEST: Final = 3
_PER_SUMMARY: Final = 2


class FullHistory:
    """Say every step, oldest first."""

    def __init__(self) -> None:
        self._steps: deque[Transition] = deque()

    @property
    def kept(self) -> AbstractSet[Transition]:
        """All that happened."""
        return set(self._steps)

    def recall(self, state: int) -> Recalled:  # noqa: ARG002  (says the same in every state)
        """Return all steps."""
        steps = tuple(self._steps)
        return Recalled(hints=steps, context=f"history: {arrows(steps)}" if steps else "(empty)")

    def write(self, observed: Observed) -> None:
        """Append a step."""
        self._steps.append(observed.transition)


class SlidingWindow(FullHistory):
    """Say the last 100 steps, oldest first."""

    def __init__(self, size: int = _WINDOW) -> None:
        super().__init__()
        self._steps = deque(maxlen=size)


class FlatRetrieval:
    """Say three of all transitions, drawn without regard to the state."""

    def __init__(self, *, rng: np.random.Generator) -> None:
        self._rng = rng
        self._known: dict[Transition, None] = {}
        self._listed: list[Transition] = []

    @property
    def kept(self) -> AbstractSet[Transition]:
        """All that happened."""
        return self._known.keys()

    def recall(self, state: int) -> Recalled:  # noqa: ARG002  (says the same in every state)
        """Return three drawn ones."""
        n = len(self._listed)
        places: list[int] = self._rng.permutation(n)[:_TOP].tolist()
        return _shown("flat_retrieval", [self._listed[place] for place in places])

    def write(self, observed: Observed) -> None:
        """Keep a transition if it is new."""
        if observed.transition not in self._known:
            self._known[observed.transition] = None
            self._listed.append(observed.transition)


class FrequencyCache:
    """Say the three transitions seen most often, of at most 100.

    When it is full, a newcomer takes the place of the first transition that was seen once, if any.
    """

    def __init__(self, capacity: int = _CACHE) -> None:
        self._capacity = capacity
        self._seen: dict[Transition, int] = {}

    @property
    def kept(self) -> AbstractSet[Transition]:
        """What the cache holds."""
        return self._seen.keys()

    def recall(self, state: int) -> Recalled:  # noqa: ARG002  (says the same in every state)
        """Return the three seen most often, the first kept first."""
        best = sorted(self._seen, key=lambda one: -self._seen[one])[:_TOP]
        said = "; ".join(f"{one.text}(f={self._seen[one]})" for one in best)
        return Recalled(hints=best, context=f"freq_cache: {said}" if best else "(empty)")

    def write(self, observed: Observed) -> None:
        """Count a transition, or let it in."""
        one = observed.transition
        if one not in self._seen and len(self._seen) >= self._capacity:
            least = min(self._seen, key=self._seen.__getitem__)
            if self._seen[least] > 1:
                return
            del self._seen[least]
        self._seen[one] = self._seen.get(one, 0) + 1


class RecencyCache:
    """Say the last three of the 100 transitions that happened last."""

    def __init__(self, capacity: int = _CACHE) -> None:
        self._capacity = capacity
        self._seen: dict[Transition, None] = {}

    @property
    def kept(self) -> AbstractSet[Transition]:
        """What the cache holds."""
        return self._seen.keys()

    def recall(self, state: int) -> Recalled:  # noqa: ARG002  (says the same in every state)
        """Return the last three, newest first."""
        return _shown("recency_cache", list(self._seen)[: -_TOP - 1 : -1])

    def write(self, observed: Observed) -> None:
        """Move a transition to the end."""
        self._seen.pop(observed.transition, None)
        if len(self._seen) >= self._capacity:
            del self._seen[next(iter(self._seen))]
        self._seen[observed.transition] = None


class HierarchicalSummary:
    """Say the commonest transitions of every 100 steps, and the last five steps."""

    def __init__(self) -> None:
        self._recent: deque[Transition] = deque(maxlen=_CHUNK)
        self._chunk: Counter[Transition] = Counter()
        self._n = 0
        self._summaries: list[list[tuple[Transition, int]]] = []

    @property
    def kept(self) -> AbstractSet[Transition]:
        """The transitions of all summaries, and of the last 100 steps."""
        return {one for summary in self._summaries for one, _ in summary} | set(self._recent)

    def recall(self, state: int) -> Recalled:  # noqa: ARG002  (says the same in every state)
        """Return summaries, then raw steps; its hints are the newest summaries' first."""
        newest = reversed(self._summaries[-_NEWEST:])
        hints = [one for summary in newest for one, _ in summary[:_PER_SUMMARY]]
        hints += list(self._recent)[-_TOP:]
        parts = [
            f"sum{place}:" + ",".join(f"{state_name(one.after)}(x{n})" for one, n in summary[:_TOP])
            for place, summary in enumerate(self._summaries)
        ]
        parts.append(f"recent:{arrows(list(self._recent)[-_RAW:])}")
        return Recalled(hints=hints[:_TOP], context=" | ".join(parts))

    def write(self, observed: Observed) -> None:
        """Take a step, and sum up when 100 are full."""
        self._recent.append(observed.transition)
        self._chunk[observed.transition] += 1
        self._n += 1
        if self._n % _CHUNK == 0:
            self._summaries.append(self._chunk.most_common(_SUMMARY))
            self._chunk.clear()


class GraphMemory:
    """Say a state's own last transitions, then frequent ones of states that share entities with it.

    In the manner of AriGraph: an episodic and a semantic layer, fused without repeats.
    """

    def __init__(self, *, verbose: bool = False, episode: int = 1) -> None:
        """Make an empty one.

        Args:
            verbose: Also say three of the state's entities. The authors do not publish which of
                their two forms is which; these take as many tokens as theirs.
            episode: Steps that become a state's own together, when there are so many. The authors'
                episodes have 100; when one can be searched, they do not say.
        """
        self._verbose = verbose
        self._length = episode
        self._episode: list[Transition] = []
        self._steps: defaultdict[int, deque[Transition]] = defaultdict(lambda: deque(maxlen=_TOP))
        self._degree: Counter[Transition] = Counter()
        self._from: defaultdict[int, dict[Transition, None]] = defaultdict(dict)
        self._entities: dict[int, tuple[int, ...]] = {}
        self._states: defaultdict[int, set[int]] = defaultdict(set)

    @property
    def kept(self) -> AbstractSet[Transition]:
        """All that happened."""
        return self._degree.keys()

    def recall(self, state: int) -> Recalled:
        """Return three transitions."""
        hints = _first([*reversed(self._steps[state]), *self._alike(state)], _TOP)
        context = f"kg: {arrows(hints, between='; ')}"
        if self._verbose:
            entities = sorted(f"ent_{one}" for one in self._entities.get(state, ()))[:_TOP]
            context += f" | ents:{','.join(entities) or '(none)'}"
        return Recalled(hints=hints, context=context)

    def write(self, observed: Observed) -> None:
        """Take a step and the entities of its states."""
        one = observed.transition
        self._episode.append(one)
        if len(self._episode) >= self._length:
            for step in self._episode:
                self._steps[step.before].append(step)
            self._episode.clear()
        self._degree[one] += 1
        self._from[one.before][one] = None
        for state, entities in (
            (one.before, observed.left.entities),
            (one.after, observed.reached.entities),
        ):
            self._entities[state] = entities
            for entity in entities:
                self._states[entity].add(state)

    def _alike(self, state: int) -> list[Transition]:
        shared: Counter[int] = Counter()
        for entity in sorted(self._entities.get(state, ()), key=str):
            shared.update(other for other in sorted(self._states[entity]) if other != state)
        near = [other for other, _ in shared.most_common(2 * _TOP)]
        edges = [edge for other in near for edge in self._from[other]]
        return sorted(edges, key=lambda edge: (-self._degree[edge], edge))[:_TOP]


def _first(ranked: Iterable[Transition], n: int) -> list[Transition]:
    return list(dict.fromkeys(ranked))[:n]


def _shown(name: str, hints: Sequence[Transition]) -> Recalled:
    return Recalled(hints=hints, context=f"{name}: {arrows(hints, between='; ')}" if hints else "-")
