from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from stepwell.encode.openai import OpenAIEncoder, RequestLimits
from stepwell.errors import InvalidInputError, ModelUnavailableError
from support.embedding_server import EmbeddingServer, serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytest.importorskip("openai", reason="openai is not installed")

KEY = "sk-very-secret"


@pytest.fixture
def embedding_server() -> Iterator[EmbeddingServer]:
    with serving() as server:
        yield server


def encoder(server: EmbeddingServer, **options: Any) -> OpenAIEncoder:
    return OpenAIEncoder("toy", base_url=server.url, api_key=KEY, **options)


def test_request_is_batched_and_authorised(embedding_server: EmbeddingServer) -> None:
    texts = [f"text {n}" for n in range(5)]
    limits = RequestLimits(batch_size=2)
    encoder(embedding_server, dimension=8, limits=limits).encode(texts)
    assert [body["input"] for body in embedding_server.requests] == [
        texts[:2],
        texts[2:4],
        texts[4:],
    ]
    assert {body["model"] for body in embedding_server.requests} == {"toy"}
    assert {body["dimensions"] for body in embedding_server.requests} == {8}
    assert set(embedding_server.keys) == {f"Bearer {KEY}"}


def test_own_dimension_is_learned_once(embedding_server: EmbeddingServer) -> None:
    found = encoder(embedding_server)
    assert found.dimension == found.dimension == 16
    assert len(embedding_server.requests) == 1
    assert "dimensions" not in embedding_server.requests[0]


def test_empty_text_is_sent_as_a_blank(embedding_server: EmbeddingServer) -> None:
    encoder(embedding_server, dimension=16).encode(["", "\ud800"])
    assert embedding_server.requests[0]["input"] == [" ", "\ufffd"]


def test_reordered_reply_is_put_in_order(embedding_server: EmbeddingServer) -> None:
    texts = ["a", "b", "c"]
    straight = encoder(embedding_server).encode(texts)
    embedding_server.spoil = lambda reply: reply | {"data": reply["data"][::-1]}
    assert np.array_equal(encoder(embedding_server).encode(texts), straight)


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
def test_passing_failure_is_retried(embedding_server: EmbeddingServer, status: int) -> None:
    embedding_server.statuses = [status, status]
    assert encoder(embedding_server, dimension=16).encode(["a"]).shape == (1, 16)
    assert len(embedding_server.requests) == 3


def test_lasting_failure_gives_up(embedding_server: EmbeddingServer) -> None:
    embedding_server.statuses = [429] * 9
    with pytest.raises(ModelUnavailableError, match=r"status 429.*try again later"):
        encoder(embedding_server, dimension=16, limits=RequestLimits(retries=1)).encode(["a"])
    assert len(embedding_server.requests) == 2


@pytest.mark.parametrize(
    ("status", "advice"), [(401, "API key"), (403, "API key"), (404, "model"), (400, "model")]
)
def test_refusal_is_not_retried_and_keeps_the_key(
    embedding_server: EmbeddingServer, status: int, advice: str
) -> None:
    embedding_server.statuses = [status]
    refused = encoder(embedding_server, dimension=16)
    with pytest.raises(ModelUnavailableError, match=advice) as caught:
        refused.encode(["a"])
    assert len(embedding_server.requests) == 1
    shown = "".join(traceback.format_exception(caught.value)) + repr(refused) + refused.encoder_id
    assert KEY not in shown


def items(change: Callable[[list[Any]], Any]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda reply: reply | {"data": change(reply["data"])}


def embeddings(value: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return items(lambda data: [item | {"embedding": value} for item in data])


MALFORMED: dict[str, Callable[[dict[str, Any]], Any]] = {
    "one too few": items(lambda data: data[:-1]),
    "one too many": items(lambda data: data + data[-1:]),
    "index repeated": items(lambda data: [item | {"index": 0} for item in data]),
    "index shifted": items(lambda data: [item | {"index": item["index"] + 1} for item in data]),
    "index null": items(lambda data: [item | {"index": None} for item in data]),
    "index missing": items(lambda data: [{"embedding": item["embedding"]} for item in data]),
    "ragged": items(lambda data: [data[0], data[1] | {"embedding": [1.0] * 15}]),
    "strings for items": items(lambda data: [str(item) for item in data]),
    "no data": items(lambda _: None),
    "empty data": items(lambda _: []),
    "zero": embeddings([0.0] * 16),
    "wrong dimension": embeddings([1.0] * 15),
    "not a number": embeddings([float("nan")] * 16),
    "null entries": embeddings([None] * 16),
    "echo of the key": embeddings([KEY] * 16),
    "nested": embeddings([[1.0]] * 16),
    "empty vector": embeddings([]),
    "null vector": embeddings(None),
    "base64 unasked": embeddings("AAAA"),
    "a list": lambda _: [],
    "null": lambda _: None,
    "an empty object": lambda _: {},
    "a string": lambda _: KEY,
    "a web page": lambda _: b"<html>It works!</html>",
    "nothing": lambda _: b"",
}


@pytest.mark.parametrize("spoil", MALFORMED.values(), ids=MALFORMED)
def test_malformed_reply_says_so(
    embedding_server: EmbeddingServer, spoil: Callable[[dict[str, Any]], Any]
) -> None:
    embedding_server.spoil = spoil
    with pytest.raises(ModelUnavailableError, match="Check that") as caught:
        encoder(embedding_server, dimension=16).encode(["a", "b"])
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_silent_server_times_out(embedding_server: EmbeddingServer) -> None:
    embedding_server.stall = True
    limits = RequestLimits(timeout_seconds=0.05, retries=0)
    with pytest.raises(ModelUnavailableError, match="APITimeoutError"):
        encoder(embedding_server, limits=limits).encode(["a"])


def test_absent_server_says_what_to_check() -> None:
    absent = OpenAIEncoder("toy", base_url="http://127.0.0.1:1/v1", limits=RequestLimits(retries=0))
    with pytest.raises(ModelUnavailableError, match="Check that the server runs"):
        absent.encode(["a"])


def test_id_holds_no_secrets() -> None:
    url = "https://me:sk-pass@host.example:8443/v1/?token=sk-query"
    found = OpenAIEncoder("toy", base_url=url, api_key=KEY, dimension=8)
    assert found.encoder_id == "openai:toy@host.example:8443/v1#8"
    assert repr(found) == "OpenAIEncoder('openai:toy@host.example:8443/v1#8')"


@pytest.mark.parametrize(
    ("model", "url"),
    [("", None), ("toy", "localhost:8000"), ("toy", "ftp://host/v1"), ("toy", "http://h:999999")],
)
def test_address_must_be_one(model: str, url: str | None) -> None:
    with pytest.raises(InvalidInputError, match="a model and an address"):
        OpenAIEncoder(model, base_url=url)
