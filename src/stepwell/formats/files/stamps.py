"""What tells that a file is as it was read before, without parsing it."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING

from stepwell.formats.files.packed import unpacked_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Stamp", "stamp_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """A state of a file and of what lies beside it.

    Attributes:
        text: Sizes and times.
        changed_at: When any of it was last written, in seconds since 1970.
        sha256: Hex digest of its bytes and of `beside`; empty until they are read.
        beside: Sizes and times of what lies beside it.
    """

    text: str
    changed_at: float
    sha256: str = ""
    beside: str = ""

    def of_bytes(self, data: bytes) -> Stamp:
        """Return the stamp with the digest of the file's bytes."""
        digest = sha256(self.beside.encode())
        digest.update(data)
        return replace(self, sha256=digest.hexdigest())


def stamp_of(file: Path) -> Stamp:
    """Return the stamp of a log, of its sidecar, and of all files in the folder of its name.

    Raises:
        OSError: The file cannot be read.
    """
    own = file.stat()
    others = [(name, each) for name, each in _beside(file)]
    beside = "\n".join(f"{name} {each.st_size} {each.st_mtime_ns}" for name, each in others)
    return Stamp(
        text=f"{own.st_size} {own.st_mtime_ns} {sha256(beside.encode()).hexdigest()}",
        changed_at=max(each.st_mtime for each in (own, *(each for _, each in others))),
        beside=beside,
    )


def _beside(file: Path) -> Iterator[tuple[str, os.stat_result]]:
    file = unpacked_name(file)
    folder = file.with_suffix("")
    found = [file.with_name(f"{file.stem}.meta.json")]
    if folder != file and folder.is_dir():
        found += sorted(folder.rglob("*"))
    for each in found:
        if each.is_file():
            yield os.fsencode(each.relative_to(file.parent)).hex(), each.stat()
