"""What tells steps apart whatever file they are read from: hashes of what was said and done."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from stepwell.trajectory.model import Kind, RawRecord, Step

__all__ = ["SPOKEN", "Content", "chained", "content_of", "contents_of"]

SPOKEN = frozenset({"user", "agent", "tool_env"})
"""Kinds of steps that are the run itself; what the harness puts around them differs by file."""

_SIZE = 16
_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What identifies a step.

    Attributes:
        kind: Who speaks.
        said: Hash of what was said and done in it; its results may still come, and are left out.
        record: Hash of the first record it was read from; empty without any.
        prefix: Hash of all that user and agent said and did from the start of the run to its end:
            h(k) = H(h(k-1) ‖ said(k)), the h of the step before for what the harness put in.
    """

    kind: Kind
    said: bytes
    record: bytes
    prefix: bytes


def content_of(step: Step, *, record: str, before: bytes) -> Content:
    """Return what identifies a step.

    Args:
        step: The step.
        record: Hex digest of the first record it was read from; empty without any.
        before: The prefix of the step before; empty for the first.
    """
    speaker = "" if step.kind == "agent" else step.actor
    calls = [(call.name, call.args_raw or call.args, call.native_id) for call in step.calls]
    said = _digest(_encode((step.kind, speaker, step.message, step.thought, calls)))
    return Content(
        kind=step.kind,
        said=said,
        record=bytes.fromhex(record)[:_SIZE],
        prefix=_prefix(before, said, step.kind),
    )


def contents_of(steps: Sequence[Step], records: Sequence[RawRecord]) -> list[Content]:
    """Return what identifies each step of a run, from its first step on."""
    contents: list[Content] = []
    before = b""
    for step in steps:
        ref = step.raw_refs[0] if step.raw_refs else len(records)
        record = records[ref].sha256 if ref < len(records) else ""
        contents.append(content_of(step, record=record, before=before))
        before = contents[-1].prefix
    return contents


def chained(contents: Iterable[Content]) -> list[Content]:
    """Return contents with the prefixes that they have one after the other."""
    found: list[Content] = []
    before = b""
    for one in contents:
        before = _prefix(before, one.said, one.kind)
        found.append(one if one.prefix == before else replace(one, prefix=before))
    return found


def _prefix(before: bytes, said: bytes, kind: Kind) -> bytes:
    return _digest(before + said) if kind in SPOKEN else before


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=_SIZE).digest()
