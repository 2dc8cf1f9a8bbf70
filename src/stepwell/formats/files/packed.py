"""Files packed with gzip or zstd: unpacked as they are read, and known by their first bytes."""

from __future__ import annotations

import zlib
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from stepwell.errors import UnknownFormatError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from stepwell.formats.base import Notes

__all__ = ["unpacked", "unpacked_name"]

_SUFFIXES = frozenset({".gz", ".zst"})
_GZIP, _ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
_GZIP_WINDOW = 31  # the largest window, with the header and trailer of gzip
_MAX_BYTES = 2_000_000_000
"""Bytes at which unpacking stops: a file of a few kilobytes can hold terabytes of zeros."""


def unpacked_name(file: Path) -> Path:
    """Return the path that a file has when it is not packed."""
    return file.with_suffix("") if file.suffix.lower() in _SUFFIXES else file


def unpacked(data: bytes, notes: Notes) -> bytes:
    """Return what a file holds, unpacked if it is packed; one that is cut off as far as it goes.

    Raises:
        UnknownFormatError: It is damaged, holds too much, or needs a library that is not here.
    """
    if data.startswith(_GZIP):
        return _joined(data, partial(zlib.decompressobj, _GZIP_WINDOW), notes)
    if data.startswith(_ZSTD):
        return _joined(data, _zstd(notes).ZstdDecompressor, notes)
    return data


def _joined(data: bytes, unpacker_of: Callable[[], Any], notes: Notes) -> bytes:
    """Return the parts of a packed file one after the other: packed files may be concatenated."""
    pieces: list[bytes] = []
    n_left = _MAX_BYTES
    while data.strip(b"\0"):
        unpacker = unpacker_of()
        try:
            pieces.append(unpacker.decompress(data, n_left))
        except Exception as error:  # each library has errors of its own
            raise UnknownFormatError(
                f"{notes.uri} is damaged, and cannot be unpacked: {error}.", hint="Pack it again."
            ) from error
        n_left -= len(pieces[-1])
        if n_left <= 0:
            raise UnknownFormatError(
                f"{notes.uri} holds more than {_MAX_BYTES:,} bytes.", hint="Split it."
            )
        if not unpacker.eof:
            message = "The packed file is cut off; it was read as far as it goes."
            notes.add(1, "torn-file", message, effect="repaired")
            break
        data = unpacker.unused_data
    return b"".join(pieces)


def _zstd(notes: Notes) -> Any:
    """Return Python's own zstd, or its backport for versions before 3.14."""
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return import_module(name)
        except ImportError:
            continue
    raise UnknownFormatError(
        f"{notes.uri} is packed with zstd, which this Python cannot unpack.",
        hint="Install what can: pip install 'stepwell[zstd]'",
    )
