"""Scopes: what they let through, and that a bound field never changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.errors import ScopeError
from stepwell.store.database import open_database
from stepwell.store.read import entries
from stepwell.store.scope import Scope
from support.stores import stored
from support.trajectories import said, trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.store.database import Database

FIELDS = ("user_id", "agent_id", "run_id", "session", "trajectory")
values = st.none() | st.text(max_size=3)
scopes = st.builds(
    Scope, user_id=values, agent_id=values, run_id=values, session=values, trajectory=values
)


@pytest.fixture
def db() -> Iterator[Database]:
    connection = open_database(None)
    owners = [("u1", "a1", "r1"), ("u1", "a2", "r2"), ("u2", "a1", "r1"), ("", "", "")]
    for n, (user, agent, run) in enumerate(owners):
        stored(
            connection,
            trajectory([said(0, f"text {n}")], name=f"t{n}", session=f"s{n % 2}"),
            scope=Scope(user_id=user, agent_id=agent, run_id=run),
        )
    yield connection
    connection.close()


@pytest.mark.parametrize(
    ("scope", "seen"),
    [
        (Scope(), ["t0", "t1", "t2", "t3"]),
        (Scope(user_id="u1"), ["t0", "t1"]),
        (Scope(agent_id="a1"), ["t0", "t2"]),
        (Scope(run_id="r2"), ["t1"]),
        (Scope(session="s0"), ["t0", "t2"]),
        (Scope(trajectory="t3"), ["t3"]),
        (Scope(user_id="u1", session="s0"), ["t0"]),
        (Scope(user_id="u1", agent_id="a1", run_id="r1", session="s0", trajectory="t0"), ["t0"]),
        (Scope(user_id="u2", trajectory="t0"), []),
        (Scope(user_id=""), ["t3"]),
        (Scope(user_id="U1"), []),
        (Scope(user_id="u_"), []),
        (Scope(user_id="u%"), []),
        (Scope(trajectory="t"), []),
    ],
)
def test_a_scope_sees_what_equals_all_its_fields(
    db: Database, scope: Scope, seen: list[str]
) -> None:
    assert [entry.trajectory_id for entry in entries(db, scope)] == seen


def test_an_open_scope_has_a_condition_that_always_holds() -> None:
    assert Scope().condition() == ("1", ())


def test_names_are_parameters_and_never_part_of_the_condition() -> None:
    evil = "x' OR '1'='1"
    condition, parameters = Scope(user_id=evil, session="s").condition()
    assert condition == "user_id = ? AND session_id = ?"
    assert parameters == (evil, "s")


def test_an_empty_name_is_bound_like_any_other() -> None:
    assert Scope(run_id="").condition() == ("run_id = ?", ("",))


def test_all_fields_are_conditions_in_their_order() -> None:
    scope = Scope(user_id="1", agent_id="2", run_id="3", session="4", trajectory="5")
    assert scope.condition() == (
        "user_id = ? AND agent_id = ? AND run_id = ? AND session_id = ? AND trajectory_id = ?",
        ("1", "2", "3", "4", "5"),
    )


def test_nothing_narrows_nothing() -> None:
    scope = Scope(user_id="u")
    assert scope.narrowed(None) is scope


@pytest.mark.parametrize("field", FIELDS)
def test_a_bound_field_keeps_its_value(field: str) -> None:
    mine, theirs = Scope(**{field: "mine"}), Scope(**{field: "theirs"})
    with pytest.raises(ScopeError, match=f"bound to {field}='mine', not 'theirs'") as caught:
        mine.narrowed(theirs)
    assert "leave the field out" in str(caught.value.hint)
    assert mine.narrowed(mine) == mine
    assert mine.narrowed(Scope()) == mine
    assert Scope().narrowed(theirs) == theirs


def test_an_empty_name_is_bound_and_not_open() -> None:
    with pytest.raises(ScopeError):
        Scope(user_id="").narrowed(Scope(user_id="u"))
    with pytest.raises(ScopeError):
        Scope(user_id="u").narrowed(Scope(user_id=""))


@given(mine=scopes, theirs=scopes)
def test_narrowing_takes_open_fields_or_refuses(mine: Scope, theirs: Scope) -> None:
    pairs = [(getattr(mine, field), getattr(theirs, field)) for field in FIELDS]
    if any(a is not None and b is not None and a != b for a, b in pairs):
        with pytest.raises(ScopeError):
            mine.narrowed(theirs)
        return
    narrowed = mine.narrowed(theirs)
    assert [getattr(narrowed, field) for field in FIELDS] == [
        b if a is None else a for a, b in pairs
    ]
    assert narrowed == theirs.narrowed(mine)
