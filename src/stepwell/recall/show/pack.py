"""Pack: show of each ranked step what an allocation grants it.

How much of a step is shown matters more than how it is found: whole steps of 400 tokens fill a
budget of 1,000 with two or three, outlines with dozens, each one `expand` away from its whole text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np

from stepwell.recall.show.excerpt import deep, outline

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from stepwell.recall.allocation import Allocator
    from stepwell.recall.show.excerpt import Excerpt
    from stepwell.recall.show.texts import StepText

__all__ = ["Core", "Cutter", "Packed", "Price", "pack"]

_LEAST = 32
"""Tokens of text below which an excerpt says little more than an outline."""

_CHARS_PER_TOKEN = 3.2
"""Of agents' logs, to size a window before it is counted, where outlines do not tell."""

_SHORTEST = 32
"""Characters below which no excerpt is cut: a fragment is not worth its header."""

_DEEPER = 1.3
"""A grant below so many outlines is spent on the outline: it would show hardly more."""

_OVER = 1.15
"""An excerpt that counts more than this above its share is cut once more."""


class Price(Protocol):
    """Tells what a step's excerpts cost in the payload."""

    def price(self, view: StepText, excerpts: Sequence[Excerpt]) -> int:
        """Return the tokens of these excerpts, each with its header and line end."""
        ...

    def groups(self, view: StepText) -> Mapping[str, int]:
        """Return the tokens of each line that stands before the first step of a group of steps."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """A step in the payload.

    Attributes:
        view: The step.
        excerpts: What is shown of it.
        tokens: Their price.
    """

    view: StepText
    excerpts: tuple[Excerpt, ...]
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """What is quoted.

    Attributes:
        packed: The steps, best rank first.
        is_bound: Whether more room would have been used.
    """

    packed: tuple[Packed, ...]
    is_bound: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Cutter:
    """What cuts and prices excerpts.

    Attributes:
        weights: Weight of each search token of the question.
        price: What excerpts cost.
        header: Tokens that stand around an excerpt, to size one before it is priced.
        outlines: Outlines by key, made once for all tries.
    """

    weights: Mapping[str, float]
    price: Price
    header: int = 8
    outlines: dict[int, Packed] = field(default_factory=dict[int, Packed])

    def outlined(self, view: StepText) -> Packed:
        """Return the least that tells what a step did."""
        known = self.outlines.get(view.key)
        if known is None:
            known = self.priced(view, outline(view, weights=self.weights))
            self.outlines[view.key] = known
        return known

    def priced(self, view: StepText, excerpts: Sequence[Excerpt]) -> Packed:
        """Return excerpts of a step at their price."""
        tokens = self.price.price(view, excerpts) if excerpts else 0
        return Packed(view=view, excerpts=tuple(excerpts), tokens=tokens)


def pack(
    views: Sequence[StepText],
    *,
    chance: NDArray[np.float64],
    allocation: Allocator,
    room: int,
    cutter: Cutter,
) -> Core:
    """Return what to show of which step at a price of at most `room` tokens.

    Args:
        views: Candidate steps, best first.
        chance: How probably each is evidence, shape (n,).
        allocation: How tokens are shared.
        room: Tokens.
        cutter: What cuts and prices excerpts.
    """
    table = _Table(cutter=cutter, left=room)
    is_bound = True
    if allocation.shows_parts:
        is_bound = _share(table, views, chance, allocation)
    else:
        for view in views:
            table.put(table.whole(view))
    if not table.shown and views:
        _show_anything(table, views)
    packed = tuple(table.shown[view.key] for view in views if view.key in table.shown)
    return Core(packed=packed, is_bound=is_bound)


def _share(
    table: _Table, views: Sequence[StepText], chance: NDArray[np.float64], allocation: Allocator
) -> bool:
    """Show each step as far as its grant goes; where the budget binds, spend what is left."""
    outlines = [table.cutter.outlined(view) for view in views]
    table.learn_rate(outlines)
    least = np.array([max(offer.tokens, 1) for offer in outlines], dtype=np.float64)
    wholes = np.maximum([table.estimate(view) for view in views], least)
    tokens, is_bound = allocation.grants(chance, least, wholes, room=table.left)
    grants_of = zip(views, tokens.tolist(), wholes.tolist(), outlines, strict=True)
    for view, granted, whole, short in grants_of:
        if granted >= whole and table.put(table.whole(view)):
            continue
        if granted:
            is_deep = granted >= max(_DEEPER * short.tokens, _LEAST + table.cutter.header)
            if not (is_deep and table.put(table.offer(view, granted))):
                table.put(short)
    if is_bound:
        _spend(table, views, chance, outlines)
    return is_bound


def _spend(
    table: _Table,
    views: Sequence[StepText],
    chance: NDArray[np.float64],
    outlines: Sequence[Packed],
) -> None:
    """Spend what estimates left over: on outlines of the next, then on depth of the first."""
    order: list[int] = np.argsort(-chance, kind="stable").tolist()
    for place in order:
        if views[place].key not in table.shown and chance[place] > 0:
            table.put(outlines[place])
    for view in views:
        if table.left < _LEAST + table.cutter.header:
            break
        if not table.is_whole(view):
            table.put(table.offer(view, table.left / 2 + table.cost(view)))


@dataclass(slots=True)
class _Table:
    """The payload while it is filled."""

    cutter: Cutter
    left: int
    shown: dict[int, Packed] = field(default_factory=dict[int, Packed])
    groups: set[str] = field(default_factory=set[str])
    rate: float = _CHARS_PER_TOKEN

    def cost(self, view: StepText) -> int:
        known = self.shown.get(view.key)
        return 0 if known is None else known.tokens

    def learn_rate(self, offers: Sequence[Packed]) -> None:
        """Take characters per token from what was priced: scripts and tokenizers differ."""
        excerpts = [excerpt for offer in offers for excerpt in offer.excerpts]
        n_chars = sum(excerpt.end - excerpt.start for excerpt in excerpts)
        n_tokens = sum(offer.tokens for offer in offers) - self.cutter.header * len(excerpts)
        if n_tokens > 0:
            self.rate = min(max(n_chars / n_tokens, 0.5), 6.0)

    def estimate(self, view: StepText) -> float:
        """Return about how many tokens the whole step takes."""
        n_chars = sum(len(block.text) for block in view.blocks)
        return n_chars / self.rate + self.cutter.header * len(view.blocks)

    def is_whole(self, view: StepText) -> bool:
        """Tell whether all there is to show of a step is shown, but for blank edges."""
        known = self.shown.get(view.key)
        n_shown = 0 if known is None else sum(e.end - e.start for e in known.excerpts)
        return n_shown >= sum(len(block.text.strip()) for block in view.blocks)

    def whole(self, view: StepText) -> Packed:
        """Return all there is to show of a step."""
        most = sum(len(block.text) for block in view.blocks)
        return self.cutter.priced(view, deep(view, weights=self.cutter.weights, most=most))

    def offer(self, view: StepText, tokens: float) -> Packed:
        """Return excerpts of about so many tokens."""
        if tokens <= self.cutter.header:
            return Packed(view=view, excerpts=(), tokens=0)
        most = max(int((tokens - self.cutter.header) * self.rate), _SHORTEST)
        offer = self.cutter.priced(view, deep(view, weights=self.cutter.weights, most=most))
        if offer.tokens > _OVER * tokens:
            most = int(most * tokens / offer.tokens * 0.95)
            offer = self.cutter.priced(
                view, deep(view, weights=self.cutter.weights, most=max(most, _SHORTEST))
            )
        return offer

    def put(self, offer: Packed) -> int:
        """Show a step so, if it fits and shows more than before; return its tokens, else 0."""
        more = offer.tokens - self.cost(offer.view)
        if not offer.excerpts or more <= 0:
            return 0
        new = {
            line: tokens
            for line, tokens in self.cutter.price.groups(offer.view).items()
            if line not in self.groups
        }
        more += sum(new.values())
        if more > self.left:
            return 0
        self.shown[offer.view.key] = offer
        self.groups.update(new)
        self.left -= more
        return offer.tokens


def _show_anything(table: _Table, views: Sequence[StepText]) -> None:
    """Show the beginning of the best step that fits at all, however short, rather than nothing."""
    for most in (120, 48, 18, 6, 3):
        for view in views:
            short = deep(view, weights=table.cutter.weights, most=most)[:1]
            if table.put(table.cutter.priced(view, short)):
                return
