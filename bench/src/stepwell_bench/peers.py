"""Other memories doing the same: the same texts, the same hash vectors, the same questions.

Each adapter is one small function that opens a peer and returns how to add and how to search. A
peer that is not installed, or that cannot run, is reported with the reason, never left out in
silence. They are imported here only when asked for, in a process of their own.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Any

from stepwell.errors import InvalidInputError
from stepwell_bench.datasets import step_text
from stepwell_bench.sheet import Sheet, SpeedRow
from stepwell_bench.synthetic import WARM, HashEncoder, n_runs, probes, runs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from stepwell.trajectory.model import Trajectory

__all__ = [
    "ADDED_ONE_BY_ONE",
    "ADDED_TOGETHER",
    "ASKED",
    "PEERS",
    "Peer",
    "chosen",
    "measure_peer",
]

ADDED_TOGETHER = "add, in bulk"
ADDED_ONE_BY_ONE = "add, one by one"
ASKED = "recall in all"
"""What is measured, by the names of the rows."""

_BULK = 100
_LIMIT = 10
_USER = "bench"
_MOST_SINGLE = 300
"""Texts added one by one, after the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """A peer, opened.

    Attributes:
        add: Stores texts under the names given.
        search: Returns the names of the best ten, if the peer keeps names.
        note: What a reader of its figures should know.
    """

    add: Callable[[Sequence[str], Sequence[str]], None]
    search: Callable[[str], list[str]]
    note: str = ""


def _langgraph(encoder: HashEncoder, folder: Path) -> Peer:
    del folder  # it keeps everything in memory

    def embed(texts: Sequence[str]) -> list[list[float]]:
        return encoder.encode(texts).tolist() if texts else []

    store_type = import_module("langgraph.store.memory").InMemoryStore
    store = store_type(index={"dims": encoder.dimension, "embed": embed, "fields": ["text"]})
    put = import_module("langgraph.store.base").PutOp

    def add(names: Sequence[str], texts: Sequence[str]) -> None:
        pairs = zip(names, texts, strict=True)
        store.batch([put((_USER,), name, {"text": text}) for name, text in pairs])

    def search(question: str) -> list[str]:
        return [found.key for found in store.search((_USER,), query=question, limit=_LIMIT)]

    return Peer(add=add, search=search, note="langgraph: InMemoryStore, in memory, not durable")


def _chromadb(encoder: HashEncoder, folder: Path) -> Peer:
    chromadb = import_module("chromadb")
    quiet = import_module("chromadb.config").Settings(anonymized_telemetry=False)
    client = chromadb.PersistentClient(path=str(folder / "chroma"), settings=quiet)
    collection = client.create_collection(
        "bench-steps", metadata={"hnsw:space": "cosine"}, embedding_function=None
    )

    def add(names: Sequence[str], texts: Sequence[str]) -> None:
        collection.add(ids=list(names), embeddings=encoder.encode(texts), documents=list(texts))

    def search(question: str) -> list[str]:
        vectors = encoder.encode([question])
        found: Any = collection.query(query_embeddings=vectors, n_results=_LIMIT)
        return list(found["ids"][0])

    return Peer(add=add, search=search, note="chromadb: embeddings given, persistent client")


def _mem0(encoder: HashEncoder, folder: Path) -> Peer:
    base: Any = import_module("mem0.embeddings.base").EmbeddingBase

    def embed(_self: object, text: str, _memory_action: str | None = None) -> list[float]:
        row: list[float] = encoder.encode([text])[0].tolist()
        return row

    hashing: Any = type("Hashing", (base,), {"embed": embed})
    store = {"path": str(folder / "qdrant"), "collection_name": "bench", "on_disk": True}
    memory: Any = import_module("mem0").Memory.from_config(
        {
            "vector_store": {
                "provider": "qdrant",
                "config": store | {"embedding_model_dims": encoder.dimension},
            },
            # Local servers that are named and never asked: it cannot be opened without them.
            "embedder": {"provider": "lmstudio", "config": {"embedding_dims": encoder.dimension}},
            "llm": {"provider": "lmstudio", "config": {}},
            "history_db_path": str(folder / "history.db"),
        }
    )
    memory.embedding_model = hashing()

    def add(names: Sequence[str], texts: Sequence[str]) -> None:
        del names  # it makes its own
        for text in texts:
            memory.add(text, user_id=_USER, infer=False)

    def search(question: str) -> list[str]:
        memory.search(question, filters={"user_id": _USER}, top_k=_LIMIT)
        return []

    note = "mem0: only what runs without a model key, raw adds (infer=False) into a local qdrant"
    return Peer(add=add, search=search, note=note)


PEERS: dict[str, tuple[str, Callable[[HashEncoder, Path], Peer]]] = {
    "chromadb": ("chromadb", _chromadb),
    "langgraph": ("langgraph", _langgraph),
    "mem0": ("mem0", _mem0),
}
"""Module to import and adapter, by name."""


def chosen(names: Sequence[str]) -> tuple[str, ...]:
    """Return the peers that names mean; `all` means every one.

    Raises:
        InvalidInputError: One of them is no peer.
    """
    unknown = sorted(set(names) - {*PEERS, "all"})
    if unknown:
        raise InvalidInputError(
            f"There is no peer {unknown[0]!r}.", hint=f"Use {', '.join(PEERS)} or all."
        )
    return tuple(name for name in PEERS if name in names or "all" in names)


def measure_peer(name: str, size: int, *, questions: int, seed: int) -> tuple[list[SpeedRow], str]:
    """Measure adding and searching; in a process of its own.

    Args:
        name: One of `PEERS`.
        size: Steps to store.
        questions: Questions to time.
        seed: Of texts and questions, which are those Stepwell gets.

    Returns:
        Its rows, and a note: what limits them, or why there are none.
    """
    module, opened = PEERS[name]
    if find_spec(module) is None:
        return [], f"{name} was not measured: it is not installed (pip install 'stepwell[bench]')"
    with TemporaryDirectory(prefix="stepwell-peer-", ignore_cleanup_errors=True) as folder:
        # Set for the peer, in this process of its own: no telemetry, nothing in the user's home.
        os.environ.update(  # noqa: TID251
            MEM0_TELEMETRY="False", MEM0_DIR=folder, ANONYMIZED_TELEMETRY="False"
        )
        encoder = HashEncoder()
        try:
            peer = opened(encoder, Path(folder))
        except (ImportError, OSError, RuntimeError, ValueError) as error:
            return [], f"{name} was not measured: {type(error).__name__}: {error}"
        made = list(runs(size, n_runs=n_runs(size), seed=seed))
        asked = [probe.text for probe in probes(made, n=questions, seed=seed)]
        for question in asked:  # the cost of encoding a question is measured apart
            encoder.encode([question])
        return _measured(name, peer, made, asked), peer.note


def _measured(
    name: str, peer: Peer, made: Sequence[Trajectory], asked: Sequence[str]
) -> list[SpeedRow]:
    texts = [step_text(step) for one in made for step in one.steps]
    names = [str(number) for number in range(len(texts))]
    n_bulk = len(texts) - min(_MOST_SINGLE, len(texts) // 4)
    sheet = Sheet(size=len(texts), by=name)
    started = perf_counter()
    for at in range(0, n_bulk, _BULK):
        stop = min(n_bulk, at + _BULK)
        peer.add(names[at:stop], texts[at:stop])
    sheet.rate(ADDED_TOGETHER, "steps/s", n=n_bulk, seconds=perf_counter() - started)
    sheet.times(ADDED_ONE_BY_ONE, _timed_adds(peer, names[n_bulk:], texts[n_bulk:]), floors={})
    seconds: list[float] = []
    for question in [*asked[:WARM], *asked]:
        started = perf_counter()
        peer.search(question)
        seconds.append(perf_counter() - started)
    sheet.times(ASKED, seconds[-len(asked) :], floors={})
    return sheet.rows


def _timed_adds(peer: Peer, names: Sequence[str], texts: Sequence[str]) -> list[float]:
    seconds: list[float] = []
    for name, text in zip(names, texts, strict=True):
        started = perf_counter()
        peer.add([name], [text])
        seconds.append(perf_counter() - started)
    return seconds
