"""The log files under a folder, and what lies beside each of them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from stepwell.formats.files.mend import decode_value
from stepwell.formats.files.packed import unpacked_name
from stepwell.trajectory.fields import is_object, str_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["is_output", "log_files", "sidecar_of"]

_SUFFIXES = frozenset({".json", ".jsonl", ".ndjson", ".traj"})
_SIDECAR = ".meta.json"
_OUTPUTS = "tool-results"
"""Folder in which Claude Code keeps outputs that are too large for a session's log."""

_PASSED_BY = frozenset({"node_modules", "__pycache__", _OUTPUTS})
_MAX_OUTPUT = 256_000_000
"""Bytes above which such an output is left aside."""
_PEEK = 512
"""Bytes read of a file whose name says nothing, to see whether JSON starts there."""

_MAX_NAMELESS = 16_000_000
"""Bytes above which a file whose name says nothing is not taken for a log."""


def log_files(folder: Path) -> Iterator[Path]:
    """Yield the files under a folder that may be logs, packed or not, in the order of their paths.

    Hidden folders, links to folders and sidecars are passed by, and so are the outputs that a
    session keeps beside its log: they belong to its calls. A folder that cannot be looked into is
    yielded itself.
    """
    waiting = [folder]
    while waiting:
        entry = waiting.pop()
        if entry.is_dir():
            try:
                inner = sorted(entry.iterdir(), reverse=True)
            except OSError:
                yield entry
            else:
                waiting += (each for each in inner if not _is_passed_by(each))
        elif entry.is_file() and not entry.name.endswith(_SIDECAR) and _may_be_log(entry):
            yield entry


def _is_passed_by(entry: Path) -> bool:
    is_odd = entry.name.startswith(".") or entry.name in _PASSED_BY
    return entry.is_dir() and (is_odd or entry.is_symlink())


def _may_be_log(file: Path) -> bool:
    if unpacked_name(file).suffix.lower() in _SUFFIXES:
        return True
    try:
        if file.stat().st_size > _MAX_NAMELESS:
            return False
        with file.open("rb") as stream:
            head = stream.read(_PEEK)
    except OSError:
        return False
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")


def is_output(file: Path) -> bool:
    """Return whether a file is an output that a session keeps beside its log."""
    session = file.resolve().parent.parent
    return file.resolve().parent.name == _OUTPUTS and any(
        session.parent.glob(f"{session.name}.jsonl*")
    )


def sidecar_of(file: Path) -> dict[str, Any] | None:
    """Return what stands beside a file: its `.meta.json`, its agent, its subagents and outputs.

    A subagent's file `agent-<id>.jsonl` gets its `agentId`, should its records lack it; a session's
    file gets `subagents`, which maps the call that started each to its id. Both get `outputs`, the
    texts that were too large for the log, by the name of their file.
    """
    file = unpacked_name(file)
    sidecar = _decoded(file.with_name(file.stem + _SIDECAR))
    if file.stem.startswith("agent-"):
        sidecar["agentId"] = _text(file.stem.removeprefix("agent-"))
    folder = file.with_suffix("") / "subagents"
    if folder.is_dir() and file.suffix:
        started = {
            call: _text(meta.name.removesuffix(_SIDECAR).removeprefix("agent-"))
            for meta in sorted(folder.glob(f"agent-*{_SIDECAR}"))
            if (call := str_of(_decoded(meta).get("toolUseId")))
        }
        if started:
            sidecar["subagents"] = started
    session = file.parent.parent if file.parent.name == folder.name else file.with_suffix("")
    if file.suffix and (outputs := _outputs(session / _OUTPUTS)):
        sidecar["outputs"] = outputs
    return sidecar or None


def _outputs(folder: Path) -> dict[str, str]:
    if not folder.is_dir():
        return {}
    return {
        _text(file.name): file.read_bytes().decode("utf-8", "replace")
        for file in sorted(folder.iterdir())
        if file.is_file() and not file.is_symlink() and file.stat().st_size <= _MAX_OUTPUT
    }


def _text(name: str) -> str:
    """Return a file's name as text that can be stored."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _decoded(file: Path) -> dict[str, Any]:
    try:
        value = decode_value(file.read_bytes())[0]
    except (OSError, ValueError):
        return {}
    return value if is_object(value) else {}
