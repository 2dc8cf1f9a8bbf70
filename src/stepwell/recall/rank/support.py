"""Support: how much of what a question is about stands near any one step in scope.

With the mentions m of a question (`text.mentions`) and h(m, i), from 0 to 1, the share of m that
the steps up to two from step i hold,

    support = max_i Σ_m w(m) · h(m, i) / Σ_m w(m)

w is 1 for names and .3 for words and numbers; of a question about the run as such only names count.
Below .5 a question that names something is taken to ask for what is not there, below .3 one that
names nothing: many words of an everyday question are the asker's own. How rare a word is in the
memory does not count: in a short one all are. A passage near enough in meaning supports any
question.

The constants were chosen on questions of LoCoMo and AMA-Bench, asked of their own runs and of
others, by folds of episodes: docs/reference/absence.md has the curve.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from stepwell.recall.markup import plain_word
from stepwell.store.rowids import MAX_PLACES, number_of, step_of
from stepwell.store.words import rows_within
from stepwell.text.mentions import is_about_run, mentions_in
from stepwell.text.question import places_in
from stepwell.text.search import match_beginning, match_expression, search_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from stepwell.recall.find.find import Found
    from stepwell.store.database import Database
    from stepwell.structures.base import Query
    from stepwell.text.mentions import Kind, Mention

__all__ = ["SUPPORTED", "Support", "support_near", "support_of"]

_WEIGHTS: Final[Mapping[Kind, float]] = {"name": 1.0, "word": 0.3, "number": 0.3}
_LEAST_NAMED: Final = 0.5
_LEAST: Final = 0.3

_MEANT: Final = 0.55
"""Cosine from which a passage means what is asked, in whatever words: with the encoder that comes
along, 1 % of LoCoMo's questions have one in another talk, and half of them in their own."""

_REACH: Final = 2
"""Steps on each side that are read together with one, as where scores are lent."""

_MOST: Final = 5_000
"""Passages with a token that are looked at: what more of them hold is taken to be everywhere."""

_SAID: Final = 3
"""Mentions that a line quotes."""

_SHOWN: Final = 40
"""Characters of a mention that a line quotes."""

Held: TypeAlias = "NDArray[np.int64] | None"
"""Keys of the steps that hold a token, ascending; None for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """How far a memory supports a question.

    Attributes:
        value: From 0 to 1; 1 where nothing could be missing.
        absence: The line that says that nothing does; empty where something may.
    """

    value: float
    absence: str = ""


SUPPORTED: Final = Support(value=1.0)


def support_of(db: Database, query: Query, found: Found) -> Support:
    """Return how far what is in scope supports a question.

    A question that names steps, or to which an answer was computed, has its evidence.

    Args:
        db: The database.
        query: The question, prepared.
        found: What was found, and where.
    """
    asked = query.asked or query.text
    if not found.within.n_passages:
        return Support(value=0.0, absence=_line("there is nothing in this scope"))
    computed = any(note.is_answer for ranking in found.rankings for note in ranking.notes)
    if computed or places_in(asked):
        return SUPPORTED
    mentions = mentions_in(asked)
    if is_about_run(asked):
        mentions = [mention for mention in mentions if mention.kind == "name"]
    if not mentions:
        return SUPPORTED
    held = [_holders(db, mention, query, found) for mention in mentions]
    weights = np.array([_WEIGHTS[mention.kind] for mention in mentions])
    value = support_near(held, weights)
    is_named = any(mention.kind == "name" for mention in mentions)
    if value >= (_LEAST_NAMED if is_named else _LEAST) or _is_meant(found):
        return Support(value=value)
    return Support(value=value, absence=_line(_missing(mentions, held, found)))


def _is_meant(found: Found) -> bool:
    """Tell whether any passage is as near to the question as what says the same in other words."""
    return any(
        ranking.traits.matches == "meaning"
        and len(ranking.scores) > 0
        and float(ranking.scores.max()) >= _MEANT
        for ranking in found.rankings
    )


def support_near(held: Sequence[Sequence[Held]], weights: NDArray[np.float64]) -> float:
    """Return the largest share of what is asked for that stands near one step.

    Args:
        held: Of each mention, what holds the whole of it, then what holds each part.
        weights: Weight of each mention, shape (n,).

    >>> a, b = np.array([4]), np.array([6, 90])
    >>> support_near([[a], [b], [None]], np.array([0.3, 1.0, 0.7]))
    1.0
    >>> support_near([[np.array([4])], [np.array([90])]], np.array([0.25, 0.75]))
    0.75
    """
    known = [keys for tokens in held for keys in tokens if keys is not None]
    centres = np.unique(np.concatenate([*known, np.zeros(1, dtype=np.int64)]))
    shares = np.array([_share_near(tokens, centres) for tokens in held])
    return float((weights @ shares).max() / weights.sum())


def _share_near(tokens: Sequence[Held], centres: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the share of a mention near each centre: all of it, or so many of its parts."""
    near = np.array([_is_near(keys, centres) for keys in tokens], dtype=np.float64)
    share: NDArray[np.float64] = near[0]
    return np.maximum(share, near[1:].mean(axis=0)) if len(near) > 1 else share


def _is_near(keys: Held, centres: NDArray[np.int64]) -> NDArray[np.bool_]:
    if keys is None:
        return np.ones(len(centres), dtype=bool)
    first = np.searchsorted(keys, centres - _REACH)
    return first < np.searchsorted(keys, centres + _REACH, side="right")


def _holders(db: Database, mention: Mention, query: Query, found: Found) -> list[Held]:
    """Return what holds the whole of a mention, then what holds each part."""
    # An identifier named by a part was completed before: its whole is among the question's terms.
    wholes = [term for term in query.terms if mention.whole and term.startswith(mention.whole)]
    whole = match_expression([mention.whole, *wholes] if mention.whole else mention.parts[:1])
    if mention.beginning:
        whole += f" OR {match_beginning(mention.beginning)}"
    in_task = set(search_tokens(found.context.task))
    return [
        None if token in in_task else _keys(db, expression, found)
        for token, expression in (
            (mention.whole, whole),
            *((part, match_expression([part])) for part in mention.parts),
        )
    ]


def _keys(db: Database, expression: str, found: Found) -> Held:
    rows = rows_within(db, expression, found.within.spans, most=_MOST)
    return None if rows is None else np.unique(np.array(rows, dtype=np.int64) // MAX_PLACES)


def _missing(mentions: Sequence[Mention], held: Sequence[Sequence[Held]], found: Found) -> str:
    """Say what of a question is nowhere, or that nothing holds enough of it together."""
    spans = found.within.spans
    ends = {entry.number: entry.n_steps for entry in found.entries}
    n_steps = sum(
        min(ends[number], step_of(last) + 1) - step_of(first)
        for (first, last), number in ((span, number_of(span[0])) for span in spans)
    )
    where = f"{_counted(n_steps, 'step')} of {_counted(len(spans), 'run')}"
    absent = [
        mention.text
        for mention, tokens in zip(mentions, held, strict=True)
        if all(keys is not None and not len(keys) for keys in tokens)
    ]
    if not absent:
        return f"what it names stands nowhere together in {where}"
    said = ", ".join(f"'{plain_word(text)[:_SHOWN]}'" for text in absent[:_SAID])
    return f"{said} {'is' if len(absent) == 1 else 'are'} nowhere in {where}"


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def _line(why: str) -> str:
    return f"Nothing in memory supports this question: {why}."
