"""Which files of a folder are logs, and what lies beside them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from stepwell.formats.files.folders import is_output, log_files, sidecar_of

if TYPE_CHECKING:
    from pathlib import Path


def put(folder: Path, name: str, text: str = "{}") -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def found(folder: Path) -> list[str]:
    return [file.relative_to(folder).as_posix() for file in log_files(folder)]


@pytest.mark.parametrize(
    "suffix", ["json", "jsonl", "ndjson", "traj", "JSON", "json.gz", "jsonl.zst", "JSONL.GZ"]
)
def test_a_name_can_say_that_a_file_is_a_log(tmp_path: Path, suffix: str) -> None:
    put(tmp_path, f"a.{suffix}", "not json")
    assert found(tmp_path) == [f"a.{suffix}"]


@pytest.mark.parametrize(
    ("text", "is_log"),
    [("{}", True), ("[1]", True), ("\n  [1]", True), ("\ufeff{}", True), ("a {", False),
     ("", False), (" " * 600 + "{}", False), (" " * 511 + "{}", True), (" " * 512 + "{}", False)],
)  # fmt: skip
def test_a_file_whose_name_says_nothing_is_a_log_if_json_starts_in_it(
    tmp_path: Path, text: str, *, is_log: bool
) -> None:
    put(tmp_path, "trace", text)
    assert found(tmp_path) == (["trace"] if is_log else [])


@pytest.mark.parametrize(("n_bytes", "is_log"), [(16_000_000, True), (16_000_001, False)])
def test_a_huge_file_whose_name_says_nothing_is_no_log(
    tmp_path: Path, n_bytes: int, *, is_log: bool
) -> None:
    for name in ("trace", "trace.json"):
        with put(tmp_path, name).open("r+b") as stream:
            stream.truncate(n_bytes)
    assert found(tmp_path) == (["trace", "trace.json"] if is_log else ["trace.json"])


def test_folders_are_gone_through_in_the_order_of_their_paths(tmp_path: Path) -> None:
    for name in ("b.json", "a/z.json", "a/b/c.json", "c/a.json"):
        put(tmp_path, name)
    assert found(tmp_path) == ["a/b/c.json", "a/z.json", "b.json", "c/a.json"]


@pytest.mark.parametrize("folder", [".git", ".cache/x", "node_modules", "a/__pycache__"])
def test_folders_of_no_interest_are_passed_by(tmp_path: Path, folder: str) -> None:
    put(tmp_path, f"{folder}/log.json")
    put(tmp_path, "log.json")
    assert found(tmp_path) == ["log.json"]


def test_links_to_folders_and_sidecars_are_passed_by(tmp_path: Path) -> None:
    put(tmp_path, "real/log.json")
    put(tmp_path, "real/log.meta.json")
    (tmp_path / "again").symlink_to(tmp_path / "real", target_is_directory=True)
    assert found(tmp_path) == ["real/log.json"]


def test_a_file_alone_has_nothing_beside_it(tmp_path: Path) -> None:
    assert sidecar_of(put(tmp_path, "log.jsonl")) is None


def test_the_meta_file_beside_a_log_is_read(tmp_path: Path) -> None:
    file = put(tmp_path, "log.jsonl")
    put(tmp_path, "log.meta.json", '{"agentType": "Explore"}')
    assert sidecar_of(file) == {"agentType": "Explore"}


@pytest.mark.parametrize("text", ["[1]", "{torn", ""])
def test_a_meta_file_that_holds_no_object_says_nothing(tmp_path: Path, text: str) -> None:
    file = put(tmp_path, "log.jsonl")
    put(tmp_path, "log.meta.json", text)
    assert sidecar_of(file) is None


def test_the_name_of_a_subagents_file_says_which_it_is(tmp_path: Path) -> None:
    file = put(tmp_path, "agent-a1.jsonl")
    put(tmp_path, "agent-a1.meta.json", '{"toolUseId": "t1", "agentId": "other"}')
    assert sidecar_of(file) == {"toolUseId": "t1", "agentId": "a1"}
    assert sidecar_of(put(tmp_path, "agents.jsonl")) is None


def test_a_session_knows_which_calls_started_its_subagents(tmp_path: Path) -> None:
    file = put(tmp_path, "s.jsonl")
    for agent, meta in (("a1", {"toolUseId": "t1"}), ("a2", {"toolUseId": "t2"}), ("a3", {})):
        put(tmp_path, f"s/subagents/agent-{agent}.meta.json", json.dumps(meta))
    put(tmp_path, "s/subagents/other.meta.json", '{"toolUseId": "t4"}')
    assert sidecar_of(file) == {"subagents": {"t1": "a1", "t2": "a2"}}
    put(tmp_path, "empty.jsonl")
    (tmp_path / "empty" / "subagents").mkdir(parents=True)
    assert sidecar_of(tmp_path / "empty.jsonl") is None


def test_outputs_beside_a_session_go_with_it_and_its_subagents_and_are_no_logs(
    tmp_path: Path,
) -> None:
    session = put(tmp_path, "s1.jsonl")
    agent = put(tmp_path, "s1/subagents/agent-a1.jsonl")
    put(tmp_path, "s1/tool-results/t1.json", '{"messages": []}')
    (tmp_path / "s1/tool-results/t2.txt").write_bytes(b"caf\xe9")
    outputs = {"t1.json": '{"messages": []}', "t2.txt": "caf\ufffd"}
    assert sidecar_of(session) == {"outputs": outputs}
    assert sidecar_of(agent) == {"agentId": "a1", "outputs": outputs}
    assert found(tmp_path) == ["s1/subagents/agent-a1.jsonl", "s1.jsonl"]


def test_an_output_that_is_a_link_is_left_aside(tmp_path: Path) -> None:
    session = put(tmp_path, "s1.jsonl")
    put(tmp_path, "s1/tool-results/t1.txt", "x")
    (tmp_path / "s1/tool-results/t2.txt").symlink_to(put(tmp_path, "secret", "y"))
    assert sidecar_of(session) == {"outputs": {"t1.txt": "x"}}


def test_what_lies_beside_a_packed_log_is_found_by_the_name_of_the_log(tmp_path: Path) -> None:
    put(tmp_path, "s1/tool-results/t1.txt", "x")
    put(tmp_path, "s1.tar.gz", "x")
    assert sidecar_of(put(tmp_path, "s1.jsonl.gz")) == {"outputs": {"t1.txt": "x"}}
    assert found(tmp_path) == ["s1.jsonl.gz"]


def test_a_file_is_an_output_if_a_session_stands_above_its_folder(tmp_path: Path) -> None:
    output = put(tmp_path, "s1/tool-results/t1.json")
    assert not is_output(output)
    log = put(tmp_path, "s1.jsonl.gz")
    assert is_output(output)
    assert not is_output(log)
    assert not is_output(put(tmp_path, "s1/subagents/t1.json"))
