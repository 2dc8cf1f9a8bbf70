"""Changing the encoder: the new one's vectors come, then the old one's go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell import Memory
from stepwell.errors import ModelUnavailableError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Letters:
    """Counts letters; fails on a text that holds `fails_on`."""

    encoder_id: str
    dimension: int = 26
    fails_on: str | None = None

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.fails_on and any(self.fails_on in text for text in texts):
            raise ModelUnavailableError("The service is down.", hint="Try again.")
        letters = [chr(ord("a") + i) for i in range(self.dimension)]
        rows = [[text.lower().count(letter) + 1e-6 for letter in letters] for text in texts]
        vectors = np.asarray(rows, dtype=np.float32).reshape(len(texts), self.dimension)
        unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(unit, dtype=np.float32)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    with Memory(path, encoder=Letters(encoder_id="old")) as memory:
        for number in range(5):
            memory.add({"role": "user", "content": f"Port 543{number} is taken."})
        memory.index()
        assert memory.unindexed() == 0
    return path


def test_a_new_encoder_starts_with_nothing_and_ends_alone(path: Path) -> None:
    with Memory(path, encoder=Letters(encoder_id="new", dimension=20)) as memory:
        assert memory.unindexed() == 5
        assert memory.reindex() == (5, 5)
        assert memory.stats().n_vectors == 5
    with Memory(path, encoder=Letters(encoder_id="old")) as memory:
        assert memory.unindexed() == 5


def test_reindexing_again_changes_nothing(path: Path) -> None:
    with Memory(path, encoder=Letters(encoder_id="old")) as memory:
        assert memory.reindex() == (0, 0)
        assert memory.stats().n_vectors == 5


def test_a_failure_keeps_the_old_vectors(path: Path) -> None:
    broken = Letters(encoder_id="new", fails_on="Port")
    with Memory(path, encoder=broken) as memory, pytest.raises(ModelUnavailableError):
        memory.reindex()
    with Memory(path, encoder=Letters(encoder_id="old")) as memory:
        assert memory.unindexed() == 0


def test_another_open_memory_notices_that_its_vectors_went(path: Path) -> None:
    with Memory(path, encoder=Letters(encoder_id="old")) as old:
        assert old.recall("taken ports", budget=300).readings[0].coverage == 1.0
        with Memory(path, encoder=Letters(encoder_id="new")) as new:
            new.reindex()
        evidence = old.recall("taken ports", budget=300)
    assert evidence.readings[0].coverage == 0.0
    assert any("stepwell index" in notice for notice in evidence.notices)


def test_without_an_encoder_it_is_an_error(path: Path) -> None:
    with Memory(path, encoder=None) as memory, pytest.raises(ModelUnavailableError):
        memory.reindex()
