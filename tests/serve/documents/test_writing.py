"""What changed in a memory, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.memory.adding import Ingested
from stepwell.memory.memory import Memory
from stepwell.serve.documents.writing import (
    encoded_document,
    folder_document,
    forgotten_document,
    ingested_document,
    reencoded_document,
)
from support.documents import documented, undocumented, unwritten

if TYPE_CHECKING:
    from pathlib import Path

LOG = b'{"role": "user", "content": "hi"}\nnot json\n{"role": "assistant", "content": "yes"}\n'


def ingested(tmp_path: Path) -> Ingested:
    (tmp_path / "a.jsonl").write_bytes(LOG)
    return Memory(None, encoder=None).ingest(tmp_path / "a.jsonl")


def test_an_ingest_is_told_in_sum_and_file_by_file(tmp_path: Path) -> None:
    document = ingested_document(ingested(tmp_path), n_missing=2)
    assert list(document) == [
        "trajectories",
        "added",
        "extended",
        "changed",
        "unchanged",
        "steps",
        "skipped",
        "repaired",
        "warnings",
        "redacted",
        "forgotten",
        "files",
        "missing",
    ]
    assert (document["added"], document["steps"], document["skipped"]) == (1, 2, 1)
    assert document["missing"] == 2
    (file,) = document["files"]
    assert file["uri"].endswith("a.jsonl")
    assert [notice["effect"] for notice in file["notices"]] == ["skipped"]
    assert undocumented(document, "add") == unwritten(document, "add") == set()


def test_what_is_missing_is_told_only_where_it_was_asked(tmp_path: Path) -> None:
    report = ingested(tmp_path)
    assert "missing" not in ingested_document(report)
    assert ingested_document(report, n_missing=0)["missing"] == 0


def test_nothing_read_is_all_zeros() -> None:
    document = ingested_document(Ingested())
    assert not document.pop("files")
    assert set(document.values()) == {0}


def test_indexes_say_what_was_encoded_missing_and_dropped() -> None:
    assert encoded_document(3, 4) == {"encoded": 3, "missing": 4}
    assert documented("index") == {"encoded", "missing"}
    document = reencoded_document("minilm", 3, 4)
    assert document == {"encoder": "minilm", "encoded": 3, "dropped": 4}
    assert documented("reindex") == set(document)


def test_what_was_forgotten_is_named() -> None:
    memory = Memory(None, encoder=None)
    memory.add("x", trajectory="b")
    memory.add("y", trajectory="a")
    document = forgotten_document(memory.doomed(everything=True))
    assert document == {"forgotten": ["b", "a"], "steps": []}
    steps = forgotten_document(memory.doomed(steps="a/s0"))
    assert steps == {"forgotten": [], "steps": ["a/s0"]}
    assert undocumented(document, "forget") == unwritten(document, "forget") == set()


def test_a_folder_is_a_string(tmp_path: Path) -> None:
    assert folder_document(tmp_path) == {"folder": str(tmp_path)}
    assert documented("demo --save") == {"folder"}
