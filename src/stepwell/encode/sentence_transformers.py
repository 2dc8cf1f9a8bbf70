"""Encoders of the sentence-transformers library, on PyTorch, a GPU if there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stepwell.encode.adapt import model_texts, required, unit_rows
from stepwell.errors import ModelUnavailableError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["SentenceTransformersEncoder"]

_BATCH_SIZE = 64


class SentenceTransformersEncoder:
    """Encode with a model of the Hugging Face hub, or in a folder."""

    def __init__(self, name: str, *, device: str | None = None) -> None:
        """Load the model.

        Args:
            name: On the hub, or a folder.
            device: As PyTorch names it; the library's choice if left out.

        Raises:
            ModelUnavailableError: The library is missing, or the model is unknown or unreachable.
        """
        library = required("sentence_transformers", extra="sentence-transformers")
        try:
            self._model = library.SentenceTransformer(name, device=device)
        except (ValueError, OSError, RuntimeError) as error:
            raise ModelUnavailableError(
                f"sentence-transformers cannot load {name} ({error}).",
                hint="Check the name and the network, or give the folder of a downloaded model.",
            ) from error
        self._name = name
        self._dimension = int(self._vectors(["dimension"]).shape[1])

    def __repr__(self) -> str:
        return f"SentenceTransformersEncoder({self.encoder_id!r})"

    @property
    def encoder_id(self) -> str:
        """The library and the model's name."""
        return f"sentence-transformers:{self._name}"

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors of shape (len(texts), dimension)."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return unit_rows(self._vectors(model_texts(texts)))

    def _vectors(self, texts: list[str]) -> NDArray[np.float32]:
        vectors: NDArray[np.float32] = self._model.encode(
            texts, batch_size=_BATCH_SIZE, convert_to_numpy=True, show_progress_bar=False
        )
        return vectors
