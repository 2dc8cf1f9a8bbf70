"""A structure of an installed package: what it gives is looked at, and its failures are its own."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import numpy as np

from stepwell.errors import InvalidInputError, StepwellError
from stepwell.plugins import Guard
from stepwell.store.rowids import number_of
from stepwell.structures.base import Note, Ranking, Traits

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from stepwell.structures.base import Query, Structure, Within

__all__ = ["Guarded", "guarded"]

_T = TypeVar("_T")

SECONDS: Final = 5.0
"""What one call may take; a recall waits for it."""


@dataclass(slots=True)
class Guarded:
    """A structure that is left out of a recall where it fails; the recall says so.

    Attributes:
        name: As its entry point says.
        tokens: As it says itself.
        traits: As it says itself.
        inner: The structure.
    """

    name: str
    tokens: int
    traits: Traits
    inner: Structure
    _guard: Guard
    _failure: str = field(default="", repr=False)

    def save(self) -> None:
        """Store what was derived; where it fails, the next search tells."""
        self._tried(self.inner.save)

    def signals(self, query: Query, *, within: Within) -> dict[str, float]:
        """Return what it can tell of a question: of that, the numbers."""
        signals: Any = self.inner.signals
        told: Any = self._tried(partial(signals, query, within=within))
        if not isinstance(told, dict):
            return {}
        numbers = cast("dict[Any, Any]", told)  # type: ignore[redundant-cast]  # for pyright
        return {name: float(value) for name, value in numbers.items() if _is_number(name, value)}

    def search(self, query: Query, *, within: Within, limit: int) -> Ranking:
        """Return what it finds, or nothing, and what went wrong since the last search."""
        searched = self._tried(partial(self._searched, query, within=within, limit=limit))
        failure, self._failure = self._failure, ""
        return replace(searched or self._nothing(), failure=failure)

    def _nothing(self) -> Ranking:
        return Ranking(
            structure=self.name,
            traits=self.traits,
            rowids=np.empty(0, dtype=np.int64),
            scores=np.empty(0, dtype=np.float64),
        )

    def _searched(self, query: Query, *, within: Within, limit: int) -> Ranking:
        given: Any = self.inner.search
        found: Any = given(query, within=within, limit=limit)
        if not isinstance(found, Ranking):
            raise TypeError(f"it gave {type(found).__name__}, not a Ranking")
        rowids, scores = np.asarray(found.rowids), np.asarray(found.scores, dtype=np.float64)
        if not (rowids.ndim == 1 and rowids.shape == scores.shape):
            raise ValueError("it gave row ids and scores of different shapes")
        if len(rowids) and rowids.dtype.kind not in "iu":
            raise TypeError("it gave row ids that are no whole numbers")
        if not np.isfinite([*scores, found.mean, found.deviation, found.coverage]).all():
            raise ValueError("it gave a score that is no finite number")
        inside = _inside(rowids, within)
        return replace(
            found,
            structure=self.name,
            traits=self.traits,
            rowids=rowids[inside][:limit].astype(np.int64),
            scores=scores[inside][:limit],
            deviation=found.deviation or 1.0,
            notes=tuple(note for note in found.notes if _is_inside(note, within)),
        )

    def _tried(self, call: Callable[[], _T]) -> _T | None:
        try:
            return self._guard.call(call, seconds=SECONDS)
        except StepwellError as error:
            self._failure = str(error)
            return None


def guarded(name: str, make: Callable[[], Structure]) -> Guarded:
    """Return what a factory makes, guarded.

    Raises:
        InvalidInputError: It makes no structure of this name.
    """
    what = f"The structure {name!r}, which an installed package brings,"
    guard = Guard(what=what, hint="Tell those who made it, or uninstall it.")
    structure = guard.call(make, seconds=SECONDS)
    if getattr(structure, "name", None) != name:
        raise InvalidInputError(
            f"{what} calls itself {getattr(structure, 'name', None)!r}.",
            hint="The name of the entry point has to be the structure's.",
        )
    traits = getattr(structure, "traits", None)
    if not isinstance(traits, Traits):
        raise InvalidInputError(
            f"{what} does not say what it is.",
            hint="Give it `traits`, a stepwell.structures.base.Traits.",
        )
    return Guarded(
        name=name,
        tokens=int(structure.tokens),
        traits=traits,
        inner=structure,
        _guard=guard,
    )


def _is_number(name: object, value: object) -> bool:
    return isinstance(name, str) and isinstance(value, int | float) and math.isfinite(value)


def _is_inside(note: object, within: Within) -> bool:
    return (
        isinstance(note, Note)
        and bool(note.steps)
        and any(number_of(first) == note.number for first, _ in within.spans)
    )


def _inside(rowids: NDArray[np.int64], within: Within) -> NDArray[np.bool_]:
    """Tell of each row whether it is in scope: what is not may be somebody else's."""
    firsts = np.array([first for first, _ in within.spans], dtype=np.int64)
    lasts = np.array([last for _, last in within.spans], dtype=np.int64)
    if not len(firsts):
        return np.zeros(len(rowids), dtype=bool)
    at = np.searchsorted(firsts, rowids, side="right") - 1
    return (at >= 0) & (rowids <= lasts[np.maximum(at, 0)])
