"""What an encoder is: text in, unit vectors out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from stepwell.errors import ModelUnavailableError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Encoder", "encoded"]

_LARGEST: Final = 60_000
"""Values up to here can be stored in sixteen bits; those of a unit vector are at most 1."""


class Encoder(Protocol):
    """Turn texts into vectors whose dot product is their similarity."""

    @property
    def encoder_id(self) -> str:
        """The model and its version; vectors of different ids are never compared."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return an array of shape (len(texts), dimension), each row of length 1.

        Raises:
            ModelUnavailableError: The model or the service behind it cannot be reached.
        """
        ...


def encoded(texts: Sequence[str], *, encoder: Encoder) -> NDArray[np.float32]:
    """Return the vectors of some texts, having seen that they are vectors.

    Args:
        texts: The texts.
        encoder: What encodes them; anyone's, so that what it gives is looked at.

    Returns:
        An array of shape (len(texts), encoder.dimension).

    Raises:
        ModelUnavailableError: It cannot encode, or gives something else than one vector for
            each text, of finite numbers.
    """
    vectors = np.asarray(encoder.encode(texts))
    shape = (len(texts), encoder.dimension)
    if vectors.dtype.kind != "f" and vectors.size:
        raise ModelUnavailableError(
            f"The encoder {encoder.encoder_id} gave values of the type {vectors.dtype}, "
            "not numbers with a fraction.",
            hint="Mend it, or choose another one.",
        )
    if vectors.shape != shape:
        raise ModelUnavailableError(
            f"The encoder {encoder.encoder_id} gave an array of shape "
            f"{vectors.shape}, not {shape}.",
            hint="Mend it, or choose another one.",
        )
    if not (np.abs(vectors) <= _LARGEST).all():  # NaN is not, either
        raise ModelUnavailableError(
            f"The encoder {encoder.encoder_id} gave a vector that is not of unit length: it holds "
            "NaN, infinity or a huge number.",
            hint="Mend it, or choose another one.",
        )
    return vectors
