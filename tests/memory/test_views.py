"""The structures of one memory: opened together, derived at once, saved after a snapshot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stepwell.memory.views import open_views
from stepwell.store.database import open_database, transaction
from stepwell.store.read import entries
from stepwell.store.scope import Scope
from stepwell.store.write import put_trajectory
from stepwell.structures.registry import NAMES
from support.encoders import HashEncoder
from support.trajectories import NOW, said, trajectory, turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw

    from stepwell.memory.views import Views
    from stepwell.store.read import Entry

STEPS = [said(0, "Find kelp 1."), *[turn(n, f"look at crate {n}", "kelp 1") for n in range(1, 20)]]


@pytest.fixture
def db() -> Iterator[apsw.Connection]:
    connection = open_database(None)
    yield connection
    connection.close()


def put(db: apsw.Connection) -> Entry:
    with transaction(db):
        put_trajectory(db, trajectory(STEPS), scope=Scope(), now=NOW)
    (entry,) = entries(db, Scope())
    return entry


def derived(db: apsw.Connection) -> dict[str, int]:
    return dict(db.execute("SELECT structure, count(*) FROM derived GROUP BY structure"))


def test_all_structures_can_be_read_in_the_order_of_their_sections(db: apsw.Connection) -> None:
    views = open_views(db, encoder=HashEncoder())
    sources = views.sources()
    assert tuple(one.name for one in sources.structures) == NAMES
    assert views.episodic in sources.structures
    assert views.vector in sources.structures
    assert views.units in sources.structures
    assert sources.units.index is views.units
    assert sources.units.vector is views.vector


def test_without_an_encoder_no_meaning_can_be_read(db: apsw.Connection) -> None:
    views = open_views(db, encoder=None)
    assert views.vector is None
    assert "vector" not in [one.name for one in views.sources().structures]
    assert views.sources().units.vector is None


def all_derived(views: Views, entry: Entry) -> dict[str, int]:
    return {one.name: entry.n_steps for one in views.structures if not one.traits.is_wide}


def test_what_is_missing_of_a_trajectory_is_derived_and_stored(db: apsw.Connection) -> None:
    views, entry = open_views(db, encoder=None), put(db)
    assert derived(db) == {}
    views.derive(entry)
    assert derived(db) == all_derived(views, entry)


def test_what_was_read_in_a_transaction_is_stored_when_saved(db: apsw.Connection) -> None:
    views, entry = open_views(db, encoder=None), put(db)
    with transaction(db):
        views.derive(entry)
    assert derived(db) == {}
    views.save()
    assert derived(db) == all_derived(views, entry)
