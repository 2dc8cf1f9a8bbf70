"""The catalogue is read again after a change by anyone, and only then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.memory.catalogue import Catalogue
from stepwell.memory.forgetting import doomed, forget
from stepwell.store.database import open_database
from stepwell.store.scope import Scope
from support.stores import stored
from support.trajectories import said, trajectory

if TYPE_CHECKING:
    from pathlib import Path


def names(catalogue: Catalogue, scope: Scope) -> list[str]:
    return [entry.trajectory_id for entry in catalogue.of(scope)]


def test_changes_by_this_connection_and_by_another_are_seen(tmp_path: Path) -> None:
    db, other = open_database(tmp_path / "m.db"), open_database(tmp_path / "m.db")
    catalogue = Catalogue(db)
    assert names(catalogue, Scope()) == []
    stored(db, trajectory([said(0, "x")], name="one"))
    assert names(catalogue, Scope()) == ["one"]
    stored(other, trajectory([said(0, "y")], name="two"))
    assert names(catalogue, Scope()) == ["one", "two"]
    forget(other, doomed(other, Scope(trajectory="one")))
    assert names(catalogue, Scope()) == ["two"]
    db.close()
    other.close()


def test_what_has_not_changed_is_not_read_again_and_scopes_stay_apart() -> None:
    db = open_database(None)
    stored(db, trajectory([said(0, "x")], name="one"), scope=Scope(user_id="a"))
    stored(db, trajectory([said(0, "y")], name="two"), scope=Scope(user_id="b"))
    catalogue = Catalogue(db)
    assert names(catalogue, Scope(user_id="a")) == ["one"]
    assert names(catalogue, Scope(user_id="b")) == ["two"]
    assert catalogue.of(Scope(user_id="a")) is catalogue.of(Scope(user_id="a"))
    db.close()
