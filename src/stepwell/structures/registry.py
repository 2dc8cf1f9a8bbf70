"""The structures there are: Stepwell's own, and those that installed packages bring."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Final, TypeAlias

from stepwell.errors import InvalidInputError
from stepwell.structures.base import Traits
from stepwell.structures.episodic import Episodic
from stepwell.structures.graph.index import Graph
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


def opened(db: Database, *, encoder: Encoder | None = None) -> tuple[Structure, ...]:
    """Return the structures over a database: Stepwell's own, then those of installed packages.

    Raises:
        InvalidInputError: A package brings one that cannot be used.
    """
    own = (make(db, encoder) for make in OWN.values())
    return (*filter(None, own), *(_made(name, db) for name in found()))


@cache
def found() -> Mapping[str, Factory]:
    """Return what installed packages bring, by name; they are looked for once per process."""
    return {point.name: _load(point.name) for point in entry_points(group=GROUP)}


def _load(name: str) -> Factory:
    (point,) = entry_points(group=GROUP, name=name)
    try:
        factory: Factory = point.load()
    except (ImportError, AttributeError) as error:
        raise InvalidInputError(
            f"The structure {name!r}, which an installed package brings, cannot be "
            f"loaded: {error}.",
            hint=f"Mend or uninstall what stands behind {point.value}.",
        ) from error
    return factory


def _made(name: str, db: Database) -> Structure:
    brought = f"The structure {name!r}, which an installed package brings,"
    if name in OWN:
        raise InvalidInputError(
            f"{brought} has the name of one of Stepwell's own.",
            hint="Give its entry point, and the structure, another name.",
        )
    structure = found()[name](db)
    if structure.name != name:
        raise InvalidInputError(
            f"{brought} calls itself {structure.name!r}.",
            hint="The name of the entry point has to be the structure's.",
        )
    if not isinstance(getattr(structure, "traits", None), Traits):
        raise InvalidInputError(
            f"{brought} does not say what it is.",
            hint="Give it `traits`, a stepwell.structures.base.Traits.",
        )
    return structure
