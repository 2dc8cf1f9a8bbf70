"""What an observation says: as an object, as sentences, or as lines with values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.structures.temporal.grammar.prose import read_prose
from stepwell.structures.temporal.grammar.sentences import without_offers
from stepwell.structures.temporal.grammar.states import Listing, State
from stepwell.structures.temporal.log.decoding import decoded
from stepwell.structures.temporal.log.fieldlines import field_lines
from stepwell.structures.temporal.log.objects import object_facts
from stepwell.structures.temporal.log.pages import shown_states

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["read_observation"]

_LONG_TEXT = 4_000
"""Characters of a text above which lines with a colon are those of a document."""

_SHORT, _PLAIN = 300, 24
"""Characters of what a tool says itself, and of a plain value in a longer output."""


def read_observation(text: str, *, is_world: bool) -> tuple[list[State], list[Listing]]:
    """Return what an observation says.

    Args:
        text: The observation.
        is_world: Whether a world says it; of a program's output or a document that is not short,
            only plain values are read.
    """
    value = decoded(text)
    if value is not None:
        return object_facts(value, text)
    if is_world or len(text) <= _SHORT:
        return _said(text)
    states, _ = _values(text, ())
    return [*shown_states(text), *(one for one in states if len(one.value) <= _PLAIN)], []


def _said(text: str) -> tuple[list[State], list[Listing]]:
    """Return what sentences and lines say; a line with a value outdoes a sentence's listing."""
    said = read_prose(text)
    quotes = {one.quote for one in said.states} | {one.quote for one in said.listings}
    values, listings = _values(text, quotes - {""})
    holders = {one.holder for one in listings}
    seen = [*(one for one in said.listings if one.holder not in holders), *listings]
    return [*shown_states(text), *said.states, *values], seen


def _values(text: str, known: Collection[str]) -> tuple[list[State], list[Listing]]:
    """Return the values of lines that no sentence has said; of one key the last."""
    lines = without_offers(text) if len(text) <= _LONG_TEXT else []
    states: dict[tuple[str, str], State] = {}
    listings: list[Listing] = []
    for found in field_lines(lines):
        if isinstance(found, Listing):
            listings.append(found)
        elif found.quote.rstrip(".") not in known:
            states[found.slot, found.aspect] = found
    return list(states.values()), listings
