"""The structures there are: Stepwell's own, and those that installed packages bring."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Final, TypeAlias

from stepwell.errors import InvalidInputError
from stepwell.structures.episodic import Episodic
from stepwell.structures.graph.index import Graph
from stepwell.structures.summary.index import Summary
from stepwell.structures.temporal.index import Temporal
from stepwell.structures.units.index import UnitIndex
from stepwell.structures.vector import Vector

if TYPE_CHECKING:
    from collections.abc import Callable

    import apsw

    from stepwell.structures.base import Structure

__all__ = ["GROUP", "NAMES", "OWN", "Factory", "found", "opened"]

Factory: TypeAlias = "Callable[[apsw.Connection], Structure]"

GROUP = "stepwell.structures"
"""Entry point group: name = "package.module:factory", which takes the database connection."""

OWN: tuple[Factory, ...] = (Summary, Temporal, Graph)
"""Views of whole trajectories, derived of steps when first read; beside them stand `episodic` and
`vector`, which are written to, and `units`, which order what the others find."""

NAMES: Final = tuple(one.name for one in (Summary, Temporal, Graph, UnitIndex, Vector, Episodic))
"""Names of Stepwell's own structures, in the order of their sections in a payload."""


def opened(db: apsw.Connection) -> list[Structure]:
    """Return the structures that read a database by themselves.

    Raises:
        InvalidInputError: A package brings one that cannot be used.
    """
    return [*(make(db) for make in OWN), *(_made(name, db) for name in found())]


@cache
def found() -> dict[str, Factory]:
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


def _made(name: str, db: apsw.Connection) -> Structure:
    if name in NAMES:
        raise InvalidInputError(
            f"An installed package brings a structure named {name!r}, as Stepwell's own is.",
            hint="Give its entry point, and the structure, another name.",
        )
    structure = found()[name](db)
    if structure.name != name:
        raise InvalidInputError(
            f"The structure {name!r}, which an installed package brings, calls itself "
            f"{structure.name!r}.",
            hint="The name of the entry point has to be the structure's.",
        )
    return structure
