"""The summary structure: the whole run in a few lines, and the chunks a question is about."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from stepwell.store.read import load_head
from stepwell.structures.base import Traits
from stepwell.structures.derived import Derived, Deriving, parts_of
from stepwell.structures.sparse import sparse_ranking
from stepwell.structures.summary.digest import Digest, digest_of
from stepwell.structures.summary.notes import chunk_notes, nearest, overview
from stepwell.structures.summary.view import SummaryView

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from stepwell.store.database import Database
    from stepwell.structures.base import Note, Query, Ranking, Within

__all__ = ["Summary"]

_VERSION: Final = "1"

_MOST_READ: Final = 16
"""Trajectories read for one question, the latest: so many are kept in memory."""

_NEAREST: Final = 2
"""Chunks told beside the overview."""

_OVERVIEWS: Final = 1_400 * 4
"""Characters of the overviews together, however many trajectories are in scope."""


@dataclass(slots=True)
class Summary:
    """Extractive summaries of each chunk of a run and of the whole of it."""

    name = "summary"
    tokens = 5_000
    traits = Traits(quotes=False)
    db: Database
    _views: Derived[Digest, SummaryView] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        deriving = Deriving(
            structure=self.name,
            version=_VERSION,
            type=Digest,
            extract=digest_of,
            start=SummaryView,
        )
        self._views = Derived(self.db, deriving)

    def save(self) -> None:
        """Store what was derived and is not stored yet."""
        self._views.save()

    def signals(self, query: Query, *, within: Within) -> dict[str, float]:  # noqa: ARG002
        """Return nothing: a summary fits any question."""
        return {}

    def search(self, query: Query, *, within: Within, limit: int) -> Ranking:
        """Return no passages, but the overview and the two chunks nearest to the question."""
        parts = parts_of(within)
        read = parts[-_MOST_READ:]
        views = {part.number: self._views.view(part) for part in read}
        chunks = [(number, chunk) for number, view in views.items() for chunk in view.read()]
        notes = list(self._overviews(views))
        for number, chunk in nearest(query, chunks, n=_NEAREST):
            notes += chunk_notes(number, chunk)
        comment = "extractive"
        if len(read) < len(parts):
            comment += f"; read the latest {len(read)} of {len(parts)} trajectories"
        return replace(
            sparse_ranking(self, {}, n_passages=within.n_passages, limit=limit),
            coverage=len(read) / len(parts) if parts else 1.0,
            notes=tuple(replace(note, place=at) for at, note in enumerate(_distinct(notes))),
            comment=comment,
        )

    def _overviews(self, views: dict[int, SummaryView]) -> Iterator[Note]:
        for number, view in views.items():
            task = self._task(number)
            yield from overview(number, view, task=task, n_chars=_OVERVIEWS // len(views))

    def _task(self, number: int) -> str:
        head = load_head(self.db, number)
        return "" if head is None else head.task or ""


def _distinct(notes: Sequence[Note]) -> list[Note]:
    """Return notes without those that say again of a step what was said of it."""
    distinct: dict[tuple[int, tuple[int, ...], str], Note] = {}
    for note in notes:
        distinct.setdefault((note.number, note.steps, note.text), note)
    return list(distinct.values())
