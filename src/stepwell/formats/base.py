"""What a reader is: it takes a decoded source, and gives trajectories and notices."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from stepwell.trajectory.model import Blob, Notice, Trajectory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Bundle", "Notes", "Reader", "Record", "Source"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One JSON value of a source: a line of JSONL, or a whole document.

    Attributes:
        value: The decoded value; strings hold no lone surrogates, numbers no NaN or infinity.
        line: Line on which it starts, from 1.
        byte_offset: Byte at which it starts.
        raw: Its bytes, untouched.
    """

    value: Any
    line: int
    byte_offset: int
    raw: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A decoded file.

    Attributes:
        uri: The path or stream name.
        records: Its JSON values in file order; broken ones are left out and noted.
        is_lines: Whether it is JSONL; otherwise one document, or several one after the other.
        sidecar: The decoded `<name>.meta.json` beside the file, when there is one.
    """

    uri: str
    records: tuple[Record, ...]
    is_lines: bool
    sidecar: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """A trajectory with the media bytes it refers to."""

    trajectory: Trajectory
    blobs: tuple[Blob, ...] = ()


@dataclass(slots=True)
class Notes:
    """Collects what a reader skips, repairs and wonders at; the only mutable value of an import."""

    uri: str
    notices: list[Notice] = field(default_factory=list[Notice])
    redact: Callable[[str], tuple[str, int]] | None = None

    def add(
        self,
        where: str | int,
        code: str,
        message: str,
        *,
        effect: Literal["skipped", "repaired", "warning"] = "warning",
    ) -> None:
        """Note something at a line number or a JSON pointer."""
        position = f"{self.uri}:{where}" if isinstance(where, int) else f"{self.uri}#{where}"
        if self.redact is not None:  # a reader may quote what it wonders at
            position, message = self.redact(position)[0], self.redact(message)[0]
        self.notices.append(Notice(position=position, code=code, message=message, effect=effect))


@runtime_checkable
class Reader(Protocol):
    """Reads one log format; found by content, never by file name."""

    @property
    def name(self) -> str:
        """Name of the format, kept as `Trajectory.source_format`."""
        ...

    def sniff(self, source: Source) -> float:
        """Return how surely the source is in this format, from 0 (no) to 1 (certain)."""
        ...

    def read(self, source: Source, notes: Notes) -> Iterator[Bundle]:
        """Yield the trajectories of a source; a bad record is noted and the rest still read."""
        ...
