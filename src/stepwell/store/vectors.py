"""Vectors of passages: saved behind the write path, found again by content, read as a matrix."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stepwell.errors import StoreError
from stepwell.store.read import load_passages
from stepwell.store.rowids import number_of, span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import apsw
    from numpy.typing import NDArray

    from stepwell.store.scope import Scope
    from stepwell.trajectory.passages import Passage

__all__ = [
    "VectorState",
    "drop_vectors",
    "encoder_number",
    "known_vectors",
    "knows_encoder",
    "load_vectors",
    "n_unencoded",
    "recount",
    "save_vectors",
    "stored_form",
    "text_hash",
    "unencoded_passages",
    "vector_states",
]

_STATES = "FROM trajectories t LEFT JOIN vector_states s ON s.encoder = ? AND s.no = t.no"

_STORED = np.dtype("<f2")
"""Half the space of float32; the error of a cosine stays below .001, far under what ranks steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorState:
    """How far a trajectory's vectors are.

    Attributes:
        number: The trajectory's number.
        n_vectors: Vectors stored.
        version: Changes whenever they change.
    """

    number: int
    n_vectors: int
    version: int


def text_hash(text: str) -> bytes:
    """Return the key under which the vector of a text is found again."""
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()[:16]


def encoder_number(db: apsw.Connection, encoder_id: str, *, dimension: int) -> int:
    """Return the number of an encoder in this store, giving it one at its first use."""
    found = db.execute(
        "SELECT no, dimension FROM encoders WHERE encoder_id = ?", (encoder_id,)
    ).fetchone()
    if found is not None:
        number, known = found
        if known != dimension:
            raise StoreError(
                f"The vectors of {encoder_id!r} in this store have {known} dimensions, this "
                f"encoder gives {dimension}.",
                hint="Give another model another encoder_id; `stepwell reindex` then re-encodes.",
            )
        return int(number)
    db.execute(  # another process may just have done the same
        "INSERT INTO encoders (encoder_id, dimension) VALUES (?, ?) ON CONFLICT DO NOTHING",
        (encoder_id, dimension),
    )
    return encoder_number(db, encoder_id, dimension=dimension)


def knows_encoder(db: apsw.Connection, encoder_id: str) -> bool:
    """Tell whether a store has ever held vectors of this encoder."""
    row = db.execute("SELECT 1 FROM encoders WHERE encoder_id = ?", (encoder_id,)).fetchone()
    return row is not None


def n_unencoded(db: apsw.Connection, encoder: int, scope: Scope) -> int:
    """Return how many passages of a scope have no vector of this encoder."""
    condition, parameters = scope.condition()
    ((n,),) = db.execute(
        f"SELECT coalesce(sum(n_passages - coalesce(n_vectors, 0)), 0) {_STATES} WHERE {condition}",
        (encoder, *parameters),
    )
    return int(n)


def unencoded_passages(
    db: apsw.Connection, encoder: int, scope: Scope, *, after: int = -1, limit: int
) -> list[tuple[int, Passage]]:
    """Return passages of a scope without a vector of this encoder, with their row ids, ascending.

    Only trajectories whose counts say that something is missing are looked through.

    Args:
        db: The database.
        encoder: The encoder's number.
        scope: Whose: an encoder sees nothing of others.
        after: Only row ids above this one, so that going through all of them is linear.
        limit: At most so many.
    """
    condition, parameters = scope.condition()
    behind = db.execute(
        f"SELECT t.no {_STATES} WHERE t.no >= ? AND t.n_passages > coalesce(s.n_vectors, 0) "
        f"AND {condition} ORDER BY t.no",
        (encoder, number_of(max(after, 0)), *parameters),
    )
    found: list[int] = []
    for number in [int(no) for (no,) in behind]:
        first, last = span(number)
        rows = db.execute(
            "SELECT p.id FROM passages p WHERE p.id BETWEEN max(?, ?) AND ? AND NOT EXISTS "
            "(SELECT 1 FROM vectors v WHERE v.encoder = ? AND v.id = p.id) ORDER BY p.id LIMIT ?",
            (first, after + 1, last, encoder, limit - len(found)),
        )
        found += [int(row) for (row,) in rows]
        if len(found) == limit:
            break
    return sorted(load_passages(db, found).items())


def known_vectors(
    db: apsw.Connection, encoder: int, scope: Scope, hashes: Sequence[bytes]
) -> dict[bytes, bytes]:
    """Return a scope's stored vectors of equal texts, by their hash.

    Those of others are not taken over: a text that needs no encoding would tell that they have it.
    """
    condition, parameters = scope.condition()
    found: dict[bytes, bytes] = {}
    for digest in hashes:
        row = db.execute(
            "SELECT vector FROM vectors INDEXED BY vectors_by_hash "  # noqa: S608  (fixed texts)
            "WHERE encoder = ? AND text_hash = ? AND EXISTS "
            f"(SELECT 1 FROM trajectories WHERE no = id >> 36 AND {condition}) LIMIT 1",
            (encoder, digest, *parameters),
        ).fetchone()
        if row is not None:
            found[digest] = row[0]
    return found


def save_vectors(
    db: apsw.Connection,
    encoder: int,
    rows: Sequence[tuple[int, bytes, bytes]],
) -> int:
    """Store vectors as (row id, text hash, float16 bytes); inside the caller's transaction.

    Passages that were deleted meanwhile are left out.

    Returns:
        How many were stored.
    """
    ids = json.dumps([row for row, _, _ in rows])
    alive = {
        int(row)
        for (row,) in db.execute(
            "SELECT id FROM passages WHERE id IN (SELECT value FROM json_each(?))", (ids,)
        )
    }
    kept = [(encoder, *row) for row in rows if row[0] in alive]
    db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)", kept)
    for number in sorted({number_of(row[1]) for row in kept}):
        recount(db, number, encoder=encoder)
    return len(kept)


def drop_vectors(db: apsw.Connection, scope: Scope, *, keep: int) -> int:
    """Delete a scope's vectors of every encoder but one; return how many they were."""
    condition, parameters = scope.condition()
    owned = f"SELECT no FROM trajectories WHERE {condition}"  # noqa: S608  (columns)
    numbers: list[Any] = db.execute(owned, parameters).fetchall()
    dropped = 0
    for (number,) in numbers:
        db.execute(
            "DELETE FROM vectors WHERE encoder IN (SELECT no FROM encoders WHERE no != ?) "
            "AND id BETWEEN ? AND ?",
            (keep, *span(number)),
        )
        if db.changes():
            dropped += db.changes()
            # The states stay, with a new version, so that caches of other processes notice.
            db.execute(
                "UPDATE vector_states SET n_vectors = 0, version = version + 1 "
                "WHERE encoder != ? AND no = ?",
                (keep, number),
            )
    return dropped


def recount(db: apsw.Connection, number: int, *, encoder: int | None = None) -> None:
    """Bring the vector states of a trajectory up to date after vectors came or went."""
    first, last = span(number)
    db.execute(
        "INSERT INTO vector_states SELECT e.no, ?, (SELECT count(*) FROM vectors v "
        "WHERE v.encoder = e.no AND v.id BETWEEN ? AND ?), 1 FROM encoders e "
        "WHERE ? IS NULL OR e.no = ? ON CONFLICT (encoder, no) DO UPDATE "
        "SET n_vectors = excluded.n_vectors, version = version + 1",
        (number, first, last, encoder, encoder),
    )


def vector_states(db: apsw.Connection, encoder: int) -> list[VectorState]:
    """Return the vector state of every trajectory that has vectors of this encoder."""
    rows = db.execute(
        "SELECT no, n_vectors, version FROM vector_states WHERE encoder = ? AND n_vectors > 0 "
        "ORDER BY no",
        (encoder,),
    )
    return [VectorState(number=no, n_vectors=n, version=version) for no, n, version in rows]


def load_vectors(
    db: apsw.Connection, encoder: int, number: int, *, dimension: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the row ids, shape (n,), and vectors, shape (n, dimension), of a trajectory."""
    ids: list[int] = []
    blobs: list[bytes] = []
    for row, blob in _stored(db, encoder, number):
        ids.append(row)
        blobs.append(blob)
    flat = np.frombuffer(b"".join(blobs), dtype=_STORED)
    return np.asarray(ids, dtype=np.int64), flat.reshape(len(ids), dimension).astype(np.float32)


def _stored(db: apsw.Connection, encoder: int, number: int) -> Iterator[tuple[int, bytes]]:
    yield from db.execute(
        "SELECT id, vector FROM vectors WHERE encoder = ? AND id BETWEEN ? AND ? ORDER BY id",
        (encoder, *span(number)),
    )


def stored_form(vectors: NDArray[np.float32]) -> list[bytes]:
    """Return each row of an array of shape (n, d) as the bytes that are stored."""
    return [row.tobytes() for row in vectors.astype(_STORED)]
