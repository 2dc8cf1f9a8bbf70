"""Damage of a database file, as disks, copies and half-written pages make it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

PAGE = 4096
KINDS = ("flip", "zero", "noise", "truncate", "twice", "page")


def damaged(data: bytes, rng: np.random.Generator) -> bytes:
    """Return a file's bytes with a few bits, a piece, a page or its end spoilt."""
    spoilt = bytearray(data)
    size, kind = len(spoilt), KINDS[int(rng.integers(len(KINDS)))]
    at = int(rng.integers(size))
    page, other = (int(rng.integers(size // PAGE)) * PAGE for _ in range(2))
    if kind == "flip":
        for place in rng.integers(size, size=int(rng.integers(1, 20))):
            spoilt[place] ^= 1 << int(rng.integers(8))
    elif kind == "zero":
        piece = min(int(rng.integers(1, PAGE)), size - at)
        spoilt[at : at + piece] = bytes(piece)
    elif kind == "noise":
        piece = min(int(rng.integers(1, 1024)), size - at)
        spoilt[at : at + piece] = rng.bytes(piece)
    elif kind == "truncate":
        del spoilt[at:]
    elif kind == "twice":
        spoilt[page : page + PAGE] = spoilt[other : other + PAGE]
    else:
        spoilt[page : page + PAGE] = rng.bytes(PAGE)
    return bytes(spoilt)
