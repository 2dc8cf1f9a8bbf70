"""Encoders of the fastembed library, which downloads ONNX models on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stepwell.encode.adapt import model_texts, required, unit_rows
from stepwell.errors import ModelUnavailableError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["FastEmbedEncoder"]

_BATCH_SIZE = 16


class FastEmbedEncoder:
    """Encode with a model that fastembed knows by name."""

    def __init__(
        self, name: str, *, folder: str | Path | None = None, threads: int | None = None
    ) -> None:
        """Load the model.

        Args:
            name: For instance `BAAI/bge-small-en-v1.5`.
            folder: Where its files already are, to work offline.
            threads: Of onnxruntime; fastembed's default if left out.

        Raises:
            ModelUnavailableError: The library is missing, or the model is unknown or unreachable.
        """
        library = required("fastembed", extra="fastembed")
        where = {} if folder is None else {"specific_model_path": str(folder)}
        try:
            self._model = library.TextEmbedding(model_name=name, threads=threads, **where)
        except (ValueError, OSError, RuntimeError) as error:
            raise ModelUnavailableError(
                f"fastembed cannot load {name} ({error}).",
                hint="Check the name and the network, or give the folder of a downloaded model.",
            ) from error
        self._name = name
        self._dimension = int(self._vectors(["dimension"]).shape[1])

    def __repr__(self) -> str:
        return f"FastEmbedEncoder({self.encoder_id!r})"

    @property
    def encoder_id(self) -> str:
        """The library and the model's name."""
        return f"fastembed:{self._name}"

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
        return np.stack(list(self._model.embed(texts, batch_size=_BATCH_SIZE)))
