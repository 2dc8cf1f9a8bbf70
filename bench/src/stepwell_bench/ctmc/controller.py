"""The published Core-Tail Memory Controller, as its authors run it.

An entry is a transition, scored by c = Σ w·z(feature): how often it was written; how well it
ranked when it was read, 1/(1 + mean rank); how varied its state's next states are, distinct/all; a
constant uncertainty; and how rarely its next state was visited, 1/visits. z standardises over the
entries. The best 30 % are the core, of which three are said, those of the state first; two of the
others are drawn with weight r^-τ and said in clusters. When the memory is full, the entry of the
lowest score goes.

τ is only in the tail here, and the prediction is always a core entry: the rows of the paper's
Table 6 cannot come from this code (see `allocation`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from stepwell_bench.ctmc.transitions import Recalled, Transition, arrows

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from stepwell_bench.ctmc.transitions import Observed

__all__ = ["ControllerOptions", "CoreTail", "Encoding", "Features", "ranked_places"]

Encoding = Literal["compact", "verbose"]

_WEIGHTS: Final = (0.30, 0.20, 0.20, 0.15, 0.15)
_UNCERTAINTY: Final = 0.5
_FLAT: Final = 1e-9
"""A feature that varies less than this is not scaled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerOptions:
    """How much is kept and said.

    Attributes:
        capacity: Entries kept.
        core: Share of the entries that are the core.
        core_slots: Core entries said.
        tail_slots: Tail entries drawn.
        tau: How steeply draws prefer the better ranks.
        encoding: `verbose` says scores and tail entries, `compact` the number of clusters.
    """

    capacity: int = 200
    core: float = 0.30
    core_slots: int = 3
    tail_slots: int = 2
    tau: float = 1.0
    encoding: Encoding = "compact"


class Features:
    """The entries of a bounded memory and what is known of them; a row each, reused when one goes.

    Attributes:
        entries: The transition of each row.
        written: How often it was written since it was let in, float64.
        rank_sum: Sum of the ranks at which it was read, float64.
        reads: How often it was read, float64.
        since: When it was let in, int64.
    """

    def __init__(self, capacity: int, n_states: int) -> None:
        self.entries: list[Transition] = []
        self.written = np.zeros(capacity)
        self.rank_sum = np.zeros(capacity)
        self.reads = np.zeros(capacity)
        self.since = np.zeros(capacity, dtype=np.int64)
        self._names = np.zeros((capacity, 3), dtype=np.int64)
        self._rows: dict[Transition, int] = {}
        self._distinct: list[set[int]] = [set() for _ in range(n_states)]
        self._n_distinct = np.zeros(n_states)
        self._out = np.zeros(n_states)
        self._visits = np.zeros(n_states)
        self._clock = 0

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def names(self) -> NDArray[np.int64]:
        """State, action and next state of each entry, shape (n, 3)."""
        return self._names[: len(self)]

    def take(self, transition: Transition) -> None:
        """Count a transition, or let it in; without a free row, the lowest score goes."""
        row = self._rows.get(transition)
        if row is not None:
            self.written[row] += 1
        else:
            self._place(transition, self._free_row())
        self._note(transition)

    def read(self, transition: Transition, rank: int) -> None:
        """Note that an entry was read, and at which rank, from 0."""
        row = self._rows[transition]
        self.rank_sum[row] += rank
        self.reads[row] += 1

    def times(self, transition: Transition) -> int:
        """Return how often an entry was written since it was let in."""
        return int(self.written[self._rows[transition]])

    def _free_row(self) -> int:
        n = len(self)
        if n < len(self.written):
            return n
        return int(np.lexsort((self.since, self.scores()))[0])

    def _place(self, transition: Transition, row: int) -> None:
        self._clock += 1
        if row == len(self):
            self.entries.append(transition)
        else:
            del self._rows[self.entries[row]]
            self.entries[row] = transition
        self._rows[transition] = row
        self._names[row] = transition
        self.written[row], self.rank_sum[row], self.reads[row] = 1, 0, 0
        self.since[row] = self._clock

    def _note(self, transition: Transition) -> None:
        before, _, after = transition
        self._distinct[before].add(after)
        self._n_distinct[before] = len(self._distinct[before])
        self._out[before] += 1
        self._visits[before] += 1
        self._visits[after] += 1

    def scores(self) -> NDArray[np.float64]:
        """Return c of each entry, shape (n,)."""
        n = len(self)
        before, after = self.names[:, 0], self.names[:, 2]
        reads = self.reads[:n]
        read_well = np.where(reads > 0, 1 / (1 + self.rank_sum[:n] / np.maximum(reads, 1)), 0.0)
        features: tuple[NDArray[np.float64], ...] = (
            self.written[:n],
            read_well,
            self._n_distinct[before] / np.maximum(1, self._out[before]),
            np.full(n, _UNCERTAINTY),
            1 / np.maximum(1, self._visits[after]),
        )
        total = np.zeros(n)
        for weight, feature in zip(_WEIGHTS, features, strict=True):
            total += weight * _standard(feature)
        return total


def _standard(x: NDArray[np.float64]) -> NDArray[np.float64]:
    spread = float(x.std())
    return (x - float(x.mean())) / (spread if spread >= _FLAT else 1.0)


def ranked_places(scores: NDArray[np.float64], names: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return rows by falling score, equal ones by name."""
    return np.lexsort((names[:, 2], names[:, 1], names[:, 0], -scores))


class CoreTail:
    """CTMC: a core of the best entries and a drawn, clustered tail."""

    def __init__(
        self, n_states: int, *, rng: np.random.Generator, options: ControllerOptions | None = None
    ) -> None:
        """Make an empty one.

        Args:
            n_states: States of the world.
            rng: Draws the tail.
            options: How much is kept and said.
        """
        self._options = options or ControllerOptions()
        self._rng = rng
        self._features = Features(self._options.capacity, n_states)

    @property
    def kept(self) -> AbstractSet[Transition]:
        """The entries."""
        return set(self._features.entries)

    def recall(self, state: int) -> Recalled:
        """Return three of the core and clusters of the tail."""
        features, options = self._features, self._options
        if not len(features):
            return Recalled(hints=(), context="core:(empty) | tail:(empty)")
        scores = features.scores()
        ranked = ranked_places(scores, features.names)
        n_core = max(1, int(len(ranked) * options.core))
        core, tail = ranked[:n_core], ranked[n_core:]
        is_mate = features.names[core, 0] == state
        ordered = np.concatenate((core[is_mate], core[~is_mate]))
        said: list[int] = ordered[: options.core_slots].tolist()
        heads = self._clusters(tail)
        hints = [features.entries[row] for row in [*said, *heads]]
        for rank, one in enumerate(hints):
            features.read(one, rank)
        context = self._context(hints[: len(said)], hints[len(said) :], scores[said].tolist())
        return Recalled(hints=hints, context=context)

    def write(self, observed: Observed) -> None:
        """Count a transition, or let it in for the entry of the lowest score."""
        self._features.take(observed.transition)

    def _clusters(self, tail: NDArray[np.int64]) -> list[int]:
        """Return drawn rows of the tail, the first of each state."""
        n = min(self._options.tail_slots, len(tail))
        rates = np.arange(1.0, len(tail) + 1) ** -self._options.tau
        order = np.argsort(self._rng.exponential(size=len(tail)) / rates)
        drawn: list[int] = tail[order[:n]].tolist()
        heads: dict[int, int] = {}
        for row in drawn:
            heads.setdefault(self._features.entries[row].before, row)
        return list(heads.values())

    def _context(
        self, core: Sequence[Transition], tail: Sequence[Transition], scores: Sequence[float]
    ) -> str:
        if self._options.encoding == "compact":
            said = f"{len(tail)}clusters" if tail else "(empty)"
            return f"core:{arrows(core)} | tail:{said}"
        scored = (f"{one.text}(c={c:.2f})" for one, c in zip(core, scores, strict=True))
        return f"core:{';'.join(scored)} | tail:{arrows(tail) or '(empty)'}"
