"""Gather: prepare the question once, and ask every structure for its ranking over the scope."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from stepwell.encode.base import encoded
from stepwell.recall.find.places import Facts, outline_of, resolve
from stepwell.recall.show.views import step_facts
from stepwell.store.rowids import MAX_PLACES, number_of, rowid, span, step_of
from stepwell.structures.base import Query, Within
from stepwell.text.search import query_tokens, search_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import apsw

    from stepwell.encode.base import Encoder
    from stepwell.recall.find.places import Named
    from stepwell.recall.rank.score import Scored
    from stepwell.store.read import Entry
    from stepwell.structures.base import Structure
    from stepwell.text.question import Places

__all__ = ["moments", "named_steps", "prepare", "within"]


_LOG_WORDS = frozenset(
    token
    for word in ("agent", "step", "turn", "action", "observation", "trajectory", "task")
    for token in search_tokens(word)
)
"""Words that name a log and its parts: questions about logs are full of them, and where they stand
in a log they tell one step from another no better than "the" does."""


_JUST_AFTER = timedelta(microseconds=1)

_KIN = {
    "database": "psql postgres postgresql sql sqlite mysql mariadb oracle relation sequence "
    "transaction constraint migration deadlock operationalerror programmingerror integrityerror",
    "test": "pytest unittest jest assert assertionerror failed",
    "build": "make cmake compile compiler linker cargo gcc webpack",
    "import": "importerror modulenotfounderror module",
    "network": "connection refused timeout timed dns socket connectionerror host",
    "permission": "denied forbidden eacces permissionerror unauthorized 403 401",
    "syntax": "syntaxerror parse unexpected token indentationerror",
    "git": "git merge conflict rebase",
    "memory": "oom memoryerror killed",
}
"""Words in which errors of a kind show: a log of one says `psql`, and hardly ever "database"."""


def _with_kin(topic: str) -> str:
    stems = {search_tokens(name)[0]: words for name, words in _KIN.items()}
    words = [stems[token] for token in search_tokens(topic) if token in stems]
    return " ".join([topic, *words])


def prepare(question: str, *, encoder: Encoder | None) -> Query:
    """Return the question with its search tokens and, when an encoder runs, its vector."""
    tokens = query_tokens(question)
    vector = None if encoder is None else encoded([question], encoder=encoder)[0]
    return Query(
        text=question,
        terms=tuple(token for token in tokens if token not in _LOG_WORDS) or tuple(tokens),
        vector=vector,
    )


def within(
    db: apsw.Connection,
    entries: Sequence[Entry],
    *,
    before: int | datetime | None = None,
) -> Within:
    """Return where to search.

    Args:
        db: The database.
        entries: The trajectories in scope.
        before: Only what was known before this step index, or before this moment.
    """
    ((n_stored, n_all),) = db.execute(
        "SELECT count(*), coalesce(sum(n_passages), 0) FROM trajectories"
    )
    if before is None:
        spans = tuple(span(entry.number) for entry in entries)
        n_passages = sum(entry.n_passages for entry in entries)
        return Within(
            spans=spans,
            n_passages=n_passages,
            is_all=n_stored == len(entries),
            share=n_passages / max(int(n_all), 1),
        )
    ends = [_step_at(db, entry, before) for entry in entries]
    spans = tuple(
        span(entry.number, end=end) for entry, end in zip(entries, ends, strict=True) if end > 0
    )
    counted = (
        db.execute("SELECT count(*) FROM passages WHERE id BETWEEN ? AND ?", ends).fetchone()
        for ends in spans
    )
    n_passages = sum(int(row[0]) for row in counted if row)
    return Within(
        spans=spans,
        n_passages=n_passages,
        share=n_passages / max(int(n_all), 1),
        unanswered=_unanswered(db, spans, moments(db, entries, before)),
    )


def _unanswered(
    db: apsw.Connection, spans: Sequence[tuple[int, int]], known: Mapping[int, datetime]
) -> frozenset[int]:
    """Return the keys of steps whose results had not come by the moment they have to be known."""
    found: set[int] = set()
    for first, last in spans:
        moment = known.get(number_of(first))
        if moment is not None:
            rows = db.execute(
                "SELECT id FROM steps WHERE id BETWEEN ? AND ? AND t_end >= ?",
                (first, last, round(moment.timestamp() * 1_000_000)),
            )
            found.update(int(row) // MAX_PLACES for (row,) in rows)
    return frozenset(found)


def _step_at(db: apsw.Connection, entry: Entry, before: int | datetime) -> int:
    """Return the index of the first step that is not before the given step or moment."""
    if isinstance(before, int):
        return min(max(before, 0), entry.n_steps)
    row = db.execute(
        "SELECT min(id) FROM steps WHERE id BETWEEN ? AND ? AND t_start >= ?",
        (*span(entry.number), round(before.timestamp() * 1_000_000)),
    ).fetchone()
    return entry.n_steps if row is None or row[0] is None else step_of(int(row[0]))


def named_steps(
    db: apsw.Connection,
    places: Places,
    scored: Scored,
    *,
    entries: Sequence[Entry],
    where: Within,
    words: Structure,
) -> dict[int, Named]:
    """Return the steps a question names, by key, best first.

    Step numbers belong to one trajectory: the one with the best match for the rest of the
    question, or the latest when nothing matches.
    """
    spans = list(where.spans)
    if not spans or (not places and (scored.passages or len(spans) > 1)):
        return {}
    if not places:
        return _outline(spans[0], entries)
    best = int(scored.keys[int(scored.total.argmax())]) * MAX_PLACES if scored.parts else -1
    (first, last) = next((s for s in spans if s[0] <= best <= s[1]), spans[-1])
    entry = next(entry for entry in entries if span(entry.number)[0] == first)
    topics: dict[int, float] = {}
    if places.errand is not None and places.errand.topic:
        query = prepare(_with_kin(places.errand.topic), encoder=None)
        one = Within(spans=((first, last),), n_passages=entry.n_passages)
        ranking = words.search(query, within=one, limit=max(1, entry.n_passages))
        for row, score in zip(ranking.rowids.tolist(), ranking.scores.tolist(), strict=True):
            topics[step_of(row)] = max(topics.get(step_of(row), 0.0), score)
    facts = Facts(
        n_steps=min(entry.n_steps, step_of(last) + 1),
        errors=_steps_where(db, "has_error", first, last) if places.errand else (),
        acts=_steps_where(db, "kind = 'agent'", first, last) if places.errand else (),
    )
    return {
        rowid(entry.number, named.step) // MAX_PLACES: named
        for named in resolve(places, facts, topic_scores=topics)
    }


def _outline(one: tuple[int, int], entries: Sequence[Entry]) -> dict[int, Named]:
    (entry,) = (entry for entry in entries if span(entry.number)[0] == one[0])
    return {
        rowid(entry.number, named.step) // MAX_PLACES: named
        for named in outline_of(min(entry.n_steps, step_of(one[1]) + 1))
    }


def moments(
    db: apsw.Connection, entries: Sequence[Entry], before: int | datetime | None
) -> dict[int, datetime]:
    """Return, by trajectory number, the moment by which a result must have come to be known.

    Before a step index that is just after that step began.
    """
    if before is None:
        return {}
    if isinstance(before, datetime):
        return {entry.number: before for entry in entries}
    keys = [
        rowid(entry.number, before) // MAX_PLACES for entry in entries if before < entry.n_steps
    ]
    began = {key: facts.time for key, facts in step_facts(db, keys).items()}
    return {
        number_of(key * MAX_PLACES): time + _JUST_AFTER
        for key, time in began.items()
        if time is not None
    }


def _steps_where(db: apsw.Connection, condition: str, first: int, last: int) -> list[int]:
    rows = db.execute(
        f"SELECT id FROM steps WHERE id BETWEEN ? AND ? AND active AND {condition} ORDER BY id",  # noqa: S608  (fixed texts)
        (first, last),
    )
    return [step_of(int(row)) for (row,) in rows]
