"""Detectors of a user's own, from a TOML file: each is tried on its samples before it is used."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import msgspec

from stepwell.errors import InvalidInputError
from stepwell.text.credentials.base import Detector

__all__ = ["read_detectors"]


class _Row(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One `[[detector]]` as the file has it."""

    name: str
    pattern: str
    near: str
    hit: str
    miss: str
    kind: str = "secret"


def read_detectors(data: bytes, *, where: str) -> tuple[Detector, ...]:
    """Return the detectors of a file.

    Args:
        data: TOML, a list of tables `[[detector]]` with `name`, `pattern` (a regular expression;
            its last group is replaced, or all of it), `near` (a text that stands within each match
            or close to it), `hit` (a text that holds one), `miss` (one that holds none), `kind`.
        where: What an error calls the file.

    Raises:
        InvalidInputError: The file is no such list, or a detector fails at its own samples.
    """
    try:
        told: Any = tomllib.loads(data.decode())
        rows = msgspec.convert(told.get("detector", []), list[_Row])
    except (ValueError, msgspec.ValidationError) as error:
        raise InvalidInputError(
            f"{where} is no list of detectors: {error}.",
            hint="docs/how-to/credentials.md shows one.",
        ) from error
    return tuple(_detector(row, where) for row in rows)


def _detector(row: _Row, where: str) -> Detector:
    try:
        pattern = re.compile(row.pattern)
    except re.error as error:
        raise _refused(row, where, f"its pattern is none ({error})") from error
    if len(row.near) < 2 or row.near not in row.hit:  # noqa: PLR2004  (one letter is everywhere)
        raise _refused(row, where, "`near` has to stand in `hit`, and have two characters")
    if not re.fullmatch(r"[\w-]{1,40}", row.kind):
        raise _refused(row, where, "its kind has to be a plain word")
    if pattern.search(row.hit) is None:
        raise _refused(row, where, "its pattern does not find `hit`")
    if pattern.search(row.miss) is not None or pattern.search("") is not None:
        raise _refused(row, where, "its pattern finds `miss`, or nothing at all")
    return Detector(
        kind=row.kind,
        name=row.name,
        pattern=pattern,
        hit=row.hit,
        miss=row.miss,
        within=row.near,
    )


def _refused(row: _Row, where: str, why: str) -> InvalidInputError:
    return InvalidInputError(
        f"{where}: the detector {row.name!r} cannot be used: {why}.", hint="Mend it there."
    )
