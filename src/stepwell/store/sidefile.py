"""Keep rows in an SQLite file of their own, beside the memory: replies, readings, candidates."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import apsw

from stepwell.errors import StoreError
from stepwell.store.database import atomic

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from pathlib import Path

__all__ = ["SideFile"]

_BUSY_MS = 30_000


@dataclass(slots=True, kw_only=True)
class SideFile:
    """An SQLite file that is made and opened when it is first used; for one thread at a time.

    Whatever SQLite reports is raised as a StoreError that begins with what cannot be done.

    Attributes:
        path: The file; None keeps everything in memory.
        schema: Makes its tables where they are missing.
        trouble: What to say of a file that cannot be used, before SQLite's own words.
        hint: What to do then.
        can_be_made_again: Whether the last commits before a power cut may be lost, for speed.
    """

    path: Path | None
    schema: str
    trouble: str
    hint: str
    can_be_made_again: bool = False
    _db: apsw.Connection | None = field(default=None, repr=False)

    def open(self) -> None:
        """Open the file now, so that one that cannot be used is noticed early.

        Raises:
            StoreError: It cannot be opened.
        """
        with self._explained():
            self._opened()

    def close(self) -> None:
        """Close the file; its next use opens it again."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def rows(self, query: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Return what a query finds.

        Raises:
            StoreError: The file cannot be read.
        """
        with self._explained():
            return self._opened().execute(query, parameters).fetchall()

    def write(self, statement: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Run a statement with each of these rows, all in one commit.

        Raises:
            StoreError: The file cannot be written.
        """
        with self._explained(), atomic(db := self._opened()):
            db.executemany(statement, rows)

    def unusable(self, error: Exception) -> StoreError:
        """Return the error to raise for a file of which this is wrong."""
        return StoreError(f"{self.trouble}: {error}.", hint=self.hint)

    def _opened(self) -> apsw.Connection:
        if self._db is None:
            if self.path is not None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            db = apsw.Connection(":memory:" if self.path is None else str(self.path))
            db.set_busy_timeout(_BUSY_MS)
            db.execute("PRAGMA journal_mode = WAL")
            if self.can_be_made_again:
                db.execute("PRAGMA synchronous = NORMAL")
            db.execute(self.schema)
            self._db = db
        return self._db

    @contextmanager
    def _explained(self) -> Generator[None]:
        try:
            yield
        except (OSError, apsw.Error) as error:
            raise self.unusable(error) from error
