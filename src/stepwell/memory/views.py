"""The structures of one memory, opened together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stepwell.recall.find.context import Backgrounds, Sources, UnitSource
from stepwell.store.rowids import span
from stepwell.structures.base import Query, Within
from stepwell.structures.episodic import Episodic
from stepwell.structures.registry import opened
from stepwell.structures.units.index import UnitIndex
from stepwell.structures.vector import Vector

if TYPE_CHECKING:
    from stepwell.encode.base import Encoder
    from stepwell.store.database import Database
    from stepwell.store.read import Entry
    from stepwell.structures.base import Structure

__all__ = ["Views", "open_views"]

_NOTHING = Query(text="", terms=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Views:
    """The structures of one memory; like the connection, for one thread at a time.

    Attributes:
        structures: All of them, in the order of their sections in a payload.
        episodic: The one that is written in the transaction of the text.
        vector: The one that is written in the background; None when no encoder runs.
        units: The one that orders what others find.
        backgrounds: What trajectories are about.
        left_out: A sentence for each structure of a package that cannot be used.
    """

    structures: tuple[Structure, ...]
    episodic: Episodic
    vector: Vector | None
    units: UnitIndex
    backgrounds: Backgrounds
    left_out: tuple[str, ...] = ()

    def sources(self, *, with_vectors: bool = True) -> Sources:
        """Return what a recall can read; without vectors where the question has none."""
        vector = self.vector if with_vectors else None
        return Sources(
            structures=tuple(
                one for one in self.structures if one is vector or one is not self.vector
            ),
            units=UnitSource(index=self.units, vector=vector),
            backgrounds=self.backgrounds,
        )

    def save(self) -> None:
        """Store what was derived within a snapshot, in which nothing is written."""
        for structure in self.structures:
            structure.save()

    def derive(self, entry: Entry) -> None:
        """Derive what is missing of a trajectory now, instead of when a recall first reads it."""
        scope = Within(spans=(span(entry.number),), n_passages=entry.n_passages)
        self.units.units(entry.number)
        for structure in self.structures:
            structure.signals(_NOTHING, within=scope)
            structure.search(_NOTHING, within=scope, limit=1)
        self.save()


def open_views(db: Database, *, encoder: Encoder | None) -> Views:
    """Return the structures over a database."""
    structures, left_out = opened(db, encoder=encoder)
    return Views(
        structures=structures,
        episodic=next(one for one in structures if isinstance(one, Episodic)),
        vector=next((one for one in structures if isinstance(one, Vector)), None),
        units=next(one for one in structures if isinstance(one, UnitIndex)),
        backgrounds=Backgrounds(db),
        left_out=left_out,
    )
