"""A controller for both errors: every state keeps something, and near-ties go to the tail.

The published controller lowers the tail error and raises the error over all steps. Both follow from
what it says: mostly transitions of other states. Here, what is said in a state s is worth, as the
next state n after an action a,

    u(s, a, n) = P(a | s) / K(s, a) · (1 + λ / (1 + v(n)/ṽ))

with P(a | s) = (times a was taken in s + 1) / (steps from s + actions seen in s), K(s, a) the
different states that followed, v(n) the visits of n and ṽ their median. How often n itself followed
is left out: states that an action leads to are as likely as each other, so that counts are noise,
and preferring the one that was visited least costs nothing on the whole. Each action says its best
next state, the best action first.

Over capacity, the state with the most entries loses the one worth least, so that no state is left
without. Where a state has none yet, it says the least visited state from which it was reached: most
ways lead back. λ was chosen on other seeds than those reported.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stepwell.bench.ctmc.transitions import Recalled, Transition, arrows

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from stepwell.bench.ctmc.transitions import Observed

__all__ = ["Balanced", "BalancedOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BalancedOptions:
    """How much is kept, and what is preferred.

    Attributes:
        capacity: Entries kept.
        favour: λ, how much a state that is hardly visited is preferred; 0 for not at all.
        leads_back: Whether a state without entries says where it was reached from.
    """

    capacity: int = 200
    favour: float = 2.0
    leads_back: bool = True


class Balanced:
    """Keep a transition of every state, and say the likeliest, in near-ties the least visited.

    It counts visits, actions and next states for good, as the published controller does; only
    entries are bounded.
    """

    def __init__(self, options: BalancedOptions | None = None) -> None:
        self._options = options or BalancedOptions()
        self._entries: defaultdict[int, dict[Transition, None]] = defaultdict(dict)
        self._n = 0
        self._visits: Counter[int] = Counter()
        self._taken: defaultdict[int, Counter[int]] = defaultdict(Counter)
        self._followed: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
        self._reached_from: defaultdict[int, dict[int, None]] = defaultdict(dict)

    @property
    def kept(self) -> AbstractSet[Transition]:
        """The entries."""
        return {entry for row in self._entries.values() for entry in row}

    def recall(self, state: int) -> Recalled:
        """Return the best entry of each action of the state, the best action first."""
        best: dict[int, Transition] = {}
        for entry in self._ranked(self._entries.get(state, {})):
            best.setdefault(entry.action, entry)
        hints = list(best.values()) or self._way_back(state)
        return Recalled(hints=hints, context=f"core:{arrows(hints) or '(empty)'}")

    def write(self, observed: Observed) -> None:
        """Count a step, let its transition in, and make room for it if need be."""
        before, action, after = one = observed.transition
        if not self._visits:
            self._visits[before] += 1
        self._visits[after] += 1
        self._taken[before][action] += 1
        self._followed[before, action].add(after)
        self._reached_from[after][before] = None
        if one not in self._entries[before]:
            self._entries[before][one] = None
            self._n += 1
        if self._n > self._options.capacity:
            self._evict()

    def worth(self, entry: Transition) -> float:
        """Return u of an entry, as the counts stand."""
        return self._worth(entry, self._median())

    def _worth(self, entry: Transition, median: int) -> float:
        taken = self._taken[entry.before]
        likely = (taken[entry.action] + 1) / (taken.total() + len(taken))
        rare = 1 / (1 + self._visits[entry.after] / median)
        n_followed = len(self._followed[entry.before, entry.action])
        return likely / n_followed * (1 + self._options.favour * rare)

    def _ranked(self, entries: dict[Transition, None]) -> list[Transition]:
        median = self._median()
        return sorted(entries, key=lambda entry: (-self._worth(entry, median), entry))

    def _median(self) -> int:
        """Return the lower median of the visits of visited states; 1 before the first step."""
        visits = sorted(self._visits.values())
        return visits[(len(visits) - 1) // 2] if visits else 1

    def _way_back(self, state: int) -> list[Transition]:
        if not self._options.leads_back:
            return []
        reached = self._reached_from.get(state, {})
        rarest = min(reached, key=lambda other: (self._visits[other], other), default=None)
        return [] if rarest is None else [Transition(state, 0, rarest)]

    def _evict(self) -> None:
        most = max(map(len, self._entries.values()))
        rows = [row for row in self._entries.values() if len(row) == most]
        worst = self._ranked(dict.fromkeys(entry for row in rows for entry in row))[-1]
        del self._entries[worst.before][worst]
        self._n -= 1
