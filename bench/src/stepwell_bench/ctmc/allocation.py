"""The prompt budget by rank, over all that is kept: what the paper says of CTMC in words.

All entries are ranked, those of the state first, then by the controller's score. Rank r has
T_r = B·b(r; τ) of the B tokens, b(r; τ) = r^-τ / Σ_j j^-τ. From the first rank down, an entry whose
tokens suffice is said verbatim, or else compactly, and what it leaves over rolls down to the next.
If they suffice for neither, the entry is part of the tail, and its own tokens go to the tail's
summary until that has its cap. Beyond it they are not spent: rolled down, they would pay for
entries whose rank gives them nothing.

The summary says, for each state of the tail in order of rank, how many entries it has, the next
state that is commonest, how varied they are (entropy in bits, rounded down), and up to three next
states. A reader takes the entry of best rank about the state (and action, if it is known), else
what the summary says of the state, and else nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from stepwell_bench.ctmc.controller import Features, ranked_places
from stepwell_bench.ctmc.transitions import Recalled, Transition

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from stepwell.text.tokens import TokenCounter
    from stepwell_bench.ctmc.transitions import Observed

__all__ = ["Allocation", "Arm", "FullRank", "allocate", "cluster_line", "rank_shares"]

Arm = Literal["ranked", "shuffled", "reversed"]

_CAPACITY: Final = 200
_LEAST_SUMMARY: Final = 24
_SUMMARY: Final = 0.15
_NEXT_STATES: Final = 3
_HEAD: Final = "core:"
_TAIL: Final = " | tail:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocation:
    """Who is said how.

    Attributes:
        verbatim: Places of entries said in full, by rank.
        compact: Places of entries said compactly, by rank.
        tail: Places of all others, by rank.
        summary_tokens: What the tail's summary may take.
    """

    verbatim: tuple[int, ...]
    compact: tuple[int, ...]
    tail: tuple[int, ...]
    summary_tokens: float


@cache
def rank_shares(n: int, tau: float) -> NDArray[np.float64]:
    """Return b(r; τ) of ranks 1 to n; they sum to 1, and τ = 0 makes them equal.

    >>> rank_shares(3, 1.0).round(2).tolist()
    [0.55, 0.27, 0.18]
    """
    weights: NDArray[np.float64] = np.arange(1.0, n + 1) ** -tau
    return weights / float(weights.sum())


def allocate(
    full: Sequence[int], compact: Sequence[int], *, budget: float, tau: float, cap: float
) -> Allocation:
    """Share a budget among ranked entries.

    Args:
        full: Tokens of each entry in full, by rank.
        compact: Tokens of each in compact form.
        budget: B, tokens for all.
        tau: τ.
        cap: The most that the summary may take.

    >>> allocate([6, 6, 6], [3, 3, 3], budget=11.0, tau=1.0, cap=2.0)
    Allocation(verbatim=(0,), compact=(1,), tail=(2,), summary_tokens=2.0)
    """
    verbatim: list[int] = []
    short: list[int] = []
    tail: list[int] = []
    left, summary = 0.0, 0.0
    for place, share in enumerate((budget * rank_shares(len(full), tau)).tolist()):
        have = left + share
        if have >= full[place]:
            verbatim.append(place)
            left = have - full[place]
        elif have >= compact[place]:
            short.append(place)
            left = have - compact[place]
        else:
            tail.append(place)
            summary = min(summary + share, cap)
    return Allocation(
        verbatim=tuple(verbatim), compact=tuple(short), tail=tuple(tail), summary_tokens=summary
    )


def cluster_line(state: int, followed: Counter[int]) -> str:
    """Return what the summary says of a state.

    >>> cluster_line(12, Counter({7: 2, 9: 2}))
    '12:x2>7,h1{7,9}'
    """
    total = followed.total()
    entropy = -sum(n / total * math.log2(n / total) for n in followed.values())
    common = [after for after, _ in _commonest(followed)]
    named = ",".join(map(str, common[:_NEXT_STATES]))
    return f"{state}:x{len(followed)}>{common[0]},h{int(entropy)}{{{named}}}"


def _commonest(followed: Counter[int]) -> list[tuple[int, int]]:
    return sorted(followed.items(), key=lambda item: (-item[1], item[0]))


class FullRank:
    """The published controller's entries, with the whole budget shared by rank."""

    def __init__(
        self,
        n_states: int,
        *,
        rng: np.random.Generator,
        budget: float,
        counter: TokenCounter,
        tau: float = 1.0,
        arm: Arm = "ranked",
    ) -> None:
        """Make an empty one.

        Args:
            n_states: States of the world.
            rng: Shuffles ranks, where they are.
            budget: Tokens of what is said, at most. With a fraction, the mean of whole budgets that
                take turns: entries cost alike, so that one token can change what all states say.
            counter: Counts them.
            tau: τ.
            arm: Which rank an entry is given: its own, a drawn one, or the opposite one.
        """
        self._features = Features(_CAPACITY, n_states)
        self._rng = rng
        self._tau = tau
        self._arm: Arm = arm
        self._budget = budget
        self._n_recalls = 0
        self._count = cache(counter.count)
        self._costs = cache(self._counted)

    @property
    def kept(self) -> AbstractSet[Transition]:
        """The entries."""
        return set(self._features.entries)

    def write(self, observed: Observed) -> None:
        """Count a transition, or let it in for the entry of the lowest score."""
        self._features.take(observed.transition)

    def recall(self, state: int) -> Recalled:
        """Return what the budget allows."""
        ranked = self._ranked(state)
        full, compact = zip(*map(self._costs, ranked), strict=True) if ranked else ((), ())
        budget = self._next_budget()
        room = budget - self._count(_HEAD) - self._count(_TAIL)
        cap = min(max(_LEAST_SUMMARY, _SUMMARY * budget), room)
        found = allocate(full, compact, budget=room, tau=self._tau, cap=cap)
        in_full = set(found.verbatim)
        said = sorted((*found.verbatim, *found.compact))
        lines = [
            ranked[place].text if place in in_full else _short(ranked[place]) for place in said
        ]
        tail = [ranked[place] for place in found.tail]
        summary = list(self._summary(tail, found.summary_tokens))
        context = f"{_HEAD}{';'.join(lines)}{_TAIL}{' '.join(line for line, _ in summary)}"
        own = [ranked[place] for place in said if ranked[place].before == state]
        own += [one for _, one in summary if one.before == state]
        for rank, place in enumerate(said):
            self._features.read(ranked[place], rank)
        return Recalled(hints=own, context=context)

    def _next_budget(self) -> int:
        n = self._n_recalls
        self._n_recalls = n + 1
        return int(self._budget * (n + 1)) - int(self._budget * n)

    def _counted(self, one: Transition) -> tuple[int, int]:
        return self._count(f";{one.text}"), self._count(f";{_short(one)}")

    def _ranked(self, state: int) -> list[Transition]:
        features = self._features
        if not len(features):
            return []
        order = ranked_places(features.scores(), features.names)
        is_mate = features.names[order, 0] == state
        order = np.concatenate((order[is_mate], order[~is_mate]))
        if self._arm == "shuffled":
            order = self._rng.permutation(order)
        elif self._arm == "reversed":
            order = order[::-1]
        rows: list[int] = order.tolist()
        return [features.entries[row] for row in rows]

    def _summary(
        self, tail: Sequence[Transition], tokens: float
    ) -> Iterator[tuple[str, Transition]]:
        """Yield lines on states of the tail while they fit, with the transition each predicts."""
        clusters: dict[int, list[Transition]] = {}
        for one in tail:
            clusters.setdefault(one.before, []).append(one)
        for state, entries in clusters.items():
            followed: Counter[int] = Counter()
            for one in entries:
                followed[one.after] += self._features.times(one)
            line = cluster_line(state, followed)
            tokens -= self._count(f" {line}")
            if tokens < 0:
                return
            modal = _commonest(followed)[0][0]
            yield line, next(one for one in entries if one.after == modal)


def _short(one: Transition) -> str:
    return f"{one.before}>{one.action}>{one.after}"
