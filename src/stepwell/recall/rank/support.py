r"""Support: how probably a memory holds what a question is about.

With the mentions m of a question (`text.mentions`), h(m, i), from 0 to 1, the share of m that the
steps up to two from step i hold, and r(m) how rare m is in any text (`text.tokens.rarity`),

    support = 1 / (1 + exp(3.4 - 3.2 named - 1.4 ln(1 + 10 dense) + 2.9 missing))
    named = max_i mean_m h(m, i)  over names; 1 where there are none
    dense = max_i Σ_m max(.1, r(m)) · (share of the 51 steps around step i that hold any of m)
    missing = max r(m)  over mentions that nothing in scope holds

a logistic regression on questions of LoCoMo and AMA-Bench, asked of their own runs and of others.
Where half of what is asked stands together (names count 1, words and numbers .3) support is .2 or
more: many words of an everyday question are the asker's own. Below .2 a payload says that little
supports a question. It says that nothing does, and quotes nothing, where none of its names is
there, less than .3 of what is asked stands together, and support is below .2 even with names left
aside (named = 1); but of a question about the run as such, whose words may all be an analyst's,
what is nearest is quoted in any case. How rare a word is in the memory does not count: in a short
one all are. A passage near enough in meaning supports any question. docs/reference/absence.md has
the curve.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from math import exp, log1p
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from stepwell.recall.markup import plain_word
from stepwell.store.rowids import MAX_PLACES, number_of, step_of
from stepwell.store.words import rows_within
from stepwell.text.mentions import is_about_run, mentions_in
from stepwell.text.question import places_in
from stepwell.text.search import match_beginning, match_expression, search_tokens
from stepwell.text.tokens import rarity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from stepwell.recall.find.find import Found
    from stepwell.store.database import Database
    from stepwell.structures.base import Query
    from stepwell.text.mentions import Kind, Mention

__all__ = ["SUPPORTED", "Support", "support_near", "support_of", "supported"]

_WEIGHTS: Final[Mapping[Kind, float]] = {"name": 1.0, "word": 0.3, "number": 0.3}

_BIAS, _NAMED, _DENSE, _MISSING = 3.4, -3.2, -1.4, 2.9
"""Of the logarithm of the odds that nothing supports a question."""

_LITTLE = 0.2
"""Support below which a payload says that little supports a question."""

_ENOUGH, _SOME = 0.5, 0.3
"""Shares of what is asked that are enough where they stand together, and enough to be quoted."""

_MEANT: Final = 0.55
"""Cosine from which a passage means what is asked, in whatever words: with the encoder that comes
along, 1 % of LoCoMo's questions have one in another talk, and half of them in their own."""

_REACH: Final = 2
"""Steps on each side that are read together with one, as where scores are lent."""

_AROUND: Final = 25
"""Steps on each side in which it is counted how often something is spoken of."""

_LEAST_RARE: Final = 0.1
"""Of the commonest word: it counts a little."""

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
        absence: The line that says that nothing does, or little; empty where something may.
        is_little: Whether what is nearest is quoted all the same.
    """

    value: float
    absence: str = ""
    is_little: bool = False


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
    mentions = () if computed or places_in(asked) else mentions_in(asked)
    if not mentions:
        return SUPPORTED
    held = [_holders(db, mention, query, found) for mention in mentions]
    n_steps = _n_steps(found)
    near = support_near(held, np.array([_WEIGHTS[mention.kind] for mention in mentions]))
    value = supported(mentions, held, n_steps=n_steps)
    value = max(value, _LITTLE) if near >= _ENOUGH else value
    if value >= _LITTLE or _is_meant(found):
        return Support(value=value)
    where = f"{_counted(n_steps, 'step')} of {_counted(len(found.within.spans), 'run')}"
    is_little = (
        near >= _SOME
        or is_about_run(asked)
        or any(
            one.kind == "name" and not _is_nowhere(keys)
            for one, keys in zip(mentions, held, strict=True)
        )
        or supported(mentions, held, n_steps=n_steps, names=False) >= _LITTLE
    )
    line = _line(_missing(mentions, held, where), little=is_little)
    return Support(value=value, absence=line, is_little=is_little)


def supported(
    mentions: Sequence[Mention],
    held: Sequence[Sequence[Held]],
    *,
    n_steps: int,
    names: bool = True,
) -> float:
    """Return how probably a question is supported, from 0 to 1.

    Args:
        mentions: What it is about; not empty.
        held: Of each, what holds the whole of it, then what holds each part.
        n_steps: Steps in scope.
        names: Whether it matters that its names stand together.
    """
    rare = np.array([rarity(mention.text) for mention in mentions])
    named = [keys for one, keys in zip(mentions, held, strict=True) if one.kind == "name" and names]
    lost = [rare[i] for i, keys in enumerate(held) if _is_nowhere(keys)]
    odds = (
        _BIAS
        + _NAMED * (support_near(named, np.ones(len(named))) if named else 1.0)
        + _DENSE * log1p(10 * _density(held, np.maximum(rare, _LEAST_RARE), n_steps=n_steps))
        + _MISSING * max(lost, default=0.0)
    )
    return 1 / (1 + exp(odds))


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
    centres = _joined(chain.from_iterable(held))
    shares = np.array([_share_near(tokens, centres) for tokens in held])
    return float((weights @ shares).max() / weights.sum())


def _density(
    held: Sequence[Sequence[Held]], weights: NDArray[np.float64], *, n_steps: int
) -> float:
    """Return how often the steps around one speak of what is asked, at most."""
    centres = _joined(chain.from_iterable(held))
    width = min(n_steps, 2 * _AROUND + 1)
    dense = np.zeros(len(centres))
    for tokens, weight in zip(held, weights, strict=True):
        keys = _joined(tokens, least=())
        first = np.searchsorted(keys, centres - _AROUND)
        n = np.searchsorted(keys, centres + _AROUND, side="right") - first
        dense += weight * (1.0 if any(keys is None for keys in tokens) else n / width)
    return float(dense.max())


def _joined(tokens: Iterable[Held], *, least: Sequence[int] = (0,)) -> NDArray[np.int64]:
    """Return the keys of the steps that hold any of some tokens, those of all steps left out."""
    known = [keys for keys in tokens if keys is not None]
    return np.unique(np.concatenate([*known, np.array(least, dtype=np.int64)]))


def _is_nowhere(tokens: Sequence[Held]) -> bool:
    return all(keys is not None and not len(keys) for keys in tokens)


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


def _n_steps(found: Found) -> int:
    ends = {entry.number: entry.n_steps for entry in found.entries}
    return sum(
        min(ends[number], step_of(last) + 1) - step_of(first)
        for (first, last), number in ((span, number_of(span[0])) for span in found.within.spans)
    )


def _missing(mentions: Sequence[Mention], held: Sequence[Sequence[Held]], where: str) -> str:
    """Say what of a question is nowhere, or that nothing holds enough of it together."""
    absent = [
        mention.text for mention, tokens in zip(mentions, held, strict=True) if _is_nowhere(tokens)
    ]
    if not absent:
        return f"what it names stands nowhere together in {where}"
    said = ", ".join(f"'{plain_word(text)[:_SHOWN]}'" for text in absent[:_SAID])
    return f"{said} {'is' if len(absent) == 1 else 'are'} nowhere in {where}"


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def _line(why: str, *, little: bool = False) -> str:
    return f"{'Little' if little else 'Nothing'} in memory supports this question: {why}."
