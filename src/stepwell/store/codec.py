"""Steps and trajectory heads as bytes: JSON, deflated when that pays."""

from __future__ import annotations

import zlib
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import msgspec

from stepwell.errors import StoreError
from stepwell.trajectory.model import Step, Trajectory

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["decode_head", "decode_step", "encode_head", "encode_step", "pack", "unpack"]

_DEFLATE_FROM = 2048
"""Bytes below which deflating costs more time than the space is worth."""

_CRC = 4
"""Bytes of a checksum."""

_T = TypeVar("_T")
_encoder = msgspec.json.Encoder()
_step_decoder = msgspec.json.Decoder(Step)
_head_decoder = msgspec.json.Decoder(Trajectory)


def pack(data: bytes) -> bytes:
    """Return the bytes behind a one-byte tag: `1` deflated, `2` as they are, behind their CRC-32.

    Both carry a checksum, SQLite's pages none. Older files hold bytes without one, behind `0`.

    >>> unpack(pack(b"abc"))
    b'abc'
    """
    if len(data) < _DEFLATE_FROM:
        return b"2" + zlib.crc32(data).to_bytes(_CRC) + data
    return b"1" + zlib.compress(data, level=1)


def unpack(stored: bytes) -> bytes:
    """Return what `pack` was given.

    Raises:
        zlib.error: The bytes are not what was stored.
    """
    match stored[:1]:
        case b"0":
            return stored[1:]
        case b"2":
            data = stored[1 + _CRC :]
            if zlib.crc32(data).to_bytes(_CRC) != stored[1 : 1 + _CRC]:
                raise zlib.error("the checksum does not match")
            return data
        case _:
            return zlib.decompress(stored[1:])


def encode_step(step: Step) -> bytes:
    """Return a step's bytes; equal steps give equal bytes."""
    return pack(_encoder.encode(step))


def decode_step(stored: bytes) -> Step:
    """Return the step behind its bytes.

    Raises:
        StoreError: They are damaged.
    """
    return _decoded(stored, _step_decoder.decode)


def encode_head(trajectory: Trajectory) -> bytes:
    """Return the bytes of a trajectory without its steps and raw records."""
    return pack(_encoder.encode(replace(trajectory, steps=(), raw_records=())))


def decode_head(stored: bytes) -> Trajectory:
    """Return a trajectory without its steps and raw records.

    Raises:
        StoreError: The bytes are damaged.
    """
    return _decoded(stored, _head_decoder.decode)


def _decoded(stored: bytes, decode: Callable[[bytes], _T]) -> _T:
    try:
        return decode(unpack(stored))
    except (zlib.error, msgspec.MsgspecError) as error:
        raise StoreError(
            f"What is stored of a trajectory is damaged ({error}).",
            hint="Run `stepwell doctor --repair`, or forget the trajectory and add its log again.",
            reason="damaged",
        ) from error
