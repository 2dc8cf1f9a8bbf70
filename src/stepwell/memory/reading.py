"""What can be looked up in a memory: citations, trajectories, their steps and media."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.memory.arguments import (
    as_scope,
    check_citation,
    check_citations,
    check_context,
    check_handle,
)
from stepwell.memory.looking import find_entry, look_up, timeline
from stepwell.store.database import explained
from stepwell.store.read import entries, load_media, load_trajectory
from stepwell.store.units import progress_of, snapshot

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterator, Mapping

    from stepwell.memory.looking import Moment, Shown
    from stepwell.store.database import Database
    from stepwell.store.read import Entry
    from stepwell.store.scope import Scope
    from stepwell.trajectory.model import Blob, Trajectory

__all__ = ["Reading"]


class Reading:
    """An open memory as far as it is looked things up in; `Memory` is the whole of it."""

    _db: Database
    _lock: threading.RLock
    _scope: Scope

    def get(self, id: str, *, context: int = 0) -> Shown:  # noqa: A002  (the word users know)
        """Return what a citation names, with `context` steps before and after it.

        Raises:
            InvalidInputError: It is no citation.
            NotFoundError: Nothing in this scope bears it.
        """
        citation, around = check_citation(id), check_context(context)
        with self._lock, snapshot(self._db):
            return look_up(self._db, self._scope, citation, context=around)

    def expand(self, id: str, *, context: int = 0) -> list[Shown]:  # noqa: A002
        """Return all that a citation names, or a word of several steps, such as `run7/s3-s5,s9`.

        Raises:
            InvalidInputError: It is neither.
            NotFoundError: Nothing in this scope bears one of them.
        """
        return [self.get(str(one), context=context) for one in check_citations(id)]

    def sessions(self, *, scope: Scope | Mapping[str, str] | None = None) -> list[Entry]:
        """Return the trajectories in scope, in the order they were added."""
        with self._lock, explained(self._db):
            return entries(self._db, self._scope.narrowed(as_scope(scope)))

    def trajectory(self, id: str | None = None) -> Trajectory:  # noqa: A002  (the word users know)
        """Return a whole trajectory by id, unambiguous beginning, or as the only one there is.

        Raises:
            NotFoundError: There is none.
            InvalidInputError: There are several.
        """
        with self._lock, snapshot(self._db):
            return load_trajectory(self._db, self._entry(id).number)

    def trajectories(
        self, *, scope: Scope | Mapping[str, str] | None = None
    ) -> Iterator[Trajectory]:
        """Yield each trajectory in scope, whole; one that is forgotten meanwhile is passed over."""
        for entry in self.sessions(scope=scope):
            with self._lock, snapshot(self._db):
                known = progress_of(self._db, entry.number)
                found = [load_trajectory(self._db, entry.number)] if known else []
            yield from found

    def media(self, id: str | None = None, *, sha256: str = "") -> list[Blob]:  # noqa: A002
        """Return the images and files in a trajectory, or those whose digest begins so."""
        with self._lock, snapshot(self._db):
            return load_media(self._db, self._entry(id).number, sha256=sha256)

    def timeline(self, id: str | None = None) -> list[Moment]:  # noqa: A002  (the word users know)
        """Return each step of a trajectory with one line that says what it was."""
        with self._lock, snapshot(self._db):
            return list(timeline(self._db, self._entry(id)))

    def _entry(self, handle: str | None) -> Entry:
        return find_entry(self._db, self._scope, check_handle(handle))
