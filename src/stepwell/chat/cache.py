"""Keep replies between runs: the same request is answered once, and a broken-off run goes on."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

import apsw
import msgspec

from stepwell.chat.base import Reply
from stepwell.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from stepwell.chat.base import Chat, Message

__all__ = ["CachedChat"]


@dataclass(slots=True)
class CachedChat:
    """A model that is asked only what it was not asked in any earlier run.

    Requests and replies are kept as they were, readable with any SQLite tool, one commit each.
    A request that failed is not kept, and asked again. Safe to share between threads.

    Attributes:
        inner: The model behind it.
        path: The SQLite file that keeps the replies.
        known_as: What replies are kept under; by default the model's id. A name of your own lets
            a local server change its port.
        n_asked: Requests the inner model was asked.
    """

    inner: Chat
    path: Path
    known_as: str = ""
    n_asked: int = 0
    _db: apsw.Connection | None = field(default=None, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    @property
    def model_id(self) -> str:
        """What replies are kept under."""
        return self.known_as or self.inner.model_id

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 512,
        schema: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Return the reply that is kept, else the model's.

        Args:
            messages: At least one, oldest first.
            max_tokens: The longest reply.
            schema: JSON schema that the reply is to follow.

        Raises:
            ModelUnavailableError: Nothing is kept, and the model gave no usable reply.
            StoreError: The file cannot be read or written.
        """
        asked = {
            "model": self.model_id,
            "messages": [asdict(message) for message in messages],
            "max_tokens": max_tokens,
            "schema": schema,
        }
        request = json.dumps(asked, sort_keys=True)  # ASCII, so that any text can be hashed
        key = hashlib.sha256(request.encode()).digest()
        kept = self._kept(key)
        if kept is None:
            reply = self.inner.complete(messages, max_tokens=max_tokens, schema=schema)
            # Of two threads that asked the same, the first is right: what is kept never changes.
            kept = self._keep(key, request, reply)
        return kept

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None

    def _kept(self, key: bytes) -> Reply | None:
        with self._lock:
            return self._read(key)

    def _keep(self, key: bytes, request: str, reply: Reply) -> Reply:
        with self._lock:
            self.n_asked += 1
            try:
                self._open().execute(
                    "INSERT OR IGNORE INTO replies VALUES (?, ?, ?)",
                    (key, request, json.dumps(asdict(reply))),
                )
            except apsw.Error as error:
                raise self._unusable(error) from error
            return self._read(key) or reply

    def _read(self, key: bytes) -> Reply | None:
        try:
            row = self._open().execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
            return None if row is None else msgspec.convert(json.loads(str(row[0])), Reply)
        except (apsw.Error, ValueError) as error:  # msgspec's errors are ValueErrors
            raise self._unusable(error) from error

    def _open(self) -> apsw.Connection:
        if self._db is None:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                db = apsw.Connection(str(self.path))
                db.set_busy_timeout(30_000)
                db.execute("PRAGMA journal_mode = WAL")
                db.execute(
                    "CREATE TABLE IF NOT EXISTS replies (key BLOB PRIMARY KEY, request TEXT, "
                    "reply TEXT) WITHOUT ROWID"
                )
            except (OSError, apsw.Error) as error:
                raise self._unusable(error) from error
            self._db = db
        return self._db

    def _unusable(self, error: Exception) -> StoreError:
        return StoreError(
            f"The cache of replies {self.path} cannot be used: {error}.",
            hint="Give another file; delete this one if its replies can be asked for again.",
        )
