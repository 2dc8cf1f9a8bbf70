"""Show: from ranked steps to the payload, counted whole, and an account of how it came about."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from stepwell.errors import BudgetTooSmallError
from stepwell.recall.evidence import Cut, Evidence, Reading
from stepwell.recall.find.context import in_order
from stepwell.recall.find.scope import moments
from stepwell.recall.marks import marked
from stepwell.recall.show.compose import CLOSE, NOTHING, OPEN, compose, with_absence
from stepwell.recall.show.fit import PayloadPlan, fit
from stepwell.recall.show.items import ItemMaker
from stepwell.recall.show.notes import NotePrice, choose_notes
from stepwell.recall.show.texts import known_by, load_texts, with_task
from stepwell.recall.show.words import run_words
from stepwell.text.asked import is_about_now

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from stepwell.recall.find.find import Found
    from stepwell.recall.question import Question
    from stepwell.recall.rank.candidates import Candidate
    from stepwell.recall.rank.rank import Ranked
    from stepwell.recall.rank.support import Support
    from stepwell.recall.show.fit import Payload
    from stepwell.recall.show.notes import Chosen
    from stepwell.recall.show.texts import StepText
    from stepwell.store.database import Database
    from stepwell.structures.base import Query, Ranking

__all__ = ["frame_tokens", "show"]

_WEIGHED = 32
"""Candidates whose texts tell how rare a term is among them."""

_FEW_STEPS, _FEW_CHARS, _FEW_TOKENS = 8, 1_000, 64
"""A memory as small as this is quoted whole beside the line that nothing in it supports a question:
who tries one out asks in words of their own."""

_MOST_OF_LITTLE = 4
"""A line that little supports a question takes at most one of so many parts of the budget: the rest
is for the evidence."""

_ABOUT_TIME = re.compile(
    r"\b(?:when|what\s+(?:date|day|time|year|month)|how\s+long|dates?|days?|weeks?|months?|years?|"
    r"ago|since|until|yesterday|today|tomorrow|earlier|later|morning|evening|night|"
    r"january|february|march|april|june|july|august|september|october|november|december|"
    r"(?:19|20)\d\d)\b",
    re.IGNORECASE,
)


def show(
    db: Database,
    question: Question,
    query: Query,
    *,
    found: Found,
    ranked: Ranked,
    notices: Sequence[str] = (),
) -> Evidence:
    """Quote of the ranked steps what the budget has room for, beside what structures say.

    Of what nothing supports, one line says so; quoted is what there is only if it is hardly more.
    Of what little supports, a line says that before what is quoted.

    Args:
        db: The database.
        question: What is asked.
        query: The question, prepared.
        found: What structures found.
        ranked: The steps that may be quoted.
        notices: What the caller should know besides.

    Raises:
        BudgetTooSmallError: The budget cannot hold even an empty payload.
    """
    support = _fitting(question, ranked.support)
    frame = frame_tokens(question, absence=support.absence)
    limit = min(question.budget, frame + sum(found.most.values()))
    texts = _texts(db, question, found, ranked)
    is_nothing = bool(support.absence) and not support.is_little
    if is_nothing:
        texts = texts if _is_short(question, found, texts) else []
    room = 0 if is_nothing else limit - frame
    noted, maker = _noted(question, found, ranked, room=room)
    maker = replace(maker, absence=support.absence)
    texts.sort(key=lambda text: text.key in noted.covered and text.key not in ranked.named)
    plan = PayloadPlan(
        views=texts,
        chance=_chances(question, texts, maker, ranked),
        weights=_weights(query, texts),
        allocation=question.allocation,
        limit=limit,
        room=limit - frame - noted.tokens,
    )
    payload = fit(plan, maker)
    evidence = _evidence(question, found, ranked, payload, maker, notices)
    return replace(evidence, support=support.value, absence=support.absence)


def frame_tokens(question: Question, *, absence: str = "") -> int:
    """Return the tokens of a payload around its lines.

    Args:
        question: What is asked.
        absence: The line that nothing, or little, in memory supports it.
    """
    empty = question.counter.count(_empty(question, absence=absence))
    if empty > question.budget:
        raise BudgetTooSmallError(
            f"A budget of {question.budget} tokens cannot hold even an empty payload, which takes "
            f"{empty}.",
            hint="Give at least 100; 800 is the default.",
        )
    if question.form == "json" or absence:
        return empty
    return question.counter.count(f"{OPEN}\n") + question.counter.count(CLOSE)


def _empty(question: Question, *, absence: str) -> str:
    payload = compose((), form=question.form)
    return with_absence(payload, absence, form=question.form) if absence else payload


def _fitting(question: Question, support: Support) -> Support:
    """Return what can be said of absence within the budget, which is the least there is."""
    if not support.absence:
        return support
    limit = question.budget // (_MOST_OF_LITTLE if support.is_little else 1)
    for line in (support.absence, f"{support.absence.partition(':')[0]}."):
        if question.counter.count(_empty(question, absence=line)) <= limit:
            return replace(support, absence=line)
    # A budget that holds an empty payload, and no line, of JSON: that it is empty has to do.
    has_none = support.is_little or question.form == "json"
    return replace(support, absence="" if has_none else NOTHING)


def _is_short(question: Question, found: Found, texts: Sequence[StepText]) -> bool:
    """Tell whether all there is in scope takes hardly more tokens than to say that it is not it."""
    if sum(entry.n_steps for entry in found.entries) > len(texts) or len(texts) > _FEW_STEPS:
        return False
    whole = "\n".join(block.text for text in texts for block in text.blocks)
    return len(whole) < _FEW_CHARS and question.counter.count(whole) <= _FEW_TOKENS


def _texts(db: Database, question: Question, found: Found, ranked: Ranked) -> list[StepText]:
    """Load what may be quoted of the candidates, best first, as far as it was known by then."""
    loaded = load_texts(
        db,
        {candidate.key: ranked.facts[candidate.key] for candidate in ranked.candidates},
        scores=ranked.scored.passages,
        budget=question.budget,
    )
    known = moments(db, found.entries, question.before)
    ends = {entry.number: entry.n_steps - 1 for entry in found.entries}
    for key, named in ranked.named.items():
        if named.task and key in loaded:
            loaded[key] = with_task(loaded[key], named.task)
    texts = (
        known_by(loaded[candidate.key], known.get(loaded[candidate.key].number))
        for candidate in ranked.candidates
        if candidate.key in loaded
    )
    # Of a step whose results had not come by `before`, there may be nothing left to quote.
    return [text for text in texts if text.blocks and not _is_question(text, question.text, ends)]


def _noted(
    question: Question, found: Found, ranked: Ranked, *, room: int
) -> tuple[Chosen, ItemMaker]:
    """Choose what structures say themselves, and what makes the payload around it."""
    by_number = {entry.number: entry for entry in found.entries}
    words = run_words(by_number.values()) if len(by_number) > 1 else None
    price = NotePrice(form=question.form, counter=question.counter, words=words)
    noted = choose_notes(found, room=room, price=price, entries=by_number)
    return noted, ItemMaker(
        entries=by_number,
        candidates={candidate.key: candidate for candidate in ranked.candidates},
        form=question.form,
        counter=question.counter,
        dated=bool(_ABOUT_TIME.search(question.text) or question.times)
        or is_about_now(question.text),
        notes=noted.notes,
        words=words or {},
    )


def _chances(
    question: Question,
    texts: Sequence[StepText],
    maker: ItemMaker,
    ranked: Ranked,
) -> NDArray[np.float64]:
    """Return how probably each step is evidence; what the question names certainly is.

    A step for which another is quoted, with a count, adds nothing.
    """
    others = [text.key for text in texts if text.key not in ranked.named]
    scores = np.array([maker.candidates[key].score for key in others], dtype=np.float64)
    rest = ranked.scored.total[~np.isin(ranked.scored.keys, [*others, *ranked.named])]
    by_key = dict(zip(others, question.allocation.chances(scores, rest).tolist(), strict=True))
    chances = np.array([by_key.get(text.key, 1.0) for text in texts])
    spared = [maker.candidates[text.key].is_spared for text in texts]
    return np.where(spared, 0.0, chances)


def _is_question(text: StepText, question: str, ends: Mapping[int, int]) -> bool:
    """Tell whether a step is this very question, just asked: it is no evidence for itself."""
    return (
        text.facts.kind == "user"
        and text.step == ends.get(text.number)
        and any(block.text.strip() == question.strip() for block in text.blocks)
    )


def _weights(query: Query, texts: Sequence[StepText]) -> dict[str, float]:
    """Weigh the question's terms by how few of the candidates hold them: log(1 + n / (1 + df))."""
    read = [block.text.lower() for text in texts[:_WEIGHED] for block in text.blocks]
    counted = Counter(term for term in dict.fromkeys(query.terms) for text in read if term in text)
    return {
        term: math.log(1 + len(read) / (1 + counted[term])) for term in dict.fromkeys(query.terms)
    }


def _evidence(
    question: Question,
    found: Found,
    ranked: Ranked,
    payload: Payload,
    maker: ItemMaker,
    notices: Sequence[str],
) -> Evidence:
    matched = bool(ranked.scored.passages) or bool(payload.notes)
    units = () if ranked.units is None else (ranked.units,)
    text = marked(payload.text, question.key)
    return Evidence(
        query=question.text,
        text=text,
        tokens=question.counter.count(text),
        budget=question.budget,
        tokenizer=question.counter.name,
        format=question.form,
        items=payload.items,
        cut=_cut(ranked.candidates, payload, maker),
        notes=payload.notes,
        tail=payload.tail,
        readings=(*map(_reading, found.rankings), *units),
        policy=question.policy.name,
        read=in_order(found.selection.structures),
        context=found.context,
        why=found.selection.why,
        chance=found.selection.chance,
        notices=(*notices, *_notices(found, payload, maker, matched=matched)),
    )


def _reading(ranking: Ranking) -> Reading:
    return Reading(
        structure=ranking.structure,
        n_hits=len(ranking.rowids),
        coverage=ranking.coverage,
        note=ranking.comment,
        n_notes=len(ranking.notes),
    )


def _cut(candidates: Sequence[Candidate], payload: Payload, maker: ItemMaker) -> tuple[Cut, ...]:
    shown = {entry.view.key for entry in payload.packed}
    no_room, saved = "no room left in the budget", "its tokens would buy too little"
    counted = "counted with another that says the same but for numbers"
    return tuple(
        Cut(
            id=maker.step_id(candidate.key),
            score=candidate.score,
            why=candidate.why,
            reason=counted if candidate.is_spared else no_room if payload.is_bound else saved,
            structure=candidate.structure,
        )
        for candidate in candidates
        if candidate.key not in shown
    )


def _notices(found: Found, payload: Payload, maker: ItemMaker, *, matched: bool) -> list[str]:
    rankings, where = found.rankings, found.within
    notices: list[str] = []
    # Only of what was read can it be said that it found nothing.
    words = any(len(r.rowids) for r in rankings if r.traits.matches != "meaning")
    for ranking in rankings:
        if ranking.failure:
            notices.append(f"{ranking.structure} is left out: {ranking.failure}")
        if ranking.coverage < 1.0:
            share = f"{math.floor(ranking.coverage * 100)} %"
            notices.append(
                f"{ranking.structure} covers {share} of the passages in scope; "
                "`stepwell index` fills in the rest."
            )
    if where.n_passages == 0:
        notices.append("there is nothing in this scope; `stepwell sessions` lists what there is.")
    if where.n_passages == 0 or maker.absence:  # which the payload says
        return notices
    if not words and payload.packed and matched:
        notices.append(
            "no word of the question is in this scope; what is quoted is near in meaning."
        )
    elif not matched:
        quoted = "what is quoted is named by it, or an outline."
        quoted = quoted if payload.packed else "so nothing is quoted."
        notices.append(f"no word of the question is in this scope; {quoted}")
    return notices
