"""Allocations as the command line is given them: NAME=VALUE."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from stepwell.errors import InvalidInputError
from stepwell.recall.allocation import Allocation

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["allocation_of"]

_RENAMED = {"lean": "score_weight", "depth": "concentration"}
"""Names that settings had before; they still work, and Allocation warns."""


def allocation_of(given: Sequence[str]) -> Allocation:
    """Return the allocation that settings make of the usual one.

    Raises:
        InvalidInputError: A setting is unknown, or its value cannot be read.

    >>> allocation_of(["tau=1", "worth=500"]).tau
    1.0
    """
    known = [field.name for field in fields(Allocation)]
    chosen: dict[str, float] = {}
    for setting in given:
        name, _, value = setting.partition("=")
        if name not in known and name not in _RENAMED:
            raise InvalidInputError(
                f"{setting!r} sets nothing of an allocation.",
                hint=f"Write NAME=VALUE, NAME one of {', '.join(known)}.",
            )
        chosen[name] = _read(setting, value)
    return Allocation(**chosen)


def _read(setting: str, value: str) -> float:
    try:
        return float(value)
    except ValueError as error:
        raise InvalidInputError(
            f"{setting!r} cannot be read.", hint="Give a number after the =."
        ) from error
