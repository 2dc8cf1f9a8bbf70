"""The summary structure: the whole run in a few lines, and the chunks a question is about."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.errors import InvalidInputError
from stepwell.store.codec import decode_head
from stepwell.structures.base import Ranking
from stepwell.structures.derived import Derived, Deriving, Part, parts_of
from stepwell.structures.summary.digest import Digest, digest_of
from stepwell.structures.summary.notes import chunk_notes, nearest, overview, written_notes
from stepwell.structures.summary.view import SummaryView
from stepwell.structures.summary.written import Written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import apsw

    from stepwell.structures.base import Note, Query, Within
    from stepwell.structures.summary.view import Chunk
    from stepwell.trajectory.passages import Passage

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
    """Extractive summaries by chunk and run; a language model's by chunk, where there is one.

    Attributes:
        db: The database.
        summarise: Gives a language model's summary of a text.
        model: The model's name, given with `summarise`.
    """

    db: apsw.Connection
    name: str = "summary"
    tokens: int = 5_000
    summarise: Callable[[str], str] | None = None
    model: str | None = None
    _views: Derived[Digest, SummaryView] = field(init=False, repr=False)
    _written: Written | None = field(init=False, repr=False, default=None)

    def __post_init__(self) -> None:
        deriving = Deriving(
            structure=self.name,
            version=_VERSION,
            type=Digest,
            extract=digest_of,
            start=SummaryView,
        )
        self._views = Derived(self.db, deriving)
        if (self.summarise is None) != (not self.model):
            raise InvalidInputError(
                "A summary by a model needs the model and its name.",
                hint="Give both summarise= and model=, or neither.",
            )
        if self.summarise is not None and self.model:
            self._written = Written(self.db, self.model, self.summarise)

    def build(self, trajectory: int) -> None:
        """Derive a trajectory's digests from nothing, and have a model summarise closed chunks.

        Raises:
            ModelUnavailableError: The model cannot be asked, or says nothing.
        """
        self._views.rebuild(trajectory)
        if self._written is not None:
            view = self._views.view(Part(number=trajectory))
            self._written.write(trajectory, view.chunks[:-1])

    def append(self, rowids: Sequence[int], passages: Sequence[Passage]) -> None:
        """Do nothing: a search reads on from where it stopped, and a model waits for `build`."""

    def save(self) -> None:
        """Store what was derived or written and is not stored yet."""
        self._views.save()
        if self._written is not None:
            self._written.save()

    def signals(self, query: Query, *, within: Within) -> dict[str, float]:  # noqa: ARG002
        """Return nothing: a summary fits any question."""
        return {}

    def search(self, query: Query, *, within: Within, limit: int) -> Ranking:  # noqa: ARG002
        """Return no passages, but the overview and the two chunks nearest to the question."""
        parts = parts_of(within)
        read = parts[-_MOST_READ:]
        views = {part.number: self._views.view(part) for part in read}
        chunks = [(number, chunk) for number, view in views.items() for chunk in view.read()]
        near = nearest(query, chunks, n=_NEAREST)
        written = {at: text for at, text in enumerate(self._texts(near, views)) if text}
        notes = list(self._overviews(views))
        for at, (number, chunk) in enumerate(near):
            text = written.get(at)
            told = chunk_notes(number, chunk)
            notes += told if text is None else written_notes(number, chunk, text)
        return Ranking(
            structure=self.name,
            rowids=np.empty(0, dtype=np.int64),
            scores=np.empty(0, dtype=np.float64),
            coverage=len(read) / len(parts) if parts else 1.0,
            notes=tuple(replace(note, place=at) for at, note in enumerate(_distinct(notes))),
            comment=self._comment(len(written), len(near), (len(read), len(parts))),
        )

    def _overviews(self, views: dict[int, SummaryView]) -> Iterator[Note]:
        for number, view in views.items():
            task = self._task(number)
            yield from overview(number, view, task=task, n_chars=_OVERVIEWS // len(views))

    def _task(self, number: int) -> str:
        row = self.db.execute("SELECT head FROM trajectories WHERE no = ?", (number,)).fetchone()
        return "" if row is None else decode_head(row[0]).task or ""

    def _texts(
        self, near: Sequence[tuple[int, Chunk]], views: dict[int, SummaryView]
    ) -> Iterator[str | None]:
        """Yield what the model wrote of each chunk; of one that is open, nothing counts."""
        for number, chunk in near:
            is_closed = chunk is not views[number].chunks[-1]
            known = self._written is not None and is_closed
            yield self._written.read(number, chunk) if known and self._written else None

    def _comment(self, n_written: int, n_near: int, read: tuple[int, int]) -> str:
        """Return who wrote what is told, and what was not read."""
        comment = "extractive"
        if n_written:
            comment = f"{n_written} of {n_near} chunks by {self.model}, the rest extractive"
        elif self.model:
            comment = f"extractive: {self.model} has summarised none of the chunks told"
        if read[0] < read[1]:
            comment += f"; read the latest {read[0]} of {read[1]} trajectories"
        return comment


def _distinct(notes: Sequence[Note]) -> list[Note]:
    """Return notes without those that say again of a step what was said of it."""
    distinct: dict[tuple[int, tuple[int, ...], str], Note] = {}
    for note in notes:
        distinct.setdefault((note.number, note.steps, note.text), note)
    return list(distinct.values())
