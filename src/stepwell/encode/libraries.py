"""Encoders of other libraries: fastembed, and sentence-transformers.

fastembed runs ONNX models on the CPU; sentence-transformers runs on PyTorch, on a GPU if there is
one. Both download a model on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stepwell.encode.adapt import model_texts, required, unit_rows
from stepwell.errors import ModelUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["LibraryEncoder", "fastembed_encoder", "sentence_transformers_encoder"]

_FASTEMBED_BATCH = 16
_TORCH_BATCH = 64


class LibraryEncoder:
    """Encode with a model that another library has loaded."""

    def __init__(
        self, encoder_id: str, *, embed: Callable[[list[str]], NDArray[np.float32]]
    ) -> None:
        """Learn the length of a vector from a first one.

        Args:
            encoder_id: The library and the model's name.
            embed: Returns one row for each text.
        """
        self._encoder_id = encoder_id
        self._embed = embed
        self._dimension = int(embed(["dimension"]).shape[1])

    def __repr__(self) -> str:
        return f"LibraryEncoder({self.encoder_id!r})"

    @property
    def encoder_id(self) -> str:
        """The library and the model's name."""
        return self._encoder_id

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors of shape (len(texts), dimension)."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return unit_rows(self._embed(model_texts(texts)))


def fastembed_encoder(
    name: str, *, folder: str | Path | None = None, threads: int | None = None
) -> LibraryEncoder:
    """Load a model that fastembed knows.

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
        model = library.TextEmbedding(model_name=name, threads=threads, **where)
    except (ValueError, OSError, RuntimeError) as error:
        raise _not_loaded("fastembed", name, error) from error

    def embed(texts: list[str]) -> NDArray[np.float32]:
        return np.stack(list(model.embed(texts, batch_size=_FASTEMBED_BATCH)))

    return LibraryEncoder(f"fastembed:{name}", embed=embed)


def sentence_transformers_encoder(name: str, *, device: str | None = None) -> LibraryEncoder:
    """Load a model of the Hugging Face hub, or one in a folder, with sentence-transformers.

    Args:
        name: On the hub, or a folder.
        device: As PyTorch names it; the library's choice if left out.

    Raises:
        ModelUnavailableError: The library is missing, or the model is unknown or unreachable.
    """
    library = required("sentence_transformers", extra="sentence-transformers")
    try:
        model = library.SentenceTransformer(name, device=device)
    except (ValueError, OSError, RuntimeError) as error:
        raise _not_loaded("sentence-transformers", name, error) from error

    def embed(texts: list[str]) -> NDArray[np.float32]:
        vectors: NDArray[np.float32] = model.encode(
            texts, batch_size=_TORCH_BATCH, convert_to_numpy=True, show_progress_bar=False
        )
        return vectors

    return LibraryEncoder(f"sentence-transformers:{name}", embed=embed)


def _not_loaded(library: str, name: str, error: Exception) -> ModelUnavailableError:
    return ModelUnavailableError(
        f"{library} cannot load {name} ({error}).",
        hint="Check the name and the network, or give the folder of a downloaded model.",
    )
