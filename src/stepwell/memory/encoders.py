"""Which encoder a memory uses, and why none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from stepwell.encode.registry import default_encoder
from stepwell.memory.arguments import check_encoder
from stepwell.memory.looking import knows_encoder
from stepwell.store.database import explained

if TYPE_CHECKING:
    import apsw

    from stepwell.encode.base import Encoder

__all__ = ["usable_encoder"]


def usable_encoder(
    db: apsw.Connection, given: Encoder | Literal["auto"] | None
) -> tuple[Encoder | None, str]:
    """Return the encoder to use, and why there is none.

    Vectors are off where the file is read-only and has none of this encoder.

    Raises:
        InvalidInputError: What is given is no encoder.
    """
    encoder, reason = _asked_for(given)
    if encoder is None or not db.readonly("main"):
        return encoder, reason
    with explained(db):
        if knows_encoder(db, encoder.encoder_id):
            return encoder, reason
    return None, f"the database is read-only and has no vectors of {encoder.encoder_id}."


def _asked_for(given: Encoder | Literal["auto"] | None) -> tuple[Encoder | None, str]:
    check_encoder(given)
    if given == "auto":
        return default_encoder()
    if given is None:
        return None, "this memory was opened with encoder=None."
    return given, ""
