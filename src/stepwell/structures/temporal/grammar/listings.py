"""Sentences that list what lies somewhere or what the agent carries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.structures.temporal.grammar import forms
from stepwell.structures.temporal.grammar.names import is_name, listed
from stepwell.structures.temporal.grammar.states import HERE, INVENTORY, Listing
from stepwell.structures.temporal.grammar.words.prepositions import BESIDE

if TYPE_CHECKING:
    from stepwell.structures.temporal.grammar.said import Said

__all__ = ["read_carried", "read_contents", "read_seen_here"]


def read_carried(sentence: str, said: Said) -> bool:
    """Read "You are carrying: a mug 1"; return whether the sentence says so."""
    if forms.EMPTY_HANDED.match(sentence):
        said.listings.append(Listing(holder=INVENTORY, items=(), quote=sentence))
        return True
    match = forms.CARRIED.match(sentence)
    items = None if match is None else listed(match["items"])
    if items is not None:
        said.listings.append(Listing(holder=INVENTORY, items=items, quote=sentence))
    return items is not None


def read_contents(sentence: str, said: Said) -> bool:
    """Read "On the shelf 2, you see a mug 1", or that something is empty."""
    found = _contents(sentence)
    if found is None:
        return False
    name, items = found
    holder = said.meant(name)
    is_beside = sentence.casefold().startswith(BESIDE)
    if items is None or is_beside or not is_name(holder):
        # What lies beside a place is read, so that nothing else is made of the sentence.
        return is_beside
    said.antecedent = holder
    said.listings.append(Listing(holder=holder, items=items, quote=sentence))
    return True


def _contents(sentence: str) -> tuple[str, tuple[str, ...] | None] | None:
    """Return a place and what is in it, None for what is no list of names; else None."""
    match = forms.LISTED.fullmatch(sentence) or forms.CONTAINS.fullmatch(sentence)
    if match is not None:
        return match["holder"], listed(match["items"])
    match = forms.EMPTY.fullmatch(sentence)
    return None if match is None else (match["holder"], ())


def read_seen_here(sentence: str, said: Said) -> bool:
    """Read "You can see a mug 1 here"."""
    match = forms.SEEN_HERE.fullmatch(sentence)
    items = None if match is None else listed(match["items"] or match["more"])
    if items is None:
        return False
    said.listings.append(Listing(holder=HERE, items=items, quote=sentence))
    return True
