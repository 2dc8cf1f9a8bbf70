from __future__ import annotations

from importlib.util import find_spec

import pytest

from stepwell.encode.minilm import MiniLM, missing_packages
from stepwell.encode.registry import ENCODER_FORMS, default_encoder, encoder
from stepwell.errors import InvalidInputError, ModelUnavailableError


@pytest.mark.skipif(bool(missing_packages()), reason="the built-in model is not installed")
def test_built_in_model_is_the_default() -> None:
    found, reason = default_encoder()
    assert isinstance(found, MiniLM)
    assert reason == f"{found.encoder_id} is installed."
    assert encoder("minilm").encoder_id == found.encoder_id


@pytest.mark.skipif(find_spec("openai") is None, reason="openai is not installed")
@pytest.mark.parametrize(
    ("spec", "encoder_id"),
    [
        ("openai:text-embedding-3-small", "openai:text-embedding-3-small@api.openai.com/v1"),
        ("openai:toy@http://localhost:8000/v1", "openai:toy@localhost:8000/v1"),
        ("openai:org/toy@2@https://host/v1", "openai:org/toy@2@host/v1"),
    ],
)
def test_endpoint_is_model_at_address(spec: str, encoder_id: str) -> None:
    assert encoder(spec, api_key="sk-secret").encoder_id == encoder_id


@pytest.mark.parametrize(
    "spec",
    ["", "minilm:", "MiniLM", "openai", "openai:", "fastembed:", "word2vec:x", ":", "\ud800"],
)
def test_other_forms_are_refused_with_the_list(spec: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        encoder(spec)
    assert all(form in str(caught.value) for form in ENCODER_FORMS)


@pytest.mark.parametrize(
    ("spec", "library", "extra"),
    [
        ("fastembed:toy", "fastembed", "fastembed"),
        ("sentence-transformers:toy", "sentence_transformers", "sentence-transformers"),
    ],
)
def test_missing_library_says_how_to_install_it(spec: str, library: str, extra: str) -> None:
    if find_spec(library) is not None:
        pytest.skip(f"{library} is installed")
    with pytest.raises(ModelUnavailableError, match=rf"pip install 'stepwell\[{extra}\]'"):
        encoder(spec)


def test_folder_of_the_built_in_kind_must_hold_a_model() -> None:
    if missing_packages():
        pytest.skip("the built-in model is not installed")
    with pytest.raises(ModelUnavailableError, match="holds no sentence encoder"):
        encoder("minilm:/nowhere")
