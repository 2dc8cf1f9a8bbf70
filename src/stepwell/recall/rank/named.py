"""The steps that a question names, by number or by where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.recall.question import prepare
from stepwell.recall.rank.places import Facts, outline_of, resolve
from stepwell.store.facts import live_steps
from stepwell.store.rowids import MAX_PLACES, number_of, rowid, step_of
from stepwell.structures.base import Within
from stepwell.text.search import search_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.recall.rank.places import Named
    from stepwell.recall.rank.score import Scored
    from stepwell.store.database import Database
    from stepwell.store.read import Entry
    from stepwell.structures.base import Structure
    from stepwell.text.question import Places

__all__ = ["named_steps", "outline_within", "with_related"]

_RELATED = {
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


def with_related(topic: str) -> str:
    """Return a topic with words in which errors of its kind show."""
    stems = {search_tokens(name)[0]: words for name, words in _RELATED.items()}
    words = [stems[token] for token in search_tokens(topic) if token in stems]
    return " ".join([topic, *words])


def named_steps(
    db: Database,
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
    if not spans:
        return {}
    best = int(scored.keys[int(scored.total.argmax())]) * MAX_PLACES if scored.parts else -1
    (first, last) = next((s for s in spans if s[0] <= best <= s[1]), spans[-1])
    entry = next(entry for entry in entries if entry.number == number_of(first))
    topics: dict[int, float] = {}
    if places.near_error is not None and places.near_error.topic:
        query = prepare(with_related(places.near_error.topic), encoder=None)
        one = Within(spans=((first, last),), n_passages=entry.n_passages)
        ranking = words.search(query, within=one, limit=max(1, entry.n_passages))
        for row, score in zip(ranking.rowids.tolist(), ranking.scores.tolist(), strict=True):
            topics[step_of(row)] = max(topics.get(step_of(row), 0.0), score)
    facts = Facts(
        n_steps=min(entry.n_steps, step_of(last) + 1),
        errors=live_steps(db, (first, last), which="failed") if places.near_error else (),
        acts=live_steps(db, (first, last), which="acting") if places.near_error else (),
    )
    return {
        rowid(entry.number, named.step) // MAX_PLACES: named
        for named in resolve(places, facts, topic_scores=topics)
        if named.step >= step_of(first)
    }


def outline_within(one: tuple[int, int], entries: Sequence[Entry]) -> dict[int, Named]:
    """Return an outline of the steps of a run in scope, by key."""
    (entry,) = (entry for entry in entries if entry.number == number_of(one[0]))
    return {
        rowid(entry.number, named.step) // MAX_PLACES: named
        for named in outline_of(min(entry.n_steps, step_of(one[1]) + 1))
        if named.step >= step_of(one[0])
    }
