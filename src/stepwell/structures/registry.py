"""The structures there are: Stepwell's own, and those that installed packages bring."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from stepwell.errors import InvalidInputError, StepwellError
from stepwell.plugins import Brought, brought
from stepwell.structures.episodic import Episodic
from stepwell.structures.graph.index import Graph
from stepwell.structures.guarded import guarded
from stepwell.structures.summary.index import Summary
from stepwell.structures.temporal.index import Temporal
from stepwell.structures.units.index import LIVE_NAMES, LIVE_UNITS, UnitIndex
from stepwell.structures.vector import Vector

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from stepwell.encode.base import Encoder
    from stepwell.store.database import Database
    from stepwell.structures.base import Structure

__all__ = ["GROUP", "NAMES", "OWN", "Factory", "found", "opened"]

Factory: TypeAlias = "Callable[[Database], Structure]"

GROUP = "stepwell.structures"
"""Entry point group: name = "package.module:factory", which takes the database connection."""

OWN: Final[Mapping[str, Callable[[Database, Encoder | None], Structure | None]]] = {
    Summary.name: lambda db, _: Summary(db),
    Temporal.name: lambda db, _: Temporal(db),
    Graph.name: lambda db, _: Graph(db),
    UnitIndex.name: lambda db, _: UnitIndex(db, options=LIVE_UNITS, annotate=LIVE_NAMES),
    Vector.name: lambda db, encoder: None if encoder is None else Vector(db, encoder),
    Episodic.name: lambda db, _: Episodic(db),
}
"""Stepwell's own structures, in the order of their sections in a payload: how each is opened over a
database, with the encoder in use if there is one; None where it cannot be read without."""

NAMES: Final = tuple(OWN)
"""Their names, in that order."""


def opened(
    db: Database, *, encoder: Encoder | None = None
) -> tuple[tuple[Structure, ...], tuple[str, ...]]:
    """Open the structures over a database: Stepwell's own, then those of installed packages.

    Returns:
        The structures, and a sentence for each one of a package that had to be left out.
    """
    structures: list[Structure] = [
        one for make in OWN.values() if (one := make(db, encoder)) is not None
    ]
    left_out = list(found().left_out)
    for name, factory in found().usable.items():
        try:
            structures.append(guarded(name, partial(factory, db)))
        except StepwellError as error:
            left_out.append(str(error))
    return tuple(structures), tuple(left_out)


@cache
def found() -> Brought[Factory]:
    """Return what installed packages bring; they are looked for once per process."""
    return brought(GROUP, kind="structure", check=_factory, taken=NAMES)


def _factory(name: str, found: Any) -> Factory:
    if not callable(found):
        raise InvalidInputError(
            f"The structure {name!r}, which an installed package brings, is nothing to call.",
            hint="Its entry point has to name a function that takes the database.",
        )
    return cast("Factory", found)
