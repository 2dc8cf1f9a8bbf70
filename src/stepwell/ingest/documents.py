"""The documents of a source: a file holds one, several in a list, or one a line."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from stepwell.ingest.fields import list_of
from stepwell.ingest.members import elements
from stepwell.trajectory.model import RawRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.ingest.base import Record, Source

__all__ = ["Document", "documents"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One value that a reader turns into one trajectory.

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

    def where(self, pointer: str = "") -> int | str:
        """Return the place of a value within this document, for `Notes.add`."""
        return self.record.line if self.is_line else self.pointer + pointer

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
        is_list = isinstance(record.value, list)
        values = list_of(record.value) if is_list else [record.value]
        raws = elements(record.raw) if is_list else [record.raw]
        if len(raws) != len(values):
            raws = [b""] * len(values)
        for number, (value, raw) in enumerate(zip(values, raws, strict=True)):
            yield Document(
                value=value,
                raw=raw,
                pointer=f"/{number}" if is_list else "",
                record=record,
                uri=source.uri,
                is_line=source.is_lines,
            )
