"""Scopes: open fields are taken over, bound ones hold, names are only compared."""

from __future__ import annotations

import pytest

from stepwell.errors import ScopeError
from stepwell.store.scope import Scope

FIELDS = ("user_id", "agent_id", "run_id", "session", "trajectory")
COLUMNS = ("user_id", "agent_id", "run_id", "session_id", "trajectory_id")


@pytest.mark.parametrize("field", FIELDS)
def test_an_open_field_is_taken_from_the_other_scope(field: str) -> None:
    assert Scope().narrowed(Scope(**{field: "a"})) == Scope(**{field: "a"})
    assert Scope(**{field: "a"}).narrowed(Scope()) == Scope(**{field: "a"})
    assert Scope(**{field: "a"}).narrowed(Scope(**{field: "a"})) == Scope(**{field: "a"})


@pytest.mark.parametrize("field", FIELDS)
def test_a_bound_field_takes_no_other_value(field: str) -> None:
    with pytest.raises(ScopeError, match=rf"bound to {field}='mine', not 'theirs'") as caught:
        Scope(**{field: "mine"}).narrowed(Scope(**{field: "theirs"}))
    assert caught.value.hint == "Open a Memory with the other scope, or leave the field out."


def test_an_empty_name_is_bound_as_any_other() -> None:
    with pytest.raises(ScopeError, match="bound to user_id='', not 'a'"):
        Scope(user_id="").narrowed(Scope(user_id="a"))
    with pytest.raises(ScopeError, match="bound to user_id='a', not ''"):
        Scope(user_id="a").narrowed(Scope(user_id=""))
    assert Scope(user_id="").condition() == ("user_id = ?", ("",))


def test_no_other_scope_narrows_nothing() -> None:
    bound = Scope(user_id="u", session="s")
    assert bound.narrowed(None) is bound


@pytest.mark.parametrize(("field", "column"), list(zip(FIELDS, COLUMNS, strict=True)))
def test_a_bound_field_is_a_condition_on_its_column(field: str, column: str) -> None:
    assert Scope(**{field: "x' OR 1"}).condition() == (f"{column} = ?", ("x' OR 1",))


def test_an_open_scope_sees_everything() -> None:
    assert Scope().condition() == ("1", ())


def test_all_bound_fields_must_hold() -> None:
    condition, parameters = Scope(**dict(zip(FIELDS, "abcde", strict=True))).condition()
    assert condition == " AND ".join(f"{column} = ?" for column in COLUMNS)
    assert parameters == ("a", "b", "c", "d", "e")
