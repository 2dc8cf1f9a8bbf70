"""What every command is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stepwell.errors import InvalidInputError, NotFoundError
from stepwell.serve.given import Given, group

if TYPE_CHECKING:
    from pathlib import Path


def given(db: Path, **scope: str) -> Given:
    return Given(db=db, encoder="none", scope=scope)


def test_the_options_are_the_settings(tmp_path: Path) -> None:
    settings = given(tmp_path / "m.db").settings()
    assert (settings.db, settings.encoder) == (tmp_path / "m.db", "none")


def test_a_memory_must_exist_unless_it_is_made(tmp_path: Path) -> None:
    db = tmp_path / "m.db"
    with pytest.raises(NotFoundError, match="There is no memory at"):
        given(db).memory()
    assert not db.exists()
    with given(db).memory(must_exist=False) as memory:
        memory.add("x")
    with given(db).memory() as memory:
        assert memory.stats().n_steps == 1


def test_a_memory_sees_what_is_in_scope_unless_it_is_not_bound(tmp_path: Path) -> None:
    db = tmp_path / "m.db"
    with given(db, user_id="ann").memory(must_exist=False) as memory:
        memory.add("x")
    bob = given(db, user_id="bob")
    with bob.memory() as memory:
        assert memory.sessions() == []
    with bob.memory(is_bound=False) as memory:
        assert len(memory.sessions()) == 1


def test_a_memory_reads_by_the_policy_that_is_named(tmp_path: Path) -> None:
    db = tmp_path / "m.db"
    with given(db).memory(must_exist=False, policy="plain") as memory:
        memory.add("The port is 80.")
        assert memory.recall("port?", 300).policy == "plain"
    with pytest.raises(NotFoundError, match="zz"):
        given(db).memory(policy="zz")


def test_a_file_has_no_scope(tmp_path: Path) -> None:
    given(tmp_path).check_unscoped("PATH")
    with pytest.raises(InvalidInputError, match="Leave them out, or leave out PATH"):
        given(tmp_path, session="x").check_unscoped("PATH")


def test_groups_are_set_up_alike() -> None:
    app = group("About.", epilog="End.")
    assert (app.info.help, app.info.epilog, app.info.no_args_is_help) == ("About.", "End.", True)


def test_a_trajectory_is_named_by_its_beginning_and_an_unknown_one_is_an_error(
    tmp_path: Path,
) -> None:
    db = tmp_path / "m.db"
    with given(db).memory(must_exist=False) as memory:
        for name in ("run7-a", "run8-b", "run8-b-long"):
            memory.add("x", trajectory=name)
    with given(db, trajectory="run7").memory() as memory:
        assert [entry.trajectory_id for entry in memory.sessions()] == ["run7-a"]
    with given(db, trajectory="run8-b").memory() as memory:
        assert [entry.trajectory_id for entry in memory.sessions()] == ["run8-b"]
    with pytest.raises(NotFoundError, match="There is no trajectory 'run9'"):
        given(db, trajectory="run9").memory()
    with pytest.raises(InvalidInputError, match="'run' is ambiguous; there are run7-a, run8-b"):
        given(db, trajectory="run").known_scope()


def test_a_trajectory_is_looked_for_among_what_else_is_in_scope(tmp_path: Path) -> None:
    db = tmp_path / "m.db"
    for user in ("ann", "bob"):
        with given(db, user_id=user).memory(must_exist=False) as memory:
            memory.add("x", trajectory=f"run7-{user}")
            memory.add("x", trajectory="shared")
    with given(db, user_id="bob", trajectory="run").memory() as memory:
        assert [entry.trajectory_id for entry in memory.sessions()] == ["run7-bob"]
    with pytest.raises(NotFoundError):
        given(db, user_id="bob", trajectory="run7-ann").memory()
    with given(db, trajectory="shared").memory() as memory:
        assert len(memory.sessions()) == 2


def test_what_is_added_has_the_id_that_is_given(tmp_path: Path) -> None:
    db = tmp_path / "m.db"
    for name in ("run7-a", "run7"):
        with given(db, trajectory=name).memory(must_exist=False) as memory:
            memory.add("x")
    with given(db).memory() as memory:
        assert [entry.trajectory_id for entry in memory.sessions()] == ["run7-a", "run7"]
