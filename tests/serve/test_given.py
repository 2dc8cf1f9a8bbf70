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
