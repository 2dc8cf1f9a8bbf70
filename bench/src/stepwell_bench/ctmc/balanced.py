"""A controller for both errors: every state keeps something, and near-ties go to the tail.

The published controller lowers the tail error and raises the error over all steps. Both follow from
what it says: mostly transitions of other states. Here, what is said in a state s is worth, as the
next state n after an action a,

    u(s, a, n) = P(a | s) · P(n | s, a) · (1 + λ / (1 + F(n)/F̄))

with P(a | s) = (times a was taken in s + 1) / (steps from s + actions of s). The prompt of a state
says how many actions and neighbours it has, so that the size K of the segment behind an action is
known: of its k states that followed before, each is as likely as the others, P(n | s, a) = 1/K. How
often n itself followed is left out: counts are noise, and preferring the state that is met least
costs nothing on the whole. Most ways lead back: a state that led to s and has not followed yet has
its part of the rest, P(n | s, a) = (1 - k/K) / (neighbours of s that have not followed).

How rarely n is met is told by more than its visits v(n), which are few in the tail:
F(n) = v(n) + e(n), where e(n) are the visits to be expected of the steps that were taken, from what
is known of the graph,

    e(n) = Σ_{s,a} N(s, a) · P(n | s, a) + rest · (unknown neighbours of n / unknown neighbours)

N(s, a) the times a was taken in s, and the rest what the first sum leaves to neighbours that s is
not known to have. F̄ is the mean of F over the states that were met.

Each action says its best next state, the best action first. Over capacity, the state with the most
entries loses the one worth least, so that no state is left without. λ and the terms of F were
chosen on other seeds than those reported.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from stepwell_bench.ctmc.transitions import Recalled, Transition, arrows
from stepwell_bench.ctmc.world import segment_size

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    from stepwell_bench.ctmc.transitions import Described, Observed

__all__ = ["Balanced", "BalancedOptions"]

_NOWHERE: Final = -1
"""No state: any neighbour that never followed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BalancedOptions:
    """How much is kept, and what is preferred.

    Attributes:
        capacity: Entries kept.
        favour: λ, how much a state that is hardly met is preferred; 0 for not at all.
        leads_back: Whether a state may say where it was reached from.
    """

    capacity: int = 200
    favour: float = 2.0
    leads_back: bool = True


@dataclass(slots=True, kw_only=True)
class _State:
    """What is known of a state: of its prompt, of the steps from it, and of its neighbours."""

    n_actions: int
    n_neighbours: int
    visits: int = 0
    taken: Counter[int] = field(default_factory=Counter[int])
    followed: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    linked: set[int] = field(default_factory=set[int])

    @property
    def n_unknown(self) -> int:
        """How many of its neighbours have no known link with it."""
        return max(0, self.n_neighbours - len(self.linked))

    def chosen(self, action: int) -> float:
        """Return P(a | s)."""
        return (self.taken[action] + 1) / (self.taken.total() + self.n_actions)

    def leads(self, action: int, after: int) -> float:
        """Return P(n | s, a) of a state that followed the action, or any other neighbour."""
        size = segment_size(self.n_neighbours, self.n_actions, action)
        if after in self.followed[action]:
            return 1 / size
        left = self.n_neighbours - sum(map(len, self.followed.values()))
        return max(0.0, 1 - len(self.followed[action]) / size) / max(1, left)

    def has_followed(self, after: int) -> bool:
        """Tell whether any action led to a state."""
        return any(after in states for states in self.followed.values())

    def sent(self, after: int) -> float:
        """Return how many of the steps from here are to be expected to have led to a neighbour."""
        by = [action for action, states in self.followed.items() if after in states]
        return sum(self.taken[a] * self.leads(a, after) for a in by or self.taken)


class Balanced:
    """Keep a transition of every state, and say the likeliest, in near-ties the one met least.

    It counts steps, and knows neighbours, for good, as the published controller does; only entries
    are bounded, and it says nothing that does not follow from one.
    """

    def __init__(self, options: BalancedOptions | None = None) -> None:
        self._options = options or BalancedOptions()
        self._states: dict[int, _State] = {}
        self._entries: defaultdict[int, dict[Transition, None]] = defaultdict(dict)
        self._ways_back: defaultdict[int, dict[int, None]] = defaultdict(dict)
        self._n_entries = 0
        self._n_visits = 0

    @property
    def kept(self) -> AbstractSet[Transition]:
        """The entries."""
        return {entry for row in self._entries.values() for entry in row}

    def recall(self, state: int) -> Recalled:
        """Return the best next state of each action of the state, the best action first."""
        best: dict[int, Transition] = {}
        for one in self._ranked([*self._entries.get(state, {}), *self._led_back(state)]):
            best.setdefault(one.action, one)
        hints = list(best.values())
        return Recalled(hints=hints, context=f"core:{arrows(hints) or '(empty)'}")

    def write(self, observed: Observed) -> None:
        """Count a step, let its transition in, and make room for it if need be."""
        before, action, after = one = observed.transition
        left, reached = self._met(before, observed.left), self._met(after, observed.reached)
        if not self._n_visits:
            left.visits = self._n_visits = 1
        reached.visits += 1
        self._n_visits += 1
        left.taken[action] += 1
        left.followed[action].add(after)
        left.linked.add(after)
        reached.linked.add(before)
        if one not in self._entries[before]:
            self._entries[before][one] = None
            self._ways_back[after][before] = None
            self._n_entries += 1
        if self._n_entries > self._options.capacity:
            self._evict()

    def worth(self, one: Transition) -> float:
        """Return u of a transition, as the counts stand."""
        return self._worths([one])[one]

    def _met(self, state: int, said: Described) -> _State:
        made = _State(n_actions=said.n_actions, n_neighbours=said.n_neighbours)
        return self._states.setdefault(state, made)

    def _led_back(self, state: int) -> list[Transition]:
        """Return, for each action that was taken, or the first, the ways back not yet gone."""
        if not self._options.leads_back or state not in self._states:
            return []
        known = self._states[state]
        others = [n for n in self._ways_back.get(state, {}) if not known.has_followed(n)]
        return [Transition(state, a, n) for a in known.taken or (0,) for n in others]

    def _ranked(self, transitions: Iterable[Transition]) -> list[Transition]:
        worths = self._worths(transitions)
        return sorted(worths, key=lambda one: (-worths[one], one))

    def _worths(self, transitions: Iterable[Transition]) -> dict[Transition, float]:
        states = self._states.values()
        rest = sum(known.sent(_NOWHERE) * known.n_unknown for known in states)
        per_unknown = rest / max(1, sum(known.n_unknown for known in states))
        mean = (2 * self._n_visits - 1) / max(1, len(states))
        found: dict[Transition, float] = {}
        for one in transitions:
            known, after = self._states[one.before], self._states[one.after]
            linked = sum(self._states[other].sent(one.after) for other in after.linked)
            met = after.visits + linked + per_unknown * after.n_unknown
            likely = known.chosen(one.action) * known.leads(one.action, one.after)
            found[one] = likely * (1 + self._options.favour / (1 + met / mean))
        return found

    def _evict(self) -> None:
        most = max(map(len, self._entries.values()))
        rows = [row for row in self._entries.values() if len(row) == most]
        worst = self._ranked(entry for row in rows for entry in row)[-1]
        del self._entries[worst.before][worst]
        if all(one.after != worst.after for one in self._entries[worst.before]):
            del self._ways_back[worst.after][worst.before]
        self._n_entries -= 1
