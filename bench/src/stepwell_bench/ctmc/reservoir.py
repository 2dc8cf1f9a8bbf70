"""The bounded memories whose use is audited: which transitions stay, and which a state is shown.

A transition is a number, (state · 3 + action) · n + next state, whose order is that of its name in
the paper. Each write and each read of it adds one to its count, which it keeps when it is evicted.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from stepwell.errors import InvalidInputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ACTIONS", "Evict", "Frequency", "Read", "Reservoir", "ReservoirOptions"]

ACTIONS = 3
"""The most actions a state can have."""

Evict = Literal["post", "pre"]
Frequency = Literal["uses", "writes"]
Read = Literal["none", "recency", "mates", "frequency", "tau"]

_ID_SPACE = 1 << 40
"""More than there are transitions, so that a rank and a number make one sortable integer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReservoirOptions:
    """How a reservoir keeps and reads.

    Attributes:
        capacity: Transitions kept.
        read: Which of a state's transitions are read: those written last (`recency`), drawn ones
            (`mates`), the most frequent (`frequency`), or drawn by rank among these (`tau`).
        evict: `post` lets a newcomer compete at once, as in the paper's tables; `pre` makes room
            for it first, as in the authors' code.
        frequency: What ranks transitions: `uses`, all writes and reads so far, comes nearest to the
            paper's tables; `writes`, since it was let in, is what the authors' code counts.
        top: Transitions read in a step.
        pool: Ranks that `tau` draws from.
        tau: How steeply it prefers the first ones: weight r^-τ.
    """

    capacity: int = 200
    read: Read = "frequency"
    evict: Evict = "post"
    frequency: Frequency = "uses"
    top: int = 3
    pool: int = 10
    tau: float = 1.0


class Reservoir:
    """At most so many transitions, those written most often; which are read depends on the state.

    A state reads transitions that leave it or lead to it, and any where there are none. Evicted is
    one drawn among those written least often.
    """

    def __init__(
        self, n_states: int, *, rng: np.random.Generator, options: ReservoirOptions | None = None
    ) -> None:
        """Make an empty one.

        Args:
            n_states: States of the world.
            rng: Draws who is evicted, and what is read where that is drawn.
            options: How it keeps and reads.

        Raises:
            InvalidInputError: It would keep nothing.
        """
        self._options = options or ReservoirOptions()
        if self._options.capacity < 1:
            raise InvalidInputError(
                f"A reservoir of capacity {self._options.capacity} keeps nothing.",
                hint="Use a capacity of at least 1.",
            )
        self._n = n_states
        self._rng = rng
        self._counts: Counter[int] = Counter()
        self._frequency = self._counts if self._options.frequency == "uses" else Counter[int]()
        self._kept: dict[int, tuple[int, int]] = {}
        self._by_frequency: dict[int, dict[int, None]] = {}
        self._order: list[int] = []
        self._mates: list[list[int]] = [[] for _ in range(n_states)]
        self._clock = 0
        self._rates = np.arange(1.0, self._options.pool + 1) ** -self._options.tau

    @property
    def kept(self) -> frozenset[int]:
        """The transitions it holds."""
        return frozenset(self._kept)

    def counts(self) -> NDArray[np.int64]:
        """Return how often each transition was written or read, evicted ones too, by number."""
        return np.asarray([count for _, count in sorted(self._counts.items())], dtype=np.int64)

    def write(self, transition: int) -> None:
        """Note that a transition happened."""
        self._clock += 1
        self._counts[transition] += 1
        if self._frequency is not self._counts:
            self._frequency[transition] += 1
        if transition in self._kept:
            self._remove(transition)
        elif not self._has_room(self._frequency[transition]):
            self._forget(transition)
            return
        self._insert(transition)

    def read(self, state: int) -> list[int]:
        """Return the transitions shown in a state, and count them as read."""
        if self._options.read == "none":
            return []
        keys = self._chosen(self._mates[state] or self._order)
        found = [key % _ID_SPACE for key in keys]
        for transition in found:
            self._counts[transition] += 1
            if self._frequency is self._counts:
                self._remove(transition)
                self._insert(transition)
        return found

    def _has_room(self, frequency: int) -> bool:
        """Make room for a newcomer, unless it is itself the one that goes."""
        if len(self._kept) < self._options.capacity:
            return True
        least = min(self._by_frequency)
        if self._options.evict == "post" and frequency < least:
            return False
        rivals = list(self._by_frequency[least])
        competes = self._options.evict == "post" and frequency == least
        place = int(self._rng.integers(len(rivals) + competes))
        if place == len(rivals):
            return False
        self._remove(rivals[place])
        self._forget(rivals[place])
        return True

    def _forget(self, transition: int) -> None:
        if self._frequency is not self._counts:
            del self._frequency[transition]

    def _chosen(self, ranked: list[int]) -> list[int]:
        top = min(self._options.top, len(ranked))
        if self._options.read == "mates":
            places = self._rng.permutation(len(ranked))[:top]
        elif self._options.read == "tau":
            # The least of exponential waiting times at rates r^-τ: as drawing one after the other.
            rates = self._rates[: len(ranked)]
            places = np.argsort(self._rng.exponential(size=len(rates)) / rates)[:top]
        else:
            return ranked[:top]
        return [ranked[place] for place in places]

    def _insert(self, transition: int) -> None:
        frequency = self._frequency[transition]
        rank = self._clock if self._options.read == "recency" else frequency
        key = transition - rank * _ID_SPACE
        self._kept[transition] = key, frequency
        self._by_frequency.setdefault(frequency, {})[transition] = None
        for keys in self._places(transition):
            insort(keys, key)

    def _remove(self, transition: int) -> None:
        key, frequency = self._kept.pop(transition)
        same = self._by_frequency[frequency]
        del same[transition]
        if not same:
            del self._by_frequency[frequency]
        for keys in self._places(transition):
            del keys[bisect_left(keys, key)]

    def _places(self, transition: int) -> tuple[list[int], ...]:
        before, after = transition // (ACTIONS * self._n), transition % self._n
        return self._order, self._mates[before], self._mates[after]
