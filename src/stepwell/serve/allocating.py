"""Allocations as the command line is given them: NAME=VALUE."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from stepwell.errors import InvalidInputError
from stepwell.recall.show.allocation import Allocation

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["allocation_of"]

_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def allocation_of(given: Sequence[str]) -> Allocation:
    """Return the allocation that settings make of the usual one.

    Raises:
        InvalidInputError: A setting is unknown, or its value cannot be read.

    >>> allocation_of(["tau=1", "order=reversed"]).tau
    1.0
    """
    known = {field.name: field.default for field in fields(Allocation)}
    chosen: dict[str, Any] = {}
    for setting in given:
        name, _, value = setting.partition("=")
        if name not in known:
            raise InvalidInputError(
                f"{setting!r} sets nothing of an allocation.",
                hint=f"Write NAME=VALUE, NAME one of {', '.join(known)}.",
            )
        chosen[name] = _read(setting, value, usual=known[name])
    return Allocation(**chosen)


def _read(setting: str, value: str, *, usual: object) -> object:
    if isinstance(usual, str):
        return value
    try:
        if isinstance(usual, bool):
            return _TRUTHS[value.lower()]
        # `seed` and `worth` are whole numbers by default, but only a seed must be one.
        return int(value) if setting.startswith("seed=") else float(value)
    except (KeyError, ValueError) as error:
        wanted = "true or false" if isinstance(usual, bool) else "a number"
        raise InvalidInputError(
            f"{setting!r} cannot be read.", hint=f"Give {wanted} after the =."
        ) from error
