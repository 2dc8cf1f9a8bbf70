"""What an encoder gives is looked at before it is stored or compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from stepwell.encode.base import encoded
from stepwell.errors import ModelUnavailableError
from stepwell.memory.memory import Memory
from stepwell.recall.question import MODES
from support.encoders import HashEncoder

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Failing:
    """Gives a value that is no number in the vector of every text with a seven in it."""

    value: float
    encoder_id: str = "failing"
    dimension: int = 32

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = HashEncoder().encode(texts)
        vectors[["7" in text for text in texts], 3] = self.value
        return vectors


@dataclass(frozen=True, slots=True)
class Narrow:
    """Gives vectors of other dimensions than it says."""

    encoder_id: str = "narrow"
    dimension: int = 32

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return HashEncoder(dimension=16).encode(texts)


def test_vectors_pass_as_they_are() -> None:
    texts = ["one", "two"]
    assert (encoded(texts, encoder=HashEncoder()) == HashEncoder().encode(texts)).all()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e30])
def test_values_that_are_no_numbers_are_refused(value: float) -> None:
    with pytest.raises(ModelUnavailableError, match="NaN"):
        encoded(["6", "7"], encoder=Failing(value))


def test_vectors_of_other_dimensions_are_refused() -> None:
    with pytest.raises(ModelUnavailableError, match=r"\(2, 16\), not \(2, 32\)"):
        encoded(["a", "b"], encoder=Narrow())


@pytest.mark.parametrize("question", ["which seat has walrus 7?", "which seat?"])
def test_a_recall_answers_by_words_when_an_encoder_gives_no_vectors(question: str) -> None:
    with Memory(encoder=Failing(float("nan"))) as memory:
        for at in range(20):
            memory.add({"action": f"book seat_{at % 5}", "observation": f"walrus {at}"})
        with pytest.raises(ModelUnavailableError):
            memory.index()
        for mode in MODES:
            evidence = memory.recall(question, 400, mode=mode)
            assert evidence.items
            assert any("vector" in notice for notice in evidence.notices)
