"""Fill in vectors behind the write path: in small durable portions, resumable at any point."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stepwell.encode.minilm import MiniLM
from stepwell.errors import ModelUnavailableError, StepwellError, StoreError
from stepwell.store.database import transaction
from stepwell.store.vectors import (
    known_vectors,
    n_unencoded,
    save_vectors,
    text_hash,
    unencoded_passages,
)
from stepwell.structures.vector import encode_passages, vector_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from stepwell.store.database import Database
    from stepwell.store.scope import Scope
    from stepwell.structures.vector import Vector
    from stepwell.trajectory.passages import Passage

__all__ = ["Filler", "count_unencoded", "usable_filler"]

_PORTION = 32
"""Passages per portion: two to four seconds of one core, the most that an interruption loses."""


_QUIET = 0.5
"""Seconds the thread waits after something is added: steps come in bursts, and a program that only
adds and ends should not wait for a model to load."""


_PAUSE = 5.0
"""Seconds the thread waits where the disk is full, or another process keeps the file."""

_PASSING = frozenset({"busy", "full"})

_AT_ONCE = 4
"""Passages encoded before it is seen whether the memory is closed: a fourth of a second or so."""

_PATIENCE = 1.5
"""Seconds that closing waits for somebody else's encoder."""


@dataclass(slots=True)
class Filler:
    """Encodes passages that have no vector yet, in the caller's thread or behind it.

    The encoder runs without the lock, so adding and recalling go on beside it.

    Attributes:
        db: The database.
        vector: The structure to fill.
        scope: Whose passages are encoded: an encoder sees nothing of others.
        lock: Held around every use of the database.
        failure: What stopped the thread behind; the next recall reports it.
    """

    db: Database
    vector: Vector
    scope: Scope
    lock: threading.RLock
    failure: StepwellError | None = None
    _turn: threading.Lock = field(default_factory=threading.Lock)
    _wake: threading.Event = field(default_factory=threading.Event)
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def fill(
        self, *, limit: int | None = None, progress: Callable[[int], None] | None = None
    ) -> int:
        """Encode what has no vector.

        Args:
            limit: At most so many passages; None for all.
            progress: Called with the number of passages after each portion.

        Returns:
            The number of passages encoded.
        """
        done, after = 0, -1
        while not self._stop.is_set() and (limit is None or done < limit):
            size = _PORTION if limit is None else min(_PORTION, limit - done)
            with self._turn:  # the thread behind and `index` take turns and never do a thing twice
                batch = self._fill_portion(after, size)
            if not batch:
                break
            done, after = done + len(batch), batch[-1]
            if progress is not None:
                progress(len(batch))
        return done

    def _fill_portion(self, after: int, size: int) -> list[int]:
        with self.lock, transaction(self.db):  # the encoder may get its number in this store
            number = self.vector.number
            batch = unencoded_passages(self.db, number, self.scope, after=after, limit=size)
            hashes = [text_hash(vector_text(passage)) for _, passage in batch]
            known = known_vectors(self.db, number, self.scope, hashes)
        if batch:
            rows = self._encoded(batch, known)
            with self.lock, transaction(self.db):
                save_vectors(self.db, number, rows)
        return [row for row, _ in batch]

    def _encoded(
        self, batch: Sequence[tuple[int, Passage]], known: Mapping[bytes, bytes]
    ) -> list[tuple[int, bytes, bytes]]:
        """Encode a portion, or as much of it as there is time for before the memory is closed."""
        rows: list[tuple[int, bytes, bytes]] = []
        vectors = dict(known)
        for start in range(0, len(batch), _AT_ONCE):
            if self._stop.is_set():
                break
            some = batch[start : start + _AT_ONCE]
            rows += encode_passages(some, known=vectors, encoder=self.vector.encoder)
            vectors.update((digest, vector) for _, digest, vector in rows[start:])
        return rows

    def wake(self) -> None:
        """Let the thread behind fill in what was just written, starting it at the first call."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="stepwell-vectors", daemon=True)
            self._thread.start()
        self._wake.set()

    def stop(self) -> None:
        """Stop after the portion in hand, waited for a moment; the rest stays for the next time."""
        self._stop.set()
        self._wake.set()
        if self._thread is not None:
            # A thread within a library of models crashes the process that ends around it, so ours,
            # which soon comes back, is waited for; somebody else's may never come back.
            self._thread.join(None if isinstance(self.vector.encoder, MiniLM) else _PATIENCE)

    def _run(self) -> None:
        while not self._stop.is_set():
            self._wake.wait()
            if self._stop.wait(_QUIET):
                return
            self._wake.clear()
            try:
                self.fill()
                self.failure = None
            except StepwellError as error:  # kept as a value: a thread has no caller to raise to
                self.failure = error
                if not (isinstance(error, StoreError) and error.reason in _PASSING):
                    return
                self._wake.set()  # it goes on by itself when there is room again
                if self._stop.wait(_PAUSE):
                    return


def count_unencoded(db: Database, used: tuple[str, int] | None, scope: Scope) -> int:
    """Return how many passages of a scope have no vector of the encoder in use: id and number."""
    return 0 if used is None else n_unencoded(db, used[1], scope)


def usable_filler(filler: Filler | None, *, why_not: str) -> Filler:
    """Return the filler, if there is one.

    Raises:
        ModelUnavailableError: There is no encoder to fill with.
    """
    if filler is None:
        raise ModelUnavailableError("There is no encoder to index with.", hint=why_not)
    return filler
