"""Try things out: read a random subset now and then, and say how probable each choice was."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from stepwell.errors import InvalidInputError
from stepwell.policy.base import Selection

if TYPE_CHECKING:
    from stepwell.policy.base import Context, Policy

__all__ = ["Exploring"]

_HALF: Final = 8
"""Bytes of the hash that decide whether to try; the others decide what."""

_BITS: Final = 53
"""Of these, as many as a float holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exploring:
    """Another policy that reads, for a share of the questions, a random subset instead.

    The draw is a hash of seed and question, so the same question gives the same selection. Of K
    structures available, a subset z is chosen with probability

        share / (2^K - 1) + (1 - share)·1[z = the inner policy's choice],

    which is `chance` of the selection: what learning from logged choices divides by.

    Attributes:
        policy: The inner policy, which tries nothing out itself.
        share: Of questions to try something with, from 0 to 1.
        seed: Of the draws.
    """

    policy: Policy
    share: float = 0.1
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise InvalidInputError(
                f"{self.share} is no share of questions.", hint="Give a number from 0 to 1."
            )

    @property
    def name(self) -> str:
        """The inner policy's name, and how often something else is tried."""
        return f"{self.policy.name}+{self.share:g}"

    def select(self, question: str, context: Context) -> Selection:
        """Return the inner policy's selection, or one tried out.

        Raises:
            PolicyError: The inner policy failed.
        """
        # Looked at, signals are logged, and what is learned from the log can go by them.
        context = replace(context, signals=dict(context.signals))
        inner = self.policy.select(question, context)
        names = tuple(dict.fromkeys(context.available))
        n_subsets = 2 ** len(names) - 1
        tries, number = _drawn(self.seed, question)
        drawn = number % n_subsets + 1
        subset = tuple(name for place, name in enumerate(names) if drawn >> place & 1)
        chance = self.share / n_subsets
        if tries >= self.share or set(subset) == set(inner.structures):
            return replace(inner, chance=chance + (1 - self.share) * inner.chance)
        return Selection(structures=subset, why="tried out", chance=chance)


def _drawn(seed: int, question: str) -> tuple[float, int]:
    """Return a number from [0, 1) and a large whole one."""
    key = f"{seed} {question}".encode("utf-8", "surrogatepass")
    raw = hashlib.sha256(key).digest()
    first = int.from_bytes(raw[:_HALF], "big") >> (8 * _HALF - _BITS)
    return first / 2**_BITS, int.from_bytes(raw[_HALF:], "big")
