"""The documents of a source: a file holds one, several in a list, or one a line."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

from stepwell.formats.files.members import elements
from stepwell.trajectory.fields import is_list, list_of
from stepwell.trajectory.model import RawRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.formats.base import Notes, Record, Source

__all__ = ["Document", "documents", "documents_of", "first_value", "source_id", "whole_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One value of a file, taken by itself.

    Attributes:
        value: The decoded value.
        raw: Its bytes; empty when they cannot be told from those of its neighbours.
        pointer: JSON pointer of the value within its record; empty for the whole record.
        record: The record that holds it.
        uri: The source that holds the record.
        is_line: Whether the record is a line of JSONL.
    """

    value: Any
    raw: bytes
    pointer: str
    record: Record
    uri: str
    is_line: bool

    def note(
        self,
        notes: Notes,
        pointer: str,
        code: str,
        message: str,
        *,
        effect: Literal["skipped", "repaired", "warning"] = "warning",
    ) -> None:
        """Note something at a JSON pointer within this document."""
        if self.is_line:
            place = f" ({pointer})" if pointer else ""
            notes.add(self.record.line, code, message + place, effect=effect)
        else:
            notes.add(self.pointer + pointer, code, message, effect=effect)

    def raw_record(self, pointer: str, raw: bytes) -> RawRecord:
        """Return the raw record of a value within this document, from its pointer and bytes."""
        place = self.pointer + pointer
        return RawRecord(
            source_uri=self.uri,
            position=f"line:{self.record.line}{place}" if self.is_line else place,
            byte_offset=self.record.byte_offset,
            sha256=sha256(raw).hexdigest(),
            raw=raw,
        )

    def raw_elements(self, pointer: str, raw: bytes, *, count: int) -> tuple[RawRecord, ...]:
        """Return one raw record per element of an array, or none when they are not `count`."""
        items = elements(raw)
        if len(items) != count:
            return ()
        return tuple(self.raw_record(f"{pointer}/{at}", item) for at, item in enumerate(items))


def documents(source: Source) -> Iterator[Document]:
    """Yield the values of a source, the elements of a record that is a list one by one."""
    for record in source.records:
        yield from documents_of(source, record)


def documents_of(source: Source, record: Record) -> list[Document]:
    """Return the values of a record: the elements of a list, or the record itself."""
    if not is_list(record.value):
        return [whole_of(source, record)]
    values = record.value
    raws = elements(record.raw)
    if len(raws) != len(values):
        raws = [b""] * len(values)
    whole = whole_of(source, record)
    return [
        replace(whole, value=value, raw=raw, pointer=f"/{number}")
        for number, (value, raw) in enumerate(zip(values, raws, strict=True))
    ]


def first_value(source: Source) -> Any:
    """Return the value of the first document, for `sniff` to look at; None without documents."""
    values = (list_of(record.value)[:1] or [record.value] for record in source.records)
    return next((value for first in values for value in first), None)


def whole_of(source: Source, record: Record) -> Document:
    """Return a record as one document, also when it is a list."""
    return Document(
        value=record.value,
        raw=record.raw,
        pointer="",
        record=record,
        uri=source.uri,
        is_line=source.is_lines,
    )


def source_id(uri: str) -> str:
    """Return a trajectory id for a source that names none: its file stem and 8 hex of its path.

    >>> source_id("logs/run.json")
    'run-05146e1e'
    """
    stem = re.split(r"[\\/]", uri)[-1].rsplit(".", 1)[0] or "run"
    return f"{stem}-{sha256(uri.encode(errors='replace')).hexdigest()[:8]}"
