"""Keep vectors between runs: a run builds its store anew, so only the encoding is worth keeping."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import apsw
import numpy as np

from stepwell.errors import StoreError
from stepwell.store.vectors import text_hash

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from stepwell.encode.base import Encoder

__all__ = ["CachedEncoder"]

_STORED = np.dtype("<f4")


@dataclass(slots=True)
class CachedEncoder:
    """An encoder that asks its model only for texts it has not seen in any earlier run.

    What was encoded is committed call by call, so an interrupted run loses nothing.

    Attributes:
        inner: The encoder behind it, whose id and dimension it bears.
        path: The SQLite file that keeps the vectors.
        n_encoded: Texts the inner encoder was asked for.
    """

    inner: Encoder
    path: Path
    n_encoded: int = 0
    _db: apsw.Connection | None = field(default=None, repr=False)

    @property
    def encoder_id(self) -> str:
        """The inner encoder's id."""
        return self.inner.encoder_id

    @property
    def dimension(self) -> int:
        """The inner encoder's dimension."""
        return self.inner.dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector per text, shape (len(texts), dimension)."""
        db = self._open()
        hashes = [text_hash(text) for text in texts]
        missing = {
            digest: text
            for digest, text in zip(hashes, texts, strict=True)
            if self._known(db, digest) is None
        }
        if missing:
            fresh = self.inner.encode(list(missing.values())).astype(_STORED)
            self.n_encoded += len(missing)
            with db:
                db.executemany(
                    "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)",
                    [
                        (self.encoder_id, digest, vector.tobytes())
                        for digest, vector in zip(missing, fresh, strict=True)
                    ],
                )
        stored = b"".join(self._known(db, digest) or b"" for digest in hashes)
        flat = np.frombuffer(stored, dtype=_STORED).astype(np.float32)
        return flat.reshape(len(texts), self.dimension)

    def close(self) -> None:
        """Close the file."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def _known(self, db: apsw.Connection, digest: bytes) -> bytes | None:
        row = db.execute(
            "SELECT vector FROM vectors WHERE encoder = ? AND text = ?", (self.encoder_id, digest)
        ).fetchone()
        return None if row is None else bytes(row[0])

    def _open(self) -> apsw.Connection:
        if self._db is None:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                db = apsw.Connection(str(self.path))
                db.set_busy_timeout(30_000)
                db.execute("PRAGMA journal_mode = WAL")
                db.execute("PRAGMA synchronous = NORMAL")  # it can always be made again
                db.execute(
                    "CREATE TABLE IF NOT EXISTS vectors (encoder TEXT, text BLOB, vector BLOB, "
                    "PRIMARY KEY (encoder, text)) WITHOUT ROWID"
                )
            except (OSError, apsw.Error) as error:
                raise StoreError(
                    f"The vector cache {self.path} cannot be opened: {error}.",
                    hint="Delete it, or give another folder with --cache.",
                ) from error
            self._db = db
        return self._db
