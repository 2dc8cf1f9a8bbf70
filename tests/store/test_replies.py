from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import apsw
import pytest

from stepwell.chat.base import asked
from stepwell.chat.client import ChatLimits, ChatModel
from stepwell.errors import ModelUnavailableError, StoreError
from stepwell.store.replies import CachedChat
from support.chat_server import ChatServer, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytest.importorskip("openai", reason="openai is not installed")


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with serving() as found:
        yield found


@pytest.fixture
def model(server: ChatServer) -> ChatModel:
    return ChatModel(f"openai:toy@{server.url}", limits=ChatLimits(retries=0))


def test_a_request_is_answered_once_over_all_runs(model: ChatModel, tmp_path: Path) -> None:
    path = tmp_path / "deep" / "replies.sqlite"
    first = CachedChat(model, path)
    reply = first.complete(asked("端口 \ud800?"))
    first.close()
    second = CachedChat(model, path)
    assert second.complete(asked("端口 \ud800?")) == reply
    assert (first.n_asked, second.n_asked, model.usage.requests) == (1, 0, 1)
    second.close()


def test_other_requests_are_other_replies(
    model: ChatModel, server: ChatServer, tmp_path: Path
) -> None:
    cache = CachedChat(model, tmp_path / "replies.sqlite")
    server.answer = lambda body: f'{{"n": {len(server.requests)}, "m": {len(body["messages"])}}}'
    replies = [
        cache.complete(asked("?")),
        cache.complete(asked("?", system="Be brief.")),
        cache.complete(asked("?"), max_tokens=5),
        cache.complete(asked("?"), schema={"type": "object"}),
        CachedChat(model, cache.path, known_as="another").complete(asked("?")),
    ]
    assert len({reply.text for reply in replies}) == cache.n_asked + 1 == 5
    cache.close()


def test_a_name_of_its_own_outlives_the_port(server: ChatServer, tmp_path: Path) -> None:
    path = tmp_path / "replies.sqlite"
    here = CachedChat(ChatModel(f"openai:toy@{server.url}"), path, known_as="toy-q4")
    kept = here.complete(asked("?"))
    elsewhere = CachedChat(ChatModel("openai:toy@http://127.0.0.1:1/v1"), path, known_as="toy-q4")
    assert elsewhere.complete(asked("?")) == kept
    assert elsewhere.model_id == "toy-q4"


def test_a_failure_is_asked_again(model: ChatModel, server: ChatServer, tmp_path: Path) -> None:
    cache = CachedChat(model, tmp_path / "replies.sqlite")
    server.statuses = [500]
    with pytest.raises(ModelUnavailableError):
        cache.complete(asked("?"))
    assert cache.complete(asked("?")).text == "?"
    assert cache.n_asked == 1


def test_threads_share_a_cache(model: ChatModel, server: ChatServer, tmp_path: Path) -> None:
    server.answer = lambda _: f"reply {len(server.requests)}"
    cache = CachedChat(model, tmp_path / "replies.sqlite")
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda n: cache.complete(asked(str(n % 3))), range(24)))
    for n in range(3):
        assert len({reply.text for reply in replies[n::3]}) == 1


def test_requests_and_replies_can_be_read_with_other_tools(
    model: ChatModel, tmp_path: Path
) -> None:
    cache = CachedChat(model, tmp_path / "replies.sqlite")
    cache.complete(asked("which port?"))
    cache.close()
    db = apsw.Connection(str(cache.path))
    [(request, reply)] = db.execute("SELECT request, reply FROM replies").fetchall()
    assert "which port?" in str(request)
    assert "which port?" in str(reply)


@pytest.mark.parametrize("reply", ["no JSON", "{}", '{"text": 5}'])
def test_a_spoilt_row_is_an_error(model: ChatModel, tmp_path: Path, reply: str) -> None:
    cache = CachedChat(model, tmp_path / "replies.sqlite")
    cache.complete(asked("?"))
    apsw.Connection(str(cache.path)).execute("UPDATE replies SET reply = ?", (reply,))
    with pytest.raises(StoreError, match="another file"):
        cache.complete(asked("?"))


def test_a_file_that_is_no_cache_is_an_error(model: ChatModel, tmp_path: Path) -> None:
    (tmp_path / "replies.sqlite").write_text("no database at all " * 100)
    with pytest.raises(StoreError, match="another file"):
        CachedChat(model, tmp_path / "replies.sqlite").complete(asked("?"))
