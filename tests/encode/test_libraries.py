"""The libraries are large and not installed for most tests: modules of the same shape stand in."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from stepwell.encode.adapt import MAX_CHARS
from stepwell.encode.libraries import (
    LibraryEncoder,
    fastembed_encoder,
    sentence_transformers_encoder,
)
from stepwell.encode.registry import encoder
from stepwell.errors import ModelUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray


def rows(texts: list[str]) -> NDArray[np.float32]:
    return np.array([[len(text), 3.0] for text in texts], dtype=np.float32)


class Library:
    """Says what it was asked; a model named `broken` cannot be loaded."""

    def __init__(self) -> None:
        self.made: list[dict[str, Any]] = []
        self.asked: list[tuple[list[str], dict[str, Any]]] = []

    def make(self, name: str, **options: Any) -> None:
        if name == "broken":
            raise OSError("no such model")
        self.made.append({"name": name, **options})

    def text_embedding(self, *, model_name: str, **options: Any) -> Any:
        self.make(model_name, **options)

        def embed(texts: list[str], **given: Any) -> Iterator[NDArray[np.float32]]:
            self.asked.append((texts, given))
            yield from rows(texts)

        return SimpleNamespace(embed=embed)

    def sentence_transformer(self, name: str, **options: Any) -> Any:
        self.make(name, **options)

        def encode(texts: list[str], **given: Any) -> NDArray[np.float32]:
            self.asked.append((texts, given))
            return rows(texts)

        return SimpleNamespace(encode=encode)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    made = Library()
    for name, attribute, value in (
        ("fastembed", "TextEmbedding", made.text_embedding),
        ("sentence_transformers", "SentenceTransformer", made.sentence_transformer),
    ):
        module = ModuleType(name)
        setattr(module, attribute, value)
        monkeypatch.setitem(sys.modules, name, module)
    return made


MAKERS: dict[str, Callable[[str], LibraryEncoder]] = {
    "fastembed": fastembed_encoder,
    "sentence-transformers": sentence_transformers_encoder,
}
each_library = pytest.mark.parametrize("name", MAKERS)


@each_library
def test_vectors_are_unit_rows_in_the_order_of_the_texts(library: Library, name: str) -> None:
    made = MAKERS[name]("toy")
    assert made.encoder_id == f"{name}:toy"
    assert repr(made) == f"LibraryEncoder('{name}:toy')"
    assert made.dimension == 2
    vectors = made.encode(["abcd", ""])
    assert vectors == pytest.approx(np.array([[0.8, 0.6], [1 / 10**0.5, 3 / 10**0.5]]), abs=1e-6)
    assert vectors.dtype == np.float32
    assert [texts for texts, _ in library.asked] == [["dimension"], ["abcd", " "]]


@each_library
def test_texts_are_made_fit_for_the_model(library: Library, name: str) -> None:
    MAKERS[name]("toy").encode(["\x1b[31mred\x1b[0m", "a" * (MAX_CHARS + 1)])
    assert library.asked[-1][0] == ["red", "a" * MAX_CHARS]


@each_library
def test_no_texts_ask_the_library_nothing(library: Library, name: str) -> None:
    made = MAKERS[name]("toy")
    asked = len(library.asked)
    vectors = made.encode([])
    assert vectors.shape == (0, 2)
    assert vectors.dtype == np.float32
    assert len(library.asked) == asked


@each_library
@pytest.mark.usefixtures("library")
def test_a_model_that_cannot_be_loaded_is_named(name: str) -> None:
    with pytest.raises(ModelUnavailableError, match="no such model") as caught:
        MAKERS[name]("broken")
    assert str(caught.value).startswith(f"{name} cannot load broken (")
    assert "Check the name and the network" in caught.value.hint


def test_options_reach_the_library(library: Library) -> None:
    fastembed_encoder("a", folder="models/a", threads=3)
    fastembed_encoder("b")
    sentence_transformers_encoder("c", device="cuda")
    sentence_transformers_encoder("d")
    assert library.made == [
        {"name": "a", "threads": 3, "specific_model_path": "models/a"},
        {"name": "b", "threads": None},
        {"name": "c", "device": "cuda"},
        {"name": "d", "device": None},
    ]
    assert [given["batch_size"] for _, given in library.asked] == [16, 16, 64, 64]
    assert library.asked[-1][1]["show_progress_bar"] is False


@each_library
@pytest.mark.usefixtures("library")
def test_a_specification_names_the_library_and_the_model(name: str) -> None:
    made = encoder(f"{name}:org/toy:v1")
    assert isinstance(made, LibraryEncoder)
    assert made.encoder_id == f"{name}:org/toy:v1"
