"""Keep replies between runs: the same request is answered once, and a broken-off run goes on."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import msgspec

from stepwell.chat.base import Reply
from stepwell.store.sidefile import SideFile

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from stepwell.chat.base import Chat, Message

__all__ = ["CachedChat"]

_SCHEMA: Final = (
    "CREATE TABLE IF NOT EXISTS replies (key BLOB PRIMARY KEY, request TEXT, reply TEXT) "
    "WITHOUT ROWID"
)


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
    _file: SideFile = field(init=False, repr=False)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    def __post_init__(self) -> None:
        self._file = SideFile(
            path=self.path,
            schema=_SCHEMA,
            trouble=f"The cache of replies {self.path} cannot be used",
            hint="Give another file; delete this one if its replies can be asked for again.",
        )

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
            self._file.close()

    def _kept(self, key: bytes) -> Reply | None:
        with self._lock:
            return self._read(key)

    def _keep(self, key: bytes, request: str, reply: Reply) -> Reply:
        with self._lock:
            self.n_asked += 1
            row = (key, request, json.dumps(asdict(reply)))
            self._file.write("INSERT OR IGNORE INTO replies VALUES (?, ?, ?)", [row])
            return self._read(key) or reply

    def _read(self, key: bytes) -> Reply | None:
        found = self._file.rows("SELECT reply FROM replies WHERE key = ?", (key,))
        try:
            return msgspec.convert(json.loads(str(found[0][0])), Reply) if found else None
        except ValueError as error:  # msgspec's errors are ValueErrors
            raise self._file.unusable(error) from error
