"""Pack: divide a token budget among ranked steps, and choose how much of each is shown.

The first ranks get shares that fall as 1 / (rank + 3), a step's share becoming excerpts of its
atoms; the ranks behind get an outline of a dozen tokens each; what is left goes back to depth.
How much of a step is shown matters more than how it is found: whole steps of 400 tokens fill a
budget of 1,000 with two or three, outlines with dozens, each one `expand` away from its whole text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from stepwell.retrieval.excerpt import deep, outline

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from stepwell.retrieval.excerpt import Excerpt
    from stepwell.retrieval.views import View

__all__ = ["Packed", "Price", "pack", "shares"]

_DEPTH = 0.6
"""Share of the budget for excerpts; the rest is for outlines."""

_FLATTEN = 3
"""Added to a rank: the first step is rarely worth twice the second."""

_LEAST = 32
"""Tokens of text below which an excerpt says little more than an outline."""

_CHARS_PER_TOKEN = 3.2
"""Of agents' logs, to size a window before it is counted."""

_SHORTEST = 32
"""Characters below which no excerpt is cut: a fragment is not worth its header."""

_OVER = 1.15
"""An excerpt that counts more than this above its share is cut once more."""


class Price(Protocol):
    """Tells what a step's excerpts cost in the payload."""

    def __call__(self, view: View, excerpts: Sequence[Excerpt], *, is_first: bool) -> int:
        """Return the tokens of these excerpts with all that surrounds them.

        `is_first` says that nothing of their trajectory is shown yet.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """A step in the payload.

    Attributes:
        view: The step.
        excerpts: What is shown of it.
        tokens: Their price.
    """

    view: View
    excerpts: tuple[Excerpt, ...]
    tokens: int


def pack(
    views: Sequence[View],
    *,
    weights: Mapping[str, float],
    room: int,
    price: Price,
    header: int = 8,
) -> list[Packed]:
    """Return what to show of which step, best rank first, at a price of at most `room` tokens.

    Args:
        views: Candidate steps, best first.
        weights: Weight of each search token of the question.
        room: Tokens.
        price: What excerpts cost.
        header: Tokens that stand around an excerpt, to size one before it is priced.
    """
    table = _Table(weights=weights, price=price, left=room, header=header)
    granted = shares(len(views), _DEPTH * room, least=_LEAST + header)
    carry = 0.0
    for view, share in zip(views, granted, strict=False):
        carry += share
        carry -= table.put(table.offer(view, carry))
    for view in views[len(granted) :]:
        if table.left < header:
            break
        table.put(table.priced(view, outline(view, weights=weights)))
    for view in views:
        if table.left < _LEAST + header:
            break
        if not table.is_whole(view):
            table.put(table.offer(view, table.left / 2 + table.cost(view)))
    if not table.shown and views:
        _show_anything(table, views)
    return [table.shown[view.key] for view in views if view.key in table.shown]


def shares(n: int, total: float, *, least: float = 40) -> list[float]:
    """Return token shares of the first ranks, proportional to 1 / (rank + 3), rank from 0.

    As many ranks as keep the last share at `least` tokens; at least one, if there is one.

    >>> [round(share) for share in shares(3, 300)]
    [128, 96, 77]
    """
    weights = [1 / (rank + _FLATTEN) for rank in range(n)]
    number, summed = 0, 0.0
    while number < n and total * weights[number] >= least * (summed + weights[number]):
        summed += weights[number]
        number += 1
    number = max(number, min(n, 1))
    summed = sum(weights[:number])
    return [total * weight / summed for weight in weights[:number]]


@dataclass(slots=True)
class _Table:
    """The payload while it is filled."""

    weights: Mapping[str, float]
    price: Price
    left: int
    header: int
    shown: dict[int, Packed] = field(default_factory=dict[int, Packed])
    trajectories: set[int] = field(default_factory=set[int])

    def cost(self, view: View) -> int:
        known = self.shown.get(view.key)
        return 0 if known is None else known.tokens

    def is_whole(self, view: View) -> bool:
        """Tell whether all there is to show of a step is shown, but for blank edges."""
        known = self.shown.get(view.key)
        n_shown = 0 if known is None else sum(e.end - e.start for e in known.excerpts)
        return n_shown >= sum(len(block.text.strip()) for block in view.blocks)

    def priced(self, view: View, excerpts: Sequence[Excerpt]) -> Packed:
        is_first = view.number not in self.trajectories
        tokens = self.price(view, excerpts, is_first=is_first) if excerpts else 0
        return Packed(view=view, excerpts=tuple(excerpts), tokens=tokens)

    def offer(self, view: View, tokens: float) -> Packed:
        """Return excerpts of about so many tokens."""
        if tokens <= self.header:
            return Packed(view=view, excerpts=(), tokens=0)
        most = max(int((tokens - self.header) * _CHARS_PER_TOKEN), _SHORTEST)
        offer = self.priced(view, deep(view, weights=self.weights, most=most))
        if offer.tokens > _OVER * tokens:
            most = int(most * tokens / offer.tokens * 0.95)
            offer = self.priced(view, deep(view, weights=self.weights, most=max(most, _SHORTEST)))
        return offer

    def put(self, offer: Packed) -> int:
        """Show a step so, if it fits and shows more than before; return its tokens, else 0."""
        more = offer.tokens - self.cost(offer.view)
        if not offer.excerpts or more > self.left or more <= 0:
            return 0
        self.shown[offer.view.key] = offer
        self.trajectories.add(offer.view.number)
        self.left -= more
        return offer.tokens


def _show_anything(table: _Table, views: Sequence[View]) -> None:
    """Show the beginning of the best step that fits at all, however short, rather than nothing."""
    for most in (120, 48, 18, 6, 3):
        for view in views:
            short = deep(view, weights=table.weights, most=most)[:1]
            if table.put(table.priced(view, short)):
                return
