"""What an encoder is: text in, unit vectors out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Encoder"]


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
            EncoderUnavailableError: The model or the service behind it cannot be reached.
        """
        ...
