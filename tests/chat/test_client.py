from __future__ import annotations

import json
import traceback
from typing import TYPE_CHECKING, Any

import pytest

from stepwell.chat.base import Message, asked
from stepwell.chat.client import ChatLimits, ChatModel, Sampling, endpoint
from stepwell.chat.usage import Pace, Prices, Usage
from stepwell.errors import InvalidInputError, ModelUnavailableError
from support.chat_server import ChatServer, serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytest.importorskip("openai", reason="openai is not installed")

KEY = "sk-very-secret"
SCHEMA = {"type": "object", "properties": {"port": {"type": "integer"}}}


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with serving() as found:
        yield found


def model(server: ChatServer, **options: Any) -> ChatModel:
    return ChatModel(f"openai:toy@{server.url}", api_key=KEY, **options)


def test_a_reply_holds_the_text_and_what_it_took(server: ChatServer) -> None:
    found = model(server)
    reply = found.complete(asked("Which port?", system="Be brief."), max_tokens=9)
    assert (reply.text, reply.model, reply.finish_reason) == ("Which port?", "toy", "stop")
    assert (reply.prompt_tokens, reply.completion_tokens, reply.estimated) == (7, 3, False)
    assert server.keys == [f"Bearer {KEY}"]
    assert server.requests == [
        {
            "model": "toy",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "Which port?"},
            ],
            "max_tokens": 9,
            "temperature": 0.0,
            "seed": 0,
        }
    ]


def test_temperature_and_seed_can_be_left_to_the_endpoint(server: ChatServer) -> None:
    model(server, sampling=Sampling(temperature=None, seed=None)).complete(asked("?"))
    assert {"temperature", "seed"}.isdisjoint(server.requests[0])


def test_text_of_any_kind_is_sent_readable(server: ChatServer) -> None:
    reply = model(server).complete(asked("\ud800\x00 端口 \U0001f6aa"))
    assert reply.text == "\ufffd\u2400 端口 \U0001f6aa"


@pytest.mark.parametrize(("messages", "max_tokens"), [((), 5), (asked("?"), 0)])
def test_a_request_without_content_is_not_sent(
    server: ChatServer, messages: tuple[Message, ...], max_tokens: int
) -> None:
    with pytest.raises(InvalidInputError, match="no request"):
        model(server).complete(messages, max_tokens=max_tokens)
    assert server.requests == []


def test_a_schema_is_sent_and_its_reply_is_json(server: ChatServer) -> None:
    server.answer = lambda _: '{"port": 5433}'
    reply = model(server).complete(asked("Which port?"), schema=SCHEMA)
    assert json.loads(reply.text) == {"port": 5433}
    sent = server.requests[0]["response_format"]
    assert (sent["type"], sent["json_schema"]["schema"]) == ("json_schema", SCHEMA)


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
def test_passing_failure_is_retried(server: ChatServer, status: int) -> None:
    server.statuses = [status, status]
    assert model(server).complete(asked("still there?")).text == "still there?"
    assert len(server.requests) == 3


def test_a_server_that_says_when_to_come_back_is_heeded(server: ChatServer) -> None:
    server.statuses, server.headers = [429], {"Retry-After": "0.01"}
    assert model(server).complete(asked("now?")).text == "now?"
    # More than two minutes: the library gives up at once, rather than asking too early.
    server.statuses, server.headers = [429], {"Retry-After": "9999"}
    with pytest.raises(ModelUnavailableError, match=r"status 429.*Ask less often"):
        model(server).complete(asked("now?"))


def test_lasting_failure_gives_up(server: ChatServer) -> None:
    server.statuses = [500] * 9
    with pytest.raises(ModelUnavailableError, match=r"status 500.*try again later"):
        model(server, limits=ChatLimits(retries=1)).complete(asked("?"))
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("status", "advice"),
    [(401, "API key"), (403, "API key"), (404, "serves the model toy"), (400, "fit the context")],
)
def test_refusal_is_not_retried_and_keeps_the_key(
    server: ChatServer, status: int, advice: str
) -> None:
    server.statuses = [status]
    refused = model(server)
    with pytest.raises(ModelUnavailableError, match=advice) as caught:
        refused.complete(asked("?"))
    assert len(server.requests) == 1
    shown = "".join(traceback.format_exception(caught.value)) + repr(refused) + refused.model_id
    assert KEY not in shown


def choices(change: Callable[[Any], Any]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda reply: reply | {"choices": change(reply["choices"])}


def said(message: Any, finish: Any = "stop") -> Callable[[dict[str, Any]], dict[str, Any]]:
    return choices(lambda _: [{"index": 0, "finish_reason": finish, "message": message}])


MALFORMED: dict[str, Callable[[dict[str, Any]], Any]] = {
    "no choices": choices(lambda _: []),
    "null choices": choices(lambda _: None),
    "choices missing": lambda _: {"error": {"message": KEY}},
    "choices of strings": choices(lambda _: [KEY]),
    "null content": said({"role": "assistant", "content": None}),
    "empty content": said({"role": "assistant", "content": ""}),
    "blank content": said({"role": "assistant", "content": " \n"}),
    "content missing": said({"role": "assistant"}),
    "content of parts": said({"role": "assistant", "content": [{"type": "text", "text": KEY}]}),
    "content a number": said({"role": "assistant", "content": 5}),
    "null message": said(None),
    "refusal": said({"role": "assistant", "content": None, "refusal": "I will not."}),
    "filtered": said({"role": "assistant", "content": "half a"}, "content_filter"),
    "a list": lambda _: [],
    "null": lambda _: None,
    "an empty object": lambda _: {},
    "a string": lambda _: KEY,
    "a web page": lambda _: b"<html>It works!</html>",
    "truncated JSON": lambda reply: json.dumps(reply).encode()[:60],
    "no Unicode": lambda _: b'{"choices": "\xff"}',
    "nested without end": lambda _: b"[" * 100_000,
    "nothing": lambda _: b"",
}


@pytest.mark.parametrize("content_type", ["application/json", "text/html"])
@pytest.mark.parametrize("spoil", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_reply_is_never_an_answer(
    server: ChatServer, spoil: Callable[[dict[str, Any]], Any], content_type: str
) -> None:
    server.spoil, server.content_type = spoil, content_type
    found = model(server)
    with pytest.raises(ModelUnavailableError, match="no usable reply") as caught:
        found.complete(asked("?"))
    assert caught.value.hint
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert (found.usage.requests, found.usage.failed) == (1, 1)


@pytest.mark.parametrize(
    ("content", "finish", "schema", "advice"),
    [
        ("", "length", None, "Raise max_tokens"),
        ('{"port": 54', "length", SCHEMA, "Raise max_tokens"),
        ("Port 5433.", "stop", SCHEMA, "keeps to schemas"),
        ("[" * 100_000, "stop", SCHEMA, "keeps to schemas"),
    ],
)
def test_what_is_wrong_with_a_message_is_said(
    server: ChatServer, content: str, finish: str, schema: dict[str, Any] | None, advice: str
) -> None:
    server.spoil = said({"role": "assistant", "content": content}, finish)
    with pytest.raises(ModelUnavailableError, match=advice):
        model(server).complete(asked("?"), schema=schema)


def test_an_answer_that_was_cut_off_says_so(server: ChatServer) -> None:
    server.spoil = said({"role": "assistant", "content": "Port 54"}, "length")
    reply = model(server).complete(asked("?"))
    assert (reply.text, reply.finish_reason) == ("Port 54", "length")


def test_an_answer_cut_within_a_character_is_kept(server: ChatServer) -> None:
    server.spoil = said({"role": "assistant", "content": "free \ud83d"}, "length")
    assert model(server).complete(asked("?")).text == "free \ud83d"


def test_a_body_that_breaks_off_is_an_error(server: ChatServer) -> None:
    server.cut = 20
    limits = ChatLimits(timeout_seconds=0.2, retries=0)
    with pytest.raises(ModelUnavailableError, match="gave no reply"):
        model(server, limits=limits).complete(asked("?"))


def test_a_silent_server_times_out(server: ChatServer) -> None:
    server.stall = True
    limits = ChatLimits(timeout_seconds=0.05, retries=0)
    with pytest.raises(ModelUnavailableError, match="APITimeoutError"):
        model(server, limits=limits).complete(asked("?"))


def test_a_slow_server_is_waited_for(server: ChatServer) -> None:
    server.delay = 0.1
    assert model(server).complete(asked("slowly")).text == "slowly"


def test_an_absent_server_says_what_to_check() -> None:
    absent = ChatModel("openai:toy@http://127.0.0.1:1/v1", limits=ChatLimits(retries=0))
    with pytest.raises(ModelUnavailableError, match="Check that the server runs"):
        absent.complete(asked("?"))


def test_usage_adds_up_and_costs(server: ChatServer) -> None:
    found = model(server, prices=Prices(prompt=2.0, completion=10.0))
    for _ in range(3):
        found.complete(asked("?"))
    server.statuses = [401]
    with pytest.raises(ModelUnavailableError):
        found.complete(asked("?"))
    used = found.usage
    assert (used.requests, used.failed, used.tokens) == (4, 1, 30)
    assert used.cost == pytest.approx(3 * (7 * 2 + 3 * 10) / 1_000_000)


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": -1, "completion_tokens": "3"}])
def test_tokens_the_endpoint_does_not_tell_are_counted(server: ChatServer, usage: Any) -> None:
    server.spoil = lambda reply: reply | {"usage": usage}
    found = model(server)
    reply = found.complete(asked("one two three"))
    assert reply.estimated
    assert (reply.prompt_tokens, reply.completion_tokens) == (3 + 8, 3)
    assert found.usage == Usage(requests=1, prompt_tokens=11, completion_tokens=3, estimated=1)


def test_the_cap_on_tokens_holds_before_anything_is_sent(server: ChatServer) -> None:
    found = model(server, limits=ChatLimits(most_tokens=60))
    found.complete(asked("one two three"), max_tokens=40)  # holds 51, uses 10
    found.complete(asked("one two three"), max_tokens=39)
    with pytest.raises(ModelUnavailableError, match=r"cap of 60 tokens.*20 are used"):
        found.complete(asked("one two three"), max_tokens=40)
    assert len(server.requests) == 2
    assert (found.usage.requests, found.usage.failed) == (2, 0)


def test_requests_keep_their_pace(server: ChatServer) -> None:
    times, waits = iter([0.0, 0.5, 9.0]), list[float]()
    pace = Pace(30, clock=lambda: next(times), wait=waits.append)
    found = model(server, pace=pace)
    for _ in range(3):
        found.complete(asked("?"))
    assert waits == [1.5]


def test_ids_hold_no_secrets_and_tell_settings_apart() -> None:
    spec = "openai:toy@https://me:sk-pass@host.example:8443/v1/?token=sk-query"
    found = ChatModel(spec, api_key=KEY)
    assert found.model_id == "openai:toy@host.example:8443/v1#temperature=0.0,seed=0"
    assert repr(found) == f"ChatModel({found.model_id!r})"
    warm = ChatModel(spec, api_key=KEY, sampling=Sampling(temperature=0.7))
    assert warm.model_id != found.model_id


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "toy",
        "openai:",
        "minilm:toy",
        "openai:toy@http://h:999999",
        "openai:toy@https://",
        "openai:toy@localhost:8080",
        "openai:toy@host/v1",
    ],
)
def test_a_spec_must_have_its_form(spec: str) -> None:
    with pytest.raises(InvalidInputError, match="openai:MODEL"):
        ChatModel(spec)


def test_a_model_may_have_signs_in_its_name() -> None:
    assert endpoint("openai:org/a:b@c") == ("org/a:b@c", "https://api.openai.com/v1")
    assert endpoint("openai:a@b@http://h/v1") == ("a@b", "http://h/v1")
