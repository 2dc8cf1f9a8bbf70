"""Policies as a memory is given them: by name, as a file, as a value, or as structures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from stepwell.errors import InvalidInputError
from stepwell.policy.base import Policy
from stepwell.policy.kinds import Fixed
from stepwell.policy.registry import find

__all__ = ["Choice", "as_policy"]

Choice: TypeAlias = Policy | str | Path | Sequence[str]
"""A policy, the name or file of one, or the names of the structures to read."""


def as_policy(given: Choice) -> Policy:
    """Return the policy that is meant.

    Raises:
        NotFoundError: There is no policy of this name.
        PolicyError: Its file cannot be used.
        InvalidInputError: It is nothing of the kind, or no structure is named.
    """
    if isinstance(given, str | Path):
        return find(str(given))
    if isinstance(given, Sequence):
        return Fixed(structures=_names(given))
    if hasattr(given, "select") and hasattr(given, "name") and not isinstance(given, type):
        return given
    raise _refused(given)


def _names(given: Sequence[object]) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name for name in given if isinstance(name, str) and name))
    if not names or len(names) < len(set(map(str, given))):
        raise _refused(given)
    return names


def _refused(given: object) -> InvalidInputError:
    shown = repr(given)[:80]
    return InvalidInputError(
        f"policy={shown} cannot be used.",
        hint="Give a policy's name or file, a Policy, or names of structures such as "
        '["temporal", "episodic"].',
    )
