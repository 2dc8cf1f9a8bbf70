"""The structures of one memory, opened together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stepwell.recall.find.context import Backgrounds, Sources
from stepwell.recall.rank.scope_units import UnitSource
from stepwell.store.rowids import span
from stepwell.structures.base import Query, Within
from stepwell.structures.episodic import Episodic
from stepwell.structures.registry import opened
from stepwell.structures.units.index import LIVE_NAMES, LIVE_UNITS, UnitIndex
from stepwell.structures.vector import Vector

if TYPE_CHECKING:
    import apsw

    from stepwell.encode.base import Encoder
    from stepwell.store.read import Entry
    from stepwell.structures.base import Structure

__all__ = ["Views", "open_views"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Views:
    """The structures of one memory; like the connection, for one thread at a time.

    Attributes:
        episodic: Words; written in the transaction of the text.
        vector: Meanings; None when no encoder runs.
        derived: What reads the stored steps by itself.
        units: Groups of steps.
        backgrounds: What trajectories are about.
    """

    episodic: Episodic
    vector: Vector | None
    derived: tuple[Structure, ...]
    units: UnitIndex
    backgrounds: Backgrounds

    def sources(self) -> Sources:
        """Return what a recall can read."""
        indexes = [self.episodic] if self.vector is None else [self.vector, self.episodic]
        return Sources(
            structures=(*self.derived, *indexes),
            units=UnitSource(index=self.units, vector=self.vector),
            backgrounds=self.backgrounds,
        )

    def save(self) -> None:
        """Store what was derived within a snapshot, in which nothing is written."""
        self.units.save()
        for structure in self.derived:
            structure.save()

    def derive(self, entry: Entry) -> None:
        """Derive what is missing of a trajectory now, instead of when a recall first reads it."""
        scope = Within(spans=(span(entry.number),), n_passages=entry.n_passages)
        self.units.units(entry.number)
        for structure in self.derived:
            structure.signals(_NOTHING, within=scope)
            structure.search(_NOTHING, within=scope, limit=1)
        self.save()


_NOTHING = Query(text="", terms=())


def open_views(db: apsw.Connection, *, encoder: Encoder | None) -> Views:
    """Return the structures over a database.

    Raises:
        InvalidInputError: An installed package brings a structure that cannot be used.
    """
    return Views(
        episodic=Episodic(db),
        vector=None if encoder is None else Vector(db, encoder),
        derived=tuple(opened(db)),
        units=UnitIndex(db, options=LIVE_UNITS, annotate=LIVE_NAMES),
        backgrounds=Backgrounds(db),
    )
