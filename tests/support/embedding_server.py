"""A real HTTP server that speaks OpenAI's embeddings protocol."""

from __future__ import annotations

import hashlib
import json
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DIMENSION = 16


@dataclass
class EmbeddingServer:
    """What the server does next, and what it was asked.

    Attributes:
        statuses: Answered in turn, one per request, before it answers properly.
        spoil: Turns a proper reply into the one to send; bytes are sent as they are.
        stall: Never answer.
        requests: Bodies, in order of arrival.
        keys: Authorization headers, in order of arrival.
    """

    url: str = ""
    statuses: list[int] = field(default_factory=list)
    spoil: Callable[[dict[str, Any]], Any] = dict
    stall: bool = False
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    closing: Event = field(default_factory=Event)

    def reply(self, body: dict[str, Any]) -> Any:
        dimension = body.get("dimensions", DIMENSION)
        data = [
            {"object": "embedding", "index": index, "embedding": embedding(text, dimension)}
            for index, text in enumerate(body["input"])
        ]
        return self.spoil({"object": "list", "model": body["model"], "data": data})


def embedding(text: str, dimension: int) -> list[float]:
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
    vector: list[float] = (np.random.default_rng(seed).normal(size=dimension) * 3).tolist()
    return vector


def handler(server: EmbeddingServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.requests.append(body)
            server.keys.append(self.headers["Authorization"])
            if server.stall:
                server.closing.wait()
                return
            if self.path != "/v1/embeddings":
                self.answer(404, b"{}")
            elif server.statuses:
                # As real services do on a bad key, repeat what was sent.
                message = {"error": {"message": f"refused {self.headers['Authorization']}"}}
                self.answer(server.statuses.pop(0), json.dumps(message).encode())
            else:
                reply = server.reply(body)
                self.answer(200, reply if isinstance(reply, bytes) else json.dumps(reply).encode())

        def answer(self, status: int, content: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.send_header("retry-after-ms", "1")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the base's name
            pass

    return Handler


@contextmanager
def serving() -> Iterator[EmbeddingServer]:
    """Serve on a free port of this machine until the block ends."""
    server = EmbeddingServer()
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
