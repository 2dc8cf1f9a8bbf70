"""Fit: pack and compose until the one exact count of the whole payload is within its limit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stepwell.retrieval.items import HEADER_TOKENS
from stepwell.retrieval.pack import pack

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from stepwell.retrieval.evidence import Item, Noted
    from stepwell.retrieval.items import ItemMaker
    from stepwell.retrieval.pack import Packed
    from stepwell.retrieval.views import View

__all__ = ["Payload", "fit"]

_TRIES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """A composed payload.

    Attributes:
        text: The whole of it.
        packed: The steps quoted in it.
        items: The quotations, in its order.
        notes: What structures say in it themselves.
    """

    text: str
    packed: tuple[Packed, ...]
    items: tuple[Item, ...]
    notes: tuple[Noted, ...]


def fit(
    views: Sequence[View],
    maker: ItemMaker,
    *,
    limit: int,
    room: int,
    weights: Mapping[str, float],
) -> Payload:
    """Return the payload of notes and the best quotations that fit.

    Prices add up to the payload's tokens but for merges at their seams, so the first try nearly
    always fits; what it is over is taken from the room of the next. As a last resort quotations
    go, then notes.

    Args:
        views: Candidate steps, best first.
        maker: Makes the items; holds the notes.
        limit: Tokens of the whole payload, at most.
        room: Tokens of quotations to begin with.
        weights: Weight of each search token of the question.
    """
    packed = _packed(views, maker, room=room, weights=weights)
    for _ in range(_TRIES):
        over = maker.counter.count(maker.payload(packed)) - limit
        if over <= 0:
            break
        room -= over
        packed = _packed(views, maker, room=room, weights=weights)
    while packed and maker.counter.count(maker.payload(packed)) > limit:
        packed = packed[:-1]
    while maker.notes and maker.counter.count(maker.payload(packed)) > limit:
        maker = replace(maker, notes=maker.notes[:-1])
    return Payload(
        text=maker.payload(packed),
        packed=tuple(packed),
        items=maker.items(packed),
        notes=maker.notes,
    )


def _packed(
    views: Sequence[View], maker: ItemMaker, *, room: int, weights: Mapping[str, float]
) -> list[Packed]:
    return pack(
        views, weights=weights, room=room, price=maker.price, header=HEADER_TOKENS[maker.form]
    )
