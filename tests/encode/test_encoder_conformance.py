"""What every encoder promises, asked of every encoder that can be built here."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.encode.libraries import (
    LibraryEncoder,
    fastembed_encoder,
    sentence_transformers_encoder,
)
from stepwell.encode.minilm import MiniLM, missing_packages
from stepwell.encode.openai import OpenAIEncoder
from support.embedding_server import serving
from support.packaged_model import copy_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from stepwell.encode.base import Encoder

TEXTS = [
    "The server listens on port 5433.",
    "",
    "   \n\t",
    "数据库的端口改成5433。テスト 현재",
    "مُحَمَّد שלום \u202e\u200b",
    "\ud800 half a pair, a NUL \x00 and a colour \x1b[31mred\x1b[0m",
    "🧠" * 50,
    "a" * 50_000,
    "word " * 20_000,
    "x",
]
TOLERANCE = 2e-3
"""Padding and the order of sums differ between batches; different texts differ by far more."""

FASTEMBED_FILES = {
    "config.json": {"pad_token_id": 0},
    "tokenizer_config.json": {"model_max_length": 256, "pad_token": "[PAD]"},
    "special_tokens_map.json": {"pad_token": "[PAD]"},
}


@cache
def minilm() -> MiniLM:
    if missing := missing_packages():
        pytest.skip(f"the built-in model needs {', '.join(missing)}")
    return MiniLM()


@cache
def fastembed() -> LibraryEncoder:
    """The weights of the built-in model, read by fastembed: nothing is downloaded."""
    pytest.importorskip("fastembed", reason="fastembed is not installed")
    if missing := missing_packages():
        pytest.skip(f"the weights are in {', '.join(missing)}")
    with TemporaryDirectory() as folder:
        copy_model(Path(folder))
        for name, content in FASTEMBED_FILES.items():
            (Path(folder) / name).write_text(json.dumps(content))
        return fastembed_encoder("sentence-transformers/all-MiniLM-L6-v2", folder=folder)


def sentence_transformers() -> LibraryEncoder:
    if find_spec("sentence_transformers") is None:
        pytest.skip("sentence-transformers is not installed")
    return sentence_transformers_encoder("sentence-transformers/all-MiniLM-L6-v2")


LOCAL: dict[str, Callable[[], Encoder]] = {
    "minilm": minilm,
    "fastembed": fastembed,
    "sentence-transformers": sentence_transformers,
}


@pytest.fixture(params=[*LOCAL, "openai"])
def encoder(request: pytest.FixtureRequest) -> Iterator[Encoder]:
    if request.param != "openai":
        yield LOCAL[request.param]()
        return
    pytest.importorskip("openai", reason="openai is not installed")
    with serving() as server:
        yield OpenAIEncoder("toy", base_url=server.url)


def test_rows_are_unit_vectors_in_the_order_of_the_texts(encoder: Encoder) -> None:
    vectors = encoder.encode(TEXTS)
    assert vectors.shape == (len(TEXTS), encoder.dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    one_by_one = np.concatenate([encoder.encode([text]) for text in TEXTS])
    assert np.abs(vectors - one_by_one).max() < TOLERANCE


def test_no_texts_give_no_rows(encoder: Encoder) -> None:
    vectors = encoder.encode([])
    assert vectors.shape == (0, encoder.dimension)
    assert vectors.dtype == np.float32


def test_the_same_texts_give_the_same_vectors(encoder: Encoder) -> None:
    assert np.array_equal(encoder.encode(TEXTS), encoder.encode(TEXTS))


def test_many_texts_keep_their_order(encoder: Encoder) -> None:
    texts = [f"step {n}: " + "read file " * (n % 7) for n in range(150)]
    backwards = encoder.encode(texts[::-1])[::-1]
    assert np.abs(encoder.encode(texts) - backwards).max() < TOLERANCE


def test_different_texts_differ(encoder: Encoder) -> None:
    port, digest = encoder.encode(["The server listens on port 5433.", "Bananas are yellow."])
    assert float(port @ digest) < 0.9


def test_threads_agree(encoder: Encoder) -> None:
    alone = encoder.encode(TEXTS[:4])
    with ThreadPoolExecutor(max_workers=4) as pool:
        together = list(pool.map(encoder.encode, [TEXTS[:4]] * 8))
    assert all(np.abs(alone - vectors).max() < TOLERANCE for vectors in together)


def test_encoder_names_itself(encoder: Encoder) -> None:
    assert encoder.encoder_id
    assert encoder.encoder_id in repr(encoder)
