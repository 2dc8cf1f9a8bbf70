"""Forgetting: what must be named, and that no table keeps anything of what is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stepwell.errors import InvalidInputError, ScopeError, StoreError
from stepwell.memory.forgetting import check_named, doomed, forget
from stepwell.memory.memory import Memory
from stepwell.store.database import open_database
from stepwell.store.scope import Scope
from support.encoders import HashEncoder

if TYPE_CHECKING:
    from pathlib import Path

WORDS = "xylophone quince"
COUNTS = (
    "SELECT count(*) FROM trajectories",
    "SELECT count(*) FROM steps",
    "SELECT count(*) FROM recalls",
    "SELECT count(*) FROM usage",
    "SELECT count(*) FROM vector_states",
    "SELECT count(*) FROM derived",
)


def filled(path: Path, **scope: str) -> None:
    with Memory(path, scope=scope, encoder=HashEncoder()) as memory:
        for number in range(20):
            call = {"action": f"tune {WORDS} {number}", "observation": f"{WORDS} is tuned, ß日"}
            memory.add(call, trajectory=f"{scope.get('user_id', 'any')}-run")
        memory.index()
        memory.recall(f"where is the {WORDS}?", 300, policy="all")


def test_nothing_named_is_refused_with_what_to_name() -> None:
    with pytest.raises(InvalidInputError, match=r"Nothing was named .* or say everything=True"):
        check_named(Scope(), everything=False)


@pytest.mark.parametrize("field", ["user_id", "agent_id", "run_id", "session", "trajectory"])
def test_any_one_name_is_enough(field: str) -> None:
    scope = Scope(**{field: ""})
    assert check_named(scope, everything=False) is scope


def test_everything_needs_no_name_and_does_not_widen_a_name() -> None:
    assert check_named(Scope(), everything=True) == Scope()
    assert check_named(Scope(user_id="ana"), everything=True) == Scope(user_id="ana")


def test_no_file_keeps_a_byte_of_what_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    filled(path, user_id="ana")
    with Memory(path, encoder=HashEncoder()) as memory:
        assert memory.forget(everything=True) == 1
    left = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert [word for word in (b"xylophone", b"quince", b"ana-run") if word in left] == []


def test_every_table_is_empty_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    filled(path)
    db = open_database(path)
    counts = [int(db.execute(statement).get) for statement in COUNTS]
    assert min(counts) > 0, dict(zip(COUNTS, counts, strict=True))
    assert forget(db, doomed(db, Scope())) == 1
    assert [int(db.execute(statement).get) for statement in COUNTS] == [0] * len(COUNTS)
    assert forget(db, doomed(db, Scope())) == 0
    db.close()


def test_others_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    filled(path, user_id="ana")
    filled(path, user_id="bo")
    with Memory(path, encoder=HashEncoder()) as memory:
        assert memory.forget(scope={"user_id": "ana"}) == 1
        assert [entry.user_id for entry in memory.sessions()] == ["bo"]
        assert (memory.stats().n_vectors, memory.unindexed()) == (memory.stats().n_passages, 0)
        assert {item.trajectory for item in memory.recall(WORDS, 300).items} == {"bo-run"}
        assert len(memory.recalls()) == 2  # bo's, and the one just now


def test_an_unknown_name_forgets_nothing(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    filled(path, user_id="ana")
    with Memory(path, encoder=None) as memory:
        assert memory.forget(scope={"user_id": "an%"}) == 0
        assert memory.forget(scope={"user_id": "ana", "run_id": "other"}) == 0
        assert len(memory.sessions()) == 1


def test_everything_of_a_bound_memory_is_only_its_own(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    filled(path, user_id="ana")
    filled(path, user_id="bo")
    with Memory(path, scope={"user_id": "bo"}, encoder=None) as memory:
        with pytest.raises(ScopeError, match="bound to user_id='bo', not 'ana'"):
            memory.forget(scope={"user_id": "ana"})
        assert memory.forget(everything=True) == 1
    with Memory(path, encoder=None) as memory:
        assert [entry.user_id for entry in memory.sessions()] == ["ana"]


def test_a_session_is_forgotten_with_its_subagents() -> None:
    with Memory(encoder=None, scope={"session": "s"}) as memory:
        memory.add("one", trajectory="main")
        memory.add("two", trajectory="main/helper")
        assert memory.forget(scope={"session": "s"}) == 2


def test_a_forgotten_live_trajectory_begins_anew() -> None:
    with Memory(encoder=None) as memory:
        assert [memory.add("one"), memory.add("two")] == ["live/s0", "live/s1"]
        memory.forget(scope={"trajectory": "live"})
        assert memory.add("three") == "live/s0"
        assert memory.get("live/s0").text.endswith("three")


def test_an_open_memory_forgets_what_another_forgot(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    filled(path)
    with Memory(path, encoder=HashEncoder()) as reader, Memory(path, encoder=None) as writer:
        assert reader.recall(WORDS, 300).items
        writer.forget(everything=True)
        assert reader.recall(WORDS, 300).items == ()
        assert reader.stats().n_vectors == 0


def test_a_file_that_can_only_be_read_refuses(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    filled(path)
    db = open_database(path)
    db.execute("PRAGMA query_only = 1")
    with pytest.raises(StoreError):
        forget(db, doomed(db, Scope()))
    db.execute("PRAGMA query_only = 0")
    assert db.execute("SELECT count(*) FROM trajectories").get == 1
    db.close()
