"""Fit: pack and compose until the one exact count of the whole payload is within its limit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stepwell.recall.markup import json_text
from stepwell.recall.show.compose import tail_line, tail_row
from stepwell.recall.show.items import HEADER_TOKENS
from stepwell.recall.show.pack import Cutter, pack
from stepwell.recall.show.tail import TailMaker

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from stepwell.recall.allocation import Allocator
    from stepwell.recall.evidence import Item, Noted
    from stepwell.recall.show.items import ItemMaker
    from stepwell.recall.show.pack import Core, Packed
    from stepwell.recall.show.texts import StepText

__all__ = ["Payload", "PayloadPlan", "fit"]

_TRIES = 8

_SLACK = 0.04
"""Share of the limit that is left over when prices were too high: headers that several share."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """A composed payload.

    Attributes:
        text: The whole of it.
        packed: The steps quoted in it.
        items: The quotations, in its order.
        notes: What structures say in it themselves.
        tail: Lines that name candidates it does not quote.
        is_bound: Whether more room would have been used.
    """

    text: str
    packed: tuple[Packed, ...]
    items: tuple[Item, ...]
    notes: tuple[Noted, ...]
    tail: tuple[Noted, ...]
    is_bound: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PayloadPlan:
    """What a payload is to be made of.

    Attributes:
        views: Candidate steps, best first.
        chance: How probably each is evidence, shape (n,).
        weights: Weight of each search token of the question.
        allocation: How the room is shared.
        limit: Tokens of the whole payload, at most.
        room: Tokens of quotations and tail to begin with.
    """

    views: Sequence[StepText]
    chance: NDArray[np.float64]
    weights: Mapping[str, float]
    allocation: Allocator
    limit: int
    room: int


def fit(plan: PayloadPlan, maker: ItemMaker) -> Payload:
    """Return the payload of notes, the best quotations that fit, and the tail.

    Prices add up to the payload's tokens but for merges at their seams, so the first try nearly
    always fits; what it is over is taken from the room of the next, and what it leaves of a budget
    that binds is given to it. As a last resort the tail goes, then quotations, then notes.

    Args:
        plan: What it is made of.
        maker: Makes the items; holds the notes.
    """
    tails = _tails(plan, maker)
    cutter = Cutter(weights=plan.weights, price=maker, header=HEADER_TOKENS[maker.form])
    reserved = int(plan.room * plan.allocation.tail)
    room = plan.room - reserved
    found = _tried(plan, maker, tails, cutter, room=room, reserved=reserved)
    spare = min(-found.over, plan.room - room)
    if found.core.is_bound and spare > _SLACK * plan.limit:
        wider = _tried(plan, maker, tails, cutter, room=room + spare, reserved=reserved)
        found = wider if wider.over <= 0 else found
    for _ in range(_TRIES):
        if found.over <= 0:
            break
        room -= found.over
        found = _tried(plan, maker, tails, cutter, room=room, reserved=reserved)
    return _within(plan.limit, maker, found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Try:
    core: Core
    tail: tuple[Noted, ...]
    text: str
    over: int


def _tried(
    plan: PayloadPlan, maker: ItemMaker, tails: TailMaker, cutter: Cutter, room: int, reserved: int
) -> _Try:
    core = pack(
        plan.views, chance=plan.chance, allocation=plan.allocation, room=room, cutter=cutter
    )
    quoted = {packed.view.key for packed in core.packed}
    left = [view for view in plan.views if view.key not in quoted]
    tail = tails.lines(left, room=reserved)
    text = maker.payload(core.packed, tail)
    return _Try(core=core, tail=tail, text=text, over=maker.counter.count(text) - plan.limit)


def _within(limit: int, maker: ItemMaker, found: _Try) -> Payload:
    """Return the payload, of which the last parts go while it is over its limit."""
    packed, tail, text, over = list(found.core.packed), found.tail, found.text, found.over
    while over > 0 and (tail or packed or maker.notes):
        if tail:
            tail = tail[:-1]
        elif packed:
            packed = packed[:-1]
        else:
            maker = replace(maker, notes=maker.notes[:-1])
        text = maker.payload(packed, tail)
        over = maker.counter.count(text) - limit
    return Payload(
        text=text,
        packed=tuple(packed),
        items=maker.items(packed),
        notes=maker.notes,
        tail=tail,
        is_bound=found.core.is_bound or len(packed) < len(found.core.packed),
    )


def _tails(plan: PayloadPlan, maker: ItemMaker) -> TailMaker:
    words = maker.words if len(maker.entries) > 1 else None

    def price(line: Noted) -> int:
        if maker.form == "json":
            return maker.counter.count(f"{json_text(tail_row(line))}, ")
        return maker.counter.count(f"{tail_line(line, words=words)}\n")

    names = {number: entry.trajectory_id for number, entry in maker.entries.items()}
    return TailMaker(names=names, weights=plan.weights, price=price)
