"""Forgetting has to be asked for by name, and says how much it was."""

from __future__ import annotations

import pytest

from stepwell.errors import InvalidInputError
from stepwell.memory.forgetting import check_named, doomed, forget
from stepwell.store.database import open_database
from stepwell.store.read import entries
from stepwell.store.scope import Scope
from support.stores import stored
from support.trajectories import said, trajectory


def test_what_is_not_named_is_not_forgotten_unless_everything_is_meant() -> None:
    with pytest.raises(InvalidInputError, match="Nothing was named to forget") as caught:
        check_named(Scope(), everything=False)
    assert "everything=True" in str(caught.value.hint)
    assert check_named(Scope(), everything=True) == Scope()
    assert check_named(Scope(run_id="r"), everything=False) == Scope(run_id="r")
    assert check_named(Scope(user_id=""), everything=False) == Scope(user_id="")


def test_what_is_in_scope_goes_and_is_counted() -> None:
    db = open_database(None)
    for name, user in (("one", "a"), ("two", "a"), ("three", "b")):
        stored(db, trajectory([said(0, name)], name=name), scope=Scope(user_id=user))
    assert forget(db, doomed(db, Scope(user_id="a", trajectory="two"))) == 1
    assert [entry.trajectory_id for entry in entries(db, Scope())] == ["one", "three"]
    assert forget(db, doomed(db, Scope(user_id="none"))) == 0
    assert forget(db, doomed(db, Scope())) == 2
    assert entries(db, Scope()) == []
    db.close()
