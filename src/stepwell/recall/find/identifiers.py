"""Identifiers by part: a short hash finds the full one, and is found by it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from stepwell.store.words import completions, count_words, is_held

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from stepwell.store.database import Database
    from stepwell.structures.base import Query, Within

    Spans = Sequence[tuple[int, int]]

__all__ = ["with_identifiers"]

_HASH = re.compile(r"(?=.*\d)[0-9a-f]{6,63}")
"""Hexadecimal digits, as many as Git shows of a hash or nearly: words of six letters without a
digit ("facade") are none."""

_ID = re.compile(r"(?=.*\d)(?=.*[a-z])[0-9a-z_-]{8,63}")
"""What may be the beginning of an id. Many names of things are as long and end in a number, so it
is taken for one only where nothing in the store has just this name."""

_REST = re.compile(r"[0-9a-z_-]*")

_MOST = 3
"""Identifiers with one beginning, above which it names none of them."""

_READ = 64
"""Tokens with one beginning that are looked at: beside a hash stand paths that begin with it."""

_SHORT = range(7, 13)
"""Digits of a short hash."""


def with_identifiers(db: Database, query: Query, within: Within) -> Query:
    """Return the question with the whole identifiers in scope that it names by a part.

    Args:
        db: The database.
        query: The question, prepared.
        within: What a search may see.
    """
    terms = dict.fromkeys(query.terms)
    parts = [term for term in terms if _HASH.fullmatch(term) or _ID.fullmatch(term)]
    if not parts:
        return query
    count_words(db)
    spans = None if within.is_all else within.spans
    found = (
        whole for part in parts for whole in (*_longer(db, part, spans), *_shorter(db, part, spans))
    )
    new = dict.fromkeys(whole for whole in found if whole not in terms)
    return replace(query, terms=(*query.terms, *new))


def _longer(db: Database, part: str, spans: Spans | None) -> list[str]:
    if not _HASH.fullmatch(part) and is_held(db, part, spans):
        return []
    begun = completions(db, part, spans=spans, most=_READ)
    wholes = [term for term in begun if _REST.fullmatch(term, len(part))]
    return wholes if len(wholes) <= _MOST else []


def _shorter(db: Database, part: str, spans: Spans | None) -> Iterator[str]:
    if _HASH.fullmatch(part):
        begun = (part[:size] for size in _SHORT if size < len(part))
        yield from (short for short in begun if is_held(db, short, spans))
