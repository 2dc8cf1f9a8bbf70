"""Recall: from a question to cited evidence within a token budget.

gather (what every structure finds) → score (per step) → rank (named steps first) → views (text
that may be quoted) → pack (how much of each) → compose (the payload, counted whole).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.errors import BudgetTooSmallError
from stepwell.retrieval.compose import CLOSE, OPEN, compose
from stepwell.retrieval.evidence import Cut, Evidence, Reading
from stepwell.retrieval.gather import moments, named_steps, prepare, within
from stepwell.retrieval.items import HEADER_TOKENS, ItemMaker
from stepwell.retrieval.modes import with_units
from stepwell.retrieval.pack import pack
from stepwell.retrieval.question import places_in, without_places
from stepwell.retrieval.rank import best_keys, rank, speaker_in
from stepwell.retrieval.score import score_steps
from stepwell.retrieval.views import known_by, load_views, step_facts
from stepwell.store.rowids import MAX_PLACES, span

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    import apsw
    from numpy.typing import NDArray

    from stepwell.encode.base import Encoder
    from stepwell.retrieval.evidence import Format
    from stepwell.retrieval.modes import Mode
    from stepwell.retrieval.pack import Packed
    from stepwell.retrieval.places import Named
    from stepwell.retrieval.rank import Candidate
    from stepwell.retrieval.scope_units import UnitSource
    from stepwell.retrieval.score import Scored
    from stepwell.retrieval.views import View
    from stepwell.store.read import Entry
    from stepwell.structures.base import Query, Ranking, Structure, Within
    from stepwell.text.tokens import TokenCounter

__all__ = ["Request", "Sources", "recall"]

_ALL_STEPS = 5_000
"""Scopes of up to so many steps are scored step by step; larger ones only where there are hits."""

_HITS = 200
"""Passages asked of each structure in a larger scope."""

_TOKENS_PER_CANDIDATE = 30
"""With what goes to depth, a budget shows one step per 40 to 75 tokens."""

_MIN_CANDIDATES = 24
_MAX_CANDIDATES = 2_000

_WEIGHED = 32
"""Candidates whose texts tell how rare a term is among them."""

_TRIES = 8

_ABOUT_TIME = re.compile(
    r"\b(?:when|what\s+(?:date|day|time|year|month)|how\s+long|dates?|days?|weeks?|months?|years?|"
    r"ago|since|until|yesterday|today|tomorrow|earlier|later|morning|evening|night|"
    r"january|february|march|april|june|july|august|september|october|november|december|"
    r"(?:19|20)\d\d)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is asked.

    Attributes:
        question: The question as asked.
        budget: Tokens of the whole payload, at most.
        form: `text` or `json`.
        before: Only what was known before this step index or moment.
        counter: What counts tokens.
        mode: How units take part.
    """

    question: str
    budget: int
    form: Format
    before: int | datetime | None
    counter: TokenCounter
    mode: Mode = "adaptive"

    def query(self, encoder: Encoder | None) -> Query:
        """Return the question as structures take it: without the step numbers it names."""
        content = without_places(self.question)
        return prepare(content or self.question, encoder=encoder)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What is read.

    Attributes:
        structures: The structures, words first.
        units: Where units over steps come from.
    """

    structures: Sequence[Structure]
    units: UnitSource


def recall(
    db: apsw.Connection,
    request: Request,
    query: Query,
    *,
    sources: Sources,
    entries: Sequence[Entry],
    notices: Sequence[str] = (),
) -> Evidence:
    """Return the evidence that answers a question.

    Args:
        db: The database.
        request: What is asked.
        query: The question, prepared.
        sources: The structures and units to read.
        entries: The trajectories in scope.
        notices: What the caller should know besides.

    Raises:
        BudgetTooSmallError: The budget cannot hold even an empty payload.
    """
    room = _room(request)
    where = within(db, entries, before=request.before)
    n_steps = sum(entry.n_steps for entry in entries)
    limit = where.n_passages if n_steps <= _ALL_STEPS else _HITS
    rankings = [s.search(query, within=where, limit=max(limit, 1)) for s in sources.structures]
    scored = score_steps(rankings, keys=_keys(rankings, where, entries), n_steps=n_steps)
    scored, bound = with_units(scored, mode=request.mode, entries=entries, source=sources.units)
    named = named_steps(
        db,
        places_in(request.question),
        scored,
        entries=entries,
        where=where,
        structures=sources.structures,
    )
    candidates, views = _candidates(db, request, scored, named=named, entries=entries, where=where)
    maker = ItemMaker(
        entries={entry.number: entry for entry in entries},
        candidates={candidate.key: candidate for candidate in candidates},
        form=request.form,
        counter=request.counter,
        dated=bool(_ABOUT_TIME.search(request.question)),
    )
    packed, text = _fitted(views, request, maker, room=room, weights=_weights(query, views))
    return Evidence(
        query=request.question,
        text=text,
        tokens=request.counter.count(text),
        budget=request.budget,
        tokenizer=request.counter.name,
        format=request.form,
        items=maker.items(packed),
        cut=_cut(candidates, packed, maker),
        readings=(
            *(
                Reading(structure=r.structure, n_hits=len(r.rowids), coverage=r.coverage)
                for r in rankings
            ),
            *(() if bound is None else (bound,)),
        ),
        notices=(*notices, *_notices(rankings, where, packed, matched=bool(scored.passages))),
    )


def _room(request: Request) -> int:
    """Return the tokens left for items."""
    empty = request.counter.count(compose((), form=request.form))
    if empty > request.budget:
        raise BudgetTooSmallError(
            f"A budget of {request.budget} tokens cannot hold even an empty payload, which takes "
            f"{empty}.",
            hint="Give at least 100; 800 is the default.",
        )
    if request.form == "json":
        return request.budget - empty
    frame = request.counter.count(f"{OPEN}\n") + request.counter.count(CLOSE)
    return request.budget - frame


def _keys(
    rankings: Sequence[Ranking], where: Within, entries: Sequence[Entry]
) -> NDArray[np.int64]:
    """Return the keys of the candidate steps, ascending."""
    hits = [ranking.rowids // MAX_PLACES for ranking in rankings]
    if sum(entry.n_steps for entry in entries) > _ALL_STEPS:
        return np.unique(np.concatenate(hits)) if hits else np.empty(0, dtype=np.int64)
    sizes = {span(entry.number)[0]: entry.n_steps for entry in entries}
    spans = where.spans
    ranges = [
        np.arange(
            first // MAX_PLACES,
            min(first // MAX_PLACES + sizes[first], last // MAX_PLACES + 1),
            dtype=np.int64,
        )
        for first, last in spans
    ]
    return np.concatenate(ranges) if ranges else np.empty(0, dtype=np.int64)


def _candidates(
    db: apsw.Connection,
    request: Request,
    scored: Scored,
    *,
    named: Mapping[int, Named],
    entries: Sequence[Entry],
    where: Within,
) -> tuple[list[Candidate], list[View]]:
    n = min(max(_MIN_CANDIDATES, request.budget // _TOKENS_PER_CANDIDATE), _MAX_CANDIDATES)
    first = list(named)[:n]
    beside = [key + side for key in first for side in (-1, 1)]
    keys = [*first, *best_keys(scored, n), *(key for key in beside if _is_inside(key, where))]
    facts = step_facts(db, keys)
    candidates = rank(scored, facts, named=named, speaker=speaker_in(request.question))[:n]
    loaded = load_views(
        db,
        {candidate.key: facts[candidate.key] for candidate in candidates},
        scores=scored.passages,
        budget=request.budget,
    )
    known = moments(db, entries, request.before)
    views = [
        known_by(loaded[candidate.key], known.get(loaded[candidate.key].number))
        for candidate in candidates
        if candidate.key in loaded
    ]
    ends = {entry.number: entry.n_steps - 1 for entry in entries}
    return candidates, [view for view in views if not _is_asking(view, request.question, ends)]


def _is_inside(key: int, where: Within) -> bool:
    return any(first <= key * MAX_PLACES <= last for first, last in where.spans)


def _is_asking(view: View, question: str, ends: Mapping[int, int]) -> bool:
    """Tell whether a step is this very question, just asked: it is no evidence for itself."""
    return (
        view.facts.kind == "user"
        and view.step == ends.get(view.number)
        and any(block.text.strip() == question.strip() for block in view.blocks)
    )


def _weights(query: Query, views: Sequence[View]) -> dict[str, float]:
    """Weigh the question's terms by how few of the candidates hold them: log(1 + n / (1 + df))."""
    texts = [block.text.lower() for view in views[:_WEIGHED] for block in view.blocks]
    counted = Counter(term for term in dict.fromkeys(query.terms) for t in texts if term in t)
    return {
        term: math.log(1 + len(texts) / (1 + counted[term])) for term in dict.fromkeys(query.terms)
    }


def _fitted(
    views: Sequence[View],
    request: Request,
    maker: ItemMaker,
    *,
    room: int,
    weights: Mapping[str, float],
) -> tuple[list[Packed], str]:
    """Pack and compose until the one exact count of the whole payload is within the budget.

    Prices of items add up to the payload's tokens but for merges at their seams, so the first
    try nearly always fits; what it is over is taken from the room of the next.
    """
    packed, text = _packed(views, maker, room=room, weights=weights)
    for _ in range(_TRIES):
        over = request.counter.count(text) - request.budget
        if over <= 0:
            return packed, text
        room -= over
        packed, text = _packed(views, maker, room=room, weights=weights)
    while packed and request.counter.count(text) > request.budget:
        packed = packed[:-1]
        text = maker.payload(packed)
    return packed, text


def _packed(
    views: Sequence[View], maker: ItemMaker, *, room: int, weights: Mapping[str, float]
) -> tuple[list[Packed], str]:
    packed = pack(
        views, weights=weights, room=room, price=maker.price, header=HEADER_TOKENS[maker.form]
    )
    return packed, maker.payload(packed)


def _cut(
    candidates: Sequence[Candidate], packed: Sequence[Packed], maker: ItemMaker
) -> tuple[Cut, ...]:
    shown = {entry.view.key for entry in packed}
    return tuple(
        Cut(
            id=maker.step_id(candidate.key),
            score=candidate.score,
            why=candidate.why,
            reason="no room left in the budget",
        )
        for candidate in candidates
        if candidate.key not in shown
    )


def _notices(
    rankings: Sequence[Ranking], where: Within, packed: Sequence[Packed], *, matched: bool
) -> list[str]:
    notices: list[str] = []
    for ranking in rankings:
        if ranking.coverage < 1.0:
            share = f"{math.floor(ranking.coverage * 100)} %"
            notices.append(
                f"{ranking.structure} covers {share} of the passages in scope; "
                "`stepwell index` fills in the rest."
            )
    if where.n_passages == 0:
        notices.append("there is nothing in this scope; `stepwell sessions` lists what there is.")
    elif (
        not any(len(r.rowids) for r in rankings if r.structure == "episodic") and packed and matched
    ):
        notices.append(
            "no word of the question is in this scope; what is quoted is near in meaning."
        )
    elif not matched:
        quoted = (
            "what is quoted is named by it, or an outline." if packed else "so nothing is quoted."
        )
        notices.append(f"no word of the question is in this scope; {quoted}")
    return notices
