"""A real HTTP server that speaks OpenAI's chat protocol, and what else servers say."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def last_said(body: dict[str, Any]) -> str:
    said: str = body["messages"][-1]["content"]
    return said


@dataclass
class ChatServer:
    """What the server does next, and what it was asked.

    Attributes:
        answer: From a request to the content of the reply.
        statuses: Answered in turn, one per request, before it answers properly.
        headers: Sent with each of these.
        spoil: Turns a proper reply into the one to send; bytes are sent as they are.
        content_type: Of a proper reply.
        cut: Bytes announced and never sent.
        stall: Never answer.
        delay: Seconds before a proper answer.
        requests: Bodies, in order of arrival.
        keys: Authorization headers, in order of arrival.
    """

    url: str = ""
    answer: Callable[[dict[str, Any]], str | None] = last_said
    statuses: list[int] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=lambda: {"retry-after-ms": "1"})
    spoil: Callable[[dict[str, Any]], Any] = dict
    content_type: str = "application/json"
    cut: int = 0
    stall: bool = False
    delay: float = 0.0
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    closing: Event = field(default_factory=Event)

    def reply(self, body: dict[str, Any]) -> bytes:
        choice = {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": self.answer(body)},
        }
        usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
        proper = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [choice],
            "usage": usage,
        }
        sent = self.spoil(proper)
        return sent if isinstance(sent, bytes) else json.dumps(sent).encode()


def handler(server: ChatServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.requests.append(body)
            server.keys.append(self.headers["Authorization"])
            if server.stall:
                server.closing.wait()
                return
            if self.path != "/v1/chat/completions":
                self.send(404, b"{}", {})
            elif server.statuses:
                # As real services do on a bad key, repeat what was sent.
                message = {"error": {"message": f"refused {self.headers['Authorization']}"}}
                self.send(server.statuses.pop(0), json.dumps(message).encode(), server.headers)
            else:
                server.closing.wait(server.delay)
                self.send(200, server.reply(body), {"Content-Type": server.content_type})

        def send(self, status: int, content: bytes, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in ({"Content-Type": "application/json"} | headers).items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content) + server.cut))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the base's name
            pass

    return Handler


@contextmanager
def serving() -> Iterator[ChatServer]:
    """Serve on a free port of this machine until the block ends."""
    server = ChatServer()
    with ThreadingHTTPServer(("127.0.0.1", 0), handler(server)) as http:
        server.url = f"http://127.0.0.1:{http.server_port}/v1"
        thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.closing.set()
            http.shutdown()
            thread.join()
