"""A small deterministic encoder for tests that are about everything but the model."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stepwell.text.search import search_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class HashEncoder:
    """Sums a fixed pseudo-random vector per search token: texts that share words are near."""

    encoder_id: str = "test-hash"
    dimension: int = 32

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        rows[:, 0] = 0.01
        for place, text in enumerate(texts):
            for token in search_tokens(text):
                rows[place] += self._vector(token)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / norms, dtype=np.float32)

    def _vector(self, token: str) -> NDArray[np.float32]:
        seed = int.from_bytes(hashlib.sha256(token.encode()).digest()[:8], "little")
        return np.random.default_rng(seed).standard_normal(self.dimension).astype(np.float32)
