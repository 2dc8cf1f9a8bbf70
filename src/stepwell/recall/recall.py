"""Recall: from a question to cited evidence within a token budget.

reading (a policy chooses structures, and what these find) → score (per step) → rank (named steps
first) → notes (what structures say themselves) → views (text that may be quoted) → pack (how much
of each) → compose (the payload, counted whole).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from stepwell.errors import BudgetTooSmallError
from stepwell.recall.evidence import Cut, Evidence, Reading
from stepwell.recall.find.context import Asking, in_order
from stepwell.recall.find.gather import moments, named_steps, prepare, within
from stepwell.recall.find.reading import ALL_STEPS, read
from stepwell.recall.rank.modes import with_units
from stepwell.recall.rank.rank import best_keys, rank, speaker_in
from stepwell.recall.rank.score import score_steps
from stepwell.recall.show.allocation import Allocation, chances
from stepwell.recall.show.compose import CLOSE, OPEN, compose
from stepwell.recall.show.fit import Ask, fit
from stepwell.recall.show.items import ItemMaker
from stepwell.recall.show.notes import NotePrice, choose_notes
from stepwell.recall.show.views import known_by, load_views, step_facts
from stepwell.store.rowids import MAX_PLACES, span
from stepwell.text.question import places_in, without_places

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    import apsw
    from numpy.typing import NDArray

    from stepwell.encode.base import Encoder
    from stepwell.policy.base import Policy
    from stepwell.recall.evidence import Format
    from stepwell.recall.find.context import Sources
    from stepwell.recall.find.places import Named
    from stepwell.recall.find.reading import Findings
    from stepwell.recall.rank.modes import Mode
    from stepwell.recall.rank.rank import Candidate
    from stepwell.recall.rank.score import Scored
    from stepwell.recall.show.fit import Payload
    from stepwell.recall.show.notes import Chosen
    from stepwell.recall.show.views import View
    from stepwell.store.read import Entry
    from stepwell.structures.base import Query, Ranking, Within
    from stepwell.text.tokens import TokenCounter

__all__ = ["Request", "recall"]

_TOKENS_PER_CANDIDATE = 18
"""An outline takes 20 tokens or more."""

_MIN_CANDIDATES = 24
_MAX_CANDIDATES = 2_000

_WEIGHED = 32
"""Candidates whose texts tell how rare a term is among them."""

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
        policy: Chooses the structures that are read.
        allocation: How the budget is shared among ranked steps.
    """

    question: str
    budget: int
    form: Format
    before: int | datetime | None
    counter: TokenCounter
    policy: Policy
    mode: Mode = "adaptive"
    allocation: Allocation = Allocation()  # noqa: RUF009  (frozen)

    def asking(self) -> Asking:
        """Return what decides about reading."""
        return Asking(question=self.question, budget=self.budget, policy=self.policy)

    def query(self, encoder: Encoder | None) -> Query:
        """Return the question as structures take it: without the step numbers it names."""
        content = without_places(self.question)
        query = prepare(content or self.question, encoder=encoder)
        return replace(query, asked=self.question)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scene:
    """Where a recall looks."""

    db: apsw.Connection
    entries: Sequence[Entry]
    where: Within
    sources: Sources


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
        sources: What can be read.
        entries: The trajectories in scope.
        notices: What the caller should know besides.

    Raises:
        BudgetTooSmallError: The budget cannot hold even an empty payload.
    """
    frame = _frame(request)
    where = within(db, entries, before=request.before)
    scene = _Scene(db=db, entries=entries, where=where, sources=sources)
    findings = read(query, request.asking(), entries=entries, within=where, sources=sources)
    limit = min(request.budget, frame + sum(findings.most.values()))
    scored, bound = _scored(request, scene, findings)
    named = _named(request, scene, scored, findings)
    candidates, views = _candidates(request, scene, scored, named=named)
    noted, maker = _told(request, findings, candidates, room=limit - frame, entries=entries)
    views.sort(key=lambda view: view.key in noted.told and view.key not in named)
    ask = Ask(
        views=views,
        chance=_chances(request, views, maker, scored, named=named),
        weights=_weights(query, views),
        allocation=request.allocation,
        limit=limit,
        room=limit - frame - noted.tokens,
    )
    payload = fit(ask, maker)
    matched = bool(scored.passages) or bool(payload.notes)
    return Evidence(
        query=request.question,
        text=payload.text,
        tokens=request.counter.count(payload.text),
        budget=request.budget,
        tokenizer=request.counter.name,
        format=request.form,
        items=payload.items,
        cut=_cut(candidates, payload, maker),
        notes=payload.notes,
        tail=payload.tail,
        readings=(*map(_reading, findings.rankings), *(() if bound is None else (bound,))),
        policy=request.policy.name,
        read=in_order(findings.selection.structures),
        context=findings.context,
        why=findings.selection.why,
        chance=findings.selection.chance,
        notices=(*notices, *_notices(findings.rankings, where, payload, matched=matched)),
    )


def _told(
    request: Request,
    findings: Findings,
    candidates: Sequence[Candidate],
    *,
    room: int,
    entries: Sequence[Entry],
) -> tuple[Chosen, ItemMaker]:
    """Choose what structures say themselves, and what makes the payload around it."""
    by_number = {entry.number: entry for entry in entries}
    price = NotePrice(form=request.form, counter=request.counter, named=len(entries) > 1)
    noted = choose_notes(findings, room=room, price=price, entries=by_number)
    return noted, ItemMaker(
        entries=by_number,
        candidates={candidate.key: candidate for candidate in candidates},
        form=request.form,
        counter=request.counter,
        dated=bool(_ABOUT_TIME.search(request.question)),
        notes=noted.notes,
    )


def _scored(request: Request, scene: _Scene, findings: Findings) -> tuple[Scored, Reading | None]:
    """Fuse what was found into scores of steps, and let units speak if they were chosen."""
    rankings = [ranking for ranking in findings.rankings if ranking.structure != "summary"]
    n_steps = sum(entry.n_steps for entry in scene.entries)
    keys = _keys(rankings, scene.where, scene.entries)
    scored = score_steps(rankings, keys=keys, n_steps=n_steps)
    if not findings.has_units:
        return scored, None
    # Alone, units cannot fall back on the scores: they order steps by themselves.
    alone = set(findings.selection.structures) == {"units"} and request.mode == "adaptive"
    mode: Mode = "plus" if alone else request.mode
    return with_units(scored, mode=mode, entries=scene.entries, source=scene.sources.units)


def _frame(request: Request) -> int:
    """Return the tokens of a payload around its lines."""
    empty = request.counter.count(compose((), form=request.form))
    if empty > request.budget:
        raise BudgetTooSmallError(
            f"A budget of {request.budget} tokens cannot hold even an empty payload, which takes "
            f"{empty}.",
            hint="Give at least 100; 800 is the default.",
        )
    if request.form == "json":
        return empty
    return request.counter.count(f"{OPEN}\n") + request.counter.count(CLOSE)


def _keys(
    rankings: Sequence[Ranking], where: Within, entries: Sequence[Entry]
) -> NDArray[np.int64]:
    """Return the keys of the candidate steps, ascending."""
    hits = [ranking.rowids // MAX_PLACES for ranking in rankings]
    if sum(entry.n_steps for entry in entries) > ALL_STEPS:
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


def _named(request: Request, scene: _Scene, scored: Scored, findings: Findings) -> dict[int, Named]:
    """Return the steps the question names; an outline only where words were to find them."""
    places = places_in(request.question)
    reads_words = "episodic" in findings.selection.structures
    if not findings.quotes or not (places or reads_words):
        return {}
    words = next(s for s in scene.sources.structures if s.name == "episodic")
    return named_steps(
        scene.db, places, scored, entries=scene.entries, where=scene.where, words=words
    )


def _reading(ranking: Ranking) -> Reading:
    return Reading(
        structure=ranking.structure,
        n_hits=len(ranking.rowids),
        coverage=ranking.coverage,
        note=ranking.comment,
        n_notes=len(ranking.notes),
    )


def _candidates(
    request: Request, scene: _Scene, scored: Scored, *, named: Mapping[int, Named]
) -> tuple[list[Candidate], list[View]]:
    db, entries, where = scene.db, scene.entries, scene.where
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
    # Of a step whose results had not come by `before`, there may be nothing left to quote.
    shown = [v for v in views if v.blocks and not _is_asking(v, request.question, ends)]
    return candidates, shown


def _chances(
    request: Request,
    views: Sequence[View],
    maker: ItemMaker,
    scored: Scored,
    *,
    named: Mapping[int, Named],
) -> NDArray[np.float64]:
    """Return how probably each view is evidence; what the question names certainly is."""
    others = [view.key for view in views if view.key not in named]
    scores = np.array([maker.candidates[key].score for key in others], dtype=np.float64)
    rest = scored.total[~np.isin(scored.keys, [*others, *named])]
    by_key = dict(zip(others, chances(scores, rest, request.allocation).tolist(), strict=True))
    return np.array([by_key.get(view.key, 1.0) for view in views])


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


def _cut(candidates: Sequence[Candidate], payload: Payload, maker: ItemMaker) -> tuple[Cut, ...]:
    shown = {entry.view.key for entry in payload.packed}
    no_room, saved = "no room left in the budget", "its tokens would buy too little"
    return tuple(
        Cut(
            id=maker.step_id(candidate.key),
            score=candidate.score,
            why=candidate.why,
            reason=no_room if payload.is_bound else saved,
            structure=candidate.structure,
        )
        for candidate in candidates
        if candidate.key not in shown
    )


def _notices(
    rankings: Sequence[Ranking], where: Within, payload: Payload, *, matched: bool
) -> list[str]:
    notices: list[str] = []
    # Only of what was read can it be said that it found nothing.
    words = any(len(r.rowids) for r in rankings if r.structure != "vector")
    for ranking in rankings:
        if ranking.coverage < 1.0:
            share = f"{math.floor(ranking.coverage * 100)} %"
            notices.append(
                f"{ranking.structure} covers {share} of the passages in scope; "
                "`stepwell index` fills in the rest."
            )
    if where.n_passages == 0:
        notices.append("there is nothing in this scope; `stepwell sessions` lists what there is.")
    elif not words and payload.packed and matched:
        notices.append(
            "no word of the question is in this scope; what is quoted is near in meaning."
        )
    elif not matched:
        quoted = "what is quoted is named by it, or an outline."
        quoted = quoted if payload.packed else "so nothing is quoted."
        notices.append(f"no word of the question is in this scope; {quoted}")
    return notices
