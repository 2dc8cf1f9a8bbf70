"""Small Claude Code logs for tests."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from stepwell.formats.base import Notes
from stepwell.formats.claude_code.reader import ClaudeCode
from stepwell.formats.files.decode import decode
from stepwell.formats.unread import note_unread

if TYPE_CHECKING:
    from stepwell.trajectory.model import Notice, Trajectory

Json = dict[str, Any]


def record(number: int, parent: int | None, kind: str, message: Any, **fields: Any) -> Json:
    return {
        "type": kind,
        "uuid": f"u{number}",
        "parentUuid": None if parent is None else f"u{parent}",
        "sessionId": "sess",
        "version": "2.1.0",
        "timestamp": f"2026-03-01T09:{number // 60:02d}:{number % 60:02d}.000Z",
        "message": message,
    } | fields


def user(number: int, parent: int | None, content: Any, **fields: Any) -> Json:
    return record(number, parent, "user", {"role": "user", "content": content}, **fields)


def agent(number: int, parent: int | None, *blocks: Any, name: str = "", **fields: Any) -> Json:
    message = {
        "id": name or f"m{number}",
        "role": "assistant",
        "model": "model-y",
        "content": list(blocks),
        "usage": {"input_tokens": 90, "cache_read_input_tokens": 10, "output_tokens": 5},
    }
    return record(number, parent, "assistant", message, **fields)


def says(text: str) -> Json:
    return {"type": "text", "text": text}


def calls(call_id: str, name: str = "Bash", **args: Any) -> Json:
    return {"type": "tool_use", "id": call_id, "name": name, "input": args}


def gets(call_id: str, content: Any, **fields: Any) -> Json:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content} | fields


def lines(*records: Any) -> bytes:
    return b"".join(
        (entry if isinstance(entry, bytes) else json.dumps(entry).encode()) + b"\n"
        for entry in records
    )


def read_claude(
    data: bytes, *, uri: str = "log.jsonl", sidecar: Json | None = None
) -> tuple[list[Trajectory], list[Notice]]:
    notes = Notes(uri)
    source = decode(data, notes=notes, sidecar=sidecar)
    bundles = list(ClaudeCode().read(source, notes))
    for bundle in bundles:
        note_unread(bundle.trajectory, notes)
    return [bundle.trajectory for bundle in bundles], notes.notices
