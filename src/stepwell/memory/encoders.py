"""Which encoder a memory uses, and why none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from stepwell.encode.guarded import GuardedEncoder
from stepwell.encode.minilm import MiniLM
from stepwell.encode.registry import default_encoder
from stepwell.errors import ModelUnavailableError
from stepwell.memory.arguments import check_encoder
from stepwell.store.database import explained, transaction
from stepwell.store.vectors import knows_encoder

if TYPE_CHECKING:
    from stepwell.encode.base import Encoder
    from stepwell.memory.indexing import Filler
    from stepwell.recall.question import Question
    from stepwell.store.database import Database
    from stepwell.structures.base import Query
    from stepwell.structures.vector import Vector

__all__ = ["encoder_in_use", "notices_of", "prepared", "usable_encoder"]


def usable_encoder(
    db: Database, given: Encoder | Literal["auto"] | None
) -> tuple[Encoder | None, str]:
    """Return the encoder to use, and why there is none.

    Vectors are off where the file is read-only and has none of this encoder.

    Raises:
        InvalidInputError: What is given is no encoder.
    """
    try:
        encoder, reason = _asked_for(given)
    except ModelUnavailableError as error:
        return None, str(error)
    if encoder is None or not db.readonly("main"):
        return encoder, reason
    with explained(db):
        if knows_encoder(db, encoder.encoder_id):
            return encoder, reason
    return None, f"the database is read-only and has no vectors of {encoder.encoder_id}."


def prepared(question: Question, vector: Vector | None) -> tuple[Query, tuple[str, ...]]:
    """Return the question as structures take it; by words alone, and why, if encoding fails."""
    if vector is None:
        return question.query(None), ()
    try:
        return question.query(vector.encoder), ()
    except ModelUnavailableError as error:
        return question.query(None), (f"vectors were off for this recall: {error}",)


def encoder_in_use(db: Database, vector: Vector | None) -> tuple[str, int] | None:
    """Return the id of the encoder in use, and its number in this store; None without one."""
    if vector is None:
        return None
    if db.readonly("main"):
        return vector.encoder.encoder_id, vector.number
    with transaction(db):  # it may get its number now
        return vector.encoder.encoder_id, vector.number


def notices_of(vector: Vector | None, off: str, filler: Filler | None) -> tuple[str, ...]:
    """Return what a recall should say of vectors: that they are off and why, or no longer come."""
    if vector is None:
        return (f"vectors are off: {off}",)
    failure = None if filler is None else filler.failure
    return () if failure is None else (f"vectors are not filled in any more: {failure}",)


def _asked_for(given: Encoder | Literal["auto"] | None) -> tuple[Encoder | None, str]:
    check_encoder(given)
    if given == "auto":
        return default_encoder()
    if given is None:
        return None, "this memory was opened with encoder=None."
    return (given if isinstance(given, MiniLM) else GuardedEncoder(given)), ""
