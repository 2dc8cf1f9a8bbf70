"""Stepwell's own structures keep the rules for structures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stepwell.structures.registry import NAMES, OWN
from stepwell.structures.units.index import UnitIndex
from support.encoders import HashEncoder
from support.structure_conformance import StructureConformance, Subject
from support.units_reference import plain

if TYPE_CHECKING:
    import apsw

    from stepwell.structures.base import Structure


def subject_of(name: str) -> Subject:
    def opened(db: apsw.Connection) -> Structure:
        structure = OWN[name](db, HashEncoder())
        assert structure is not None
        return structure

    def view(structure: Structure, number: int) -> object:
        """Return what no search returns: units only order what others find."""
        return plain(structure.units(number)) if isinstance(structure, UnitIndex) else None

    return Subject(name=name, open=opened, view=view)


@pytest.fixture(scope="module", params=NAMES)
def subject(request: pytest.FixtureRequest) -> Subject:
    return subject_of(request.param)


class TestOwnStructures(StructureConformance):
    pass
