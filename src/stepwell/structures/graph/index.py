"""The graph structure: triples of steps, read from the names a question speaks of."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.store.rowids import MAX_PLACES, rowid
from stepwell.structures.base import Note, Traits
from stepwell.structures.derived import Derived, Deriving, parts_of
from stepwell.structures.graph.extract import triples_of
from stepwell.structures.graph.linking import exact_links
from stepwell.structures.graph.model import PLACES, Triple
from stepwell.structures.graph.ranking import score_triples
from stepwell.structures.graph.view import GraphView
from stepwell.structures.sparse import sparse_ranking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.store.database import Database
    from stepwell.structures.base import Query, Ranking, Within
    from stepwell.structures.derived import Part

__all__ = ["Graph"]

_VERSION: Final = "1"

_MOST_READ: Final = 16
"""Trajectories read for one question, the latest: so many are kept in memory."""

_MOST_NOTES: Final = 60
"""Triples told; with their steps they take about 2,500 tokens."""

_MOST_SCORED: Final = 200
"""Triples from which steps get their scores."""

_MOST_STEPS: Final = 32
"""Steps named in one note; of more, the first and last half."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A triple that was found, of the trajectory and view it is in."""

    score: float
    part: Part
    view: GraphView
    at: int


@dataclass(slots=True)
class Graph:
    """Triples of a trajectory, ranked by personalised PageRank around the question's names."""

    name = "graph"
    tokens = 2_500
    traits = Traits(why="its facts are linked to the question")
    db: Database
    _views: Derived[list[Triple], GraphView] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        deriving: Deriving[list[Triple], GraphView] = Deriving(
            structure=self.name,
            version=_VERSION,
            type=list[Triple],
            extract=triples_of,
            start=GraphView,
        )
        self._views = Derived(self.db, deriving)

    def save(self) -> None:
        """Store what was derived and is not stored yet."""
        self._views.save()

    def signals(self, query: Query, *, within: Within) -> dict[str, float]:
        """Return how many names the question speaks of, exactly."""
        parts = parts_of(within)[-_MOST_READ:]
        linked = (len(exact_links(query.text, self._views.view(part))) for part in parts)
        return {"graph.entities": float(max(linked, default=0))}

    def search(self, query: Query, *, within: Within, limit: int) -> Ranking:
        """Return the steps whose triples are near the question's names, and these triples."""
        parts = parts_of(within)
        read = parts[-_MOST_READ:]
        found = [triple for part in read for triple in self._found(query, part)]
        found.sort(key=lambda f: (-f.score, f.part.number, -f.view.steps[f.at][-1], f.at))
        scores = _step_scores(found[:_MOST_SCORED])
        return replace(
            sparse_ranking(self, scores, n_passages=within.n_passages, limit=limit),
            coverage=len(read) / len(parts) if parts else 1.0,
            notes=_notes(found[:_MOST_NOTES]),
            comment=_comment(len(read), len(parts)),
        )

    def _found(self, query: Query, part: Part) -> list[_Found]:
        view = self._views.view(part)
        if not view.triples:
            return []
        scores = score_triples(query, view)
        latest = np.fromiter((steps[-1] for steps in view.steps), dtype=np.int64)
        best = np.lexsort((-latest, -scores))[:_MOST_SCORED]
        return [
            _Found(score=float(scores[at]), part=part, view=view, at=at)
            for at in best.tolist()
            if scores[at] > 0
        ]


def _step_scores(found: Sequence[_Found]) -> dict[int, float]:
    scores: dict[int, float] = {}
    for triple in found:
        first = rowid(triple.part.number, 0)
        for step in triple.view.steps[triple.at]:
            row = first + step * MAX_PLACES
            scores[row] = scores.get(row, 0.0) + triple.score
    return scores


def _comment(n_read: int, n_parts: int) -> str:
    return f"read the latest {n_read} of {n_parts} trajectories" if n_read < n_parts else ""


def _notes(found: Sequence[_Found]) -> tuple[Note, ...]:
    """Return triples as notes, shown by subject, what supersedes before what it supersedes."""
    shown = sorted(found, key=_place)
    places = {id(triple): place for place, triple in enumerate(shown)}
    return tuple(
        Note(
            number=triple.part.number,
            text=f"{t.subject} -{t.relation}-> {t.object}",
            steps=_some(triple.view.steps[triple.at]),
            place=places[id(triple)],
            quote=t.object if t.is_verbatim else "",
        )
        for triple in found
        for t in (triple.view.triples[triple.at],)
    )


def _place(found: _Found) -> tuple[int, int, str, int]:
    """Return where a triple is shown: beside those of its subject, places latest first."""
    triple = found.view.triples[found.at]
    relation = "" if triple.relation in PLACES else triple.relation
    steps = found.view.steps[found.at]
    return found.part.number, found.view.subjects[found.at], relation, -steps[-1]


def _some(steps: Sequence[int]) -> tuple[int, ...]:
    half = _MOST_STEPS // 2
    return tuple(steps) if len(steps) <= _MOST_STEPS else (*steps[:half], *steps[-half:])
