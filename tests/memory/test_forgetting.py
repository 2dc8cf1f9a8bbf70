"""Forgetting has to be asked for by name, and says how much it was."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import apsw
import pytest

from stepwell.errors import InvalidInputError, NotFoundError
from stepwell.memory.forgetting import check_named, doomed, forget
from stepwell.memory.memory import Memory
from stepwell.store.database import open_database
from stepwell.store.read import entries
from stepwell.store.scope import Scope
from support.stores import stored
from support.trajectories import NOW, said, trajectory, turn

if TYPE_CHECKING:
    from pathlib import Path


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


def run_file(path: Path, *turns: tuple[str, str]) -> Path:
    """Write a chat that names itself `g`."""
    messages = [{"role": role, "content": text} for role, text in turns]
    path.write_text(json.dumps({"id": "g", "messages": messages}), encoding="utf-8")
    return path


TURNS = [("user", "one"), ("assistant", "two"), ("user", "three"), ("assistant", "four")]


def messages(memory: Memory) -> list[list[str]]:
    return [[step.message for step in run.steps] for run in memory.trajectories()]


@pytest.mark.parametrize(
    "turns", [TURNS, TURNS[:2], TURNS[1:], [*TURNS, ("user", "five")], TURNS[:1]]
)
def test_a_forgotten_run_stays_away_however_its_log_goes_on(
    tmp_path: Path, turns: list[tuple[str, str]]
) -> None:
    with Memory(encoder=None) as memory:
        memory.ingest(run_file(tmp_path / "a.json", *TURNS))
        assert memory.forget(scope={"trajectory": "g"}) == 1
        report = memory.ingest(run_file(tmp_path / "a.json", *turns))
        assert (report.forgotten, report.added, messages(memory)) == (1, 0, [])
        assert "--again" in str(report)
        assert memory.ingest(tmp_path / "a.json", again=True).added == 1
        assert memory.ingest(tmp_path / "a.json").unchanged == 1
        assert messages(memory) == [[text for _, text in turns]]


def test_another_run_of_a_forgotten_id_is_no_forgotten_run(tmp_path: Path) -> None:
    with Memory(encoder=None) as memory:
        memory.ingest(run_file(tmp_path / "a.json", *TURNS))
        memory.forget(everything=True)
        memory.ingest(run_file(tmp_path / "b.json", TURNS[0], ("assistant", "else")))
        assert messages(memory) == [["one", "else"]]
        assert memory.add("live", trajectory="new") == "new/s0"


def test_one_owners_forgetting_leaves_the_others_alone(tmp_path: Path) -> None:
    path, log = tmp_path / "m.db", run_file(tmp_path / "a.json", *TURNS)
    with Memory(path, encoder=None, scope={"user_id": "ana"}) as memory:
        memory.ingest(log)
        memory.forget(everything=True)
    with Memory(path, encoder=None, scope={"user_id": "bo"}) as memory:
        assert memory.ingest(log).added == 1
    with Memory(path, encoder=None, scope={"user_id": "ana"}) as memory:
        assert memory.ingest(log).forgotten == 1


def test_a_copy_without_an_id_of_its_own_stays_away_under_another_path(tmp_path: Path) -> None:
    chat = [{"role": role, "content": text} for role, text in TURNS]
    with Memory(encoder=None) as memory:
        (tmp_path / "a.json").write_text(json.dumps(chat))
        memory.ingest(tmp_path / "a.json")
        memory.forget(everything=True)
        for name, turns in (("same", chat), ("grown", [*chat, chat[0]]), ("cut", chat[:2])):
            (tmp_path / f"{name}.json").write_text(json.dumps(turns))
            assert memory.ingest(tmp_path / f"{name}.json").forgotten == 1, name
        (tmp_path / "asked.json").write_text(json.dumps(chat[:1]))
        assert memory.ingest(tmp_path / "asked.json").added == 1  # a prompt alone is no run


def test_forgetting_a_run_takes_its_subagents_and_keeps_them_away() -> None:
    db = open_database(None)
    child = replace(trajectory([turn(0, "ls", "x")], name="run/a1"), parent_trajectory_id="run")
    grandchild = replace(trajectory([said(0, "y")], name="deep"), parent_trajectory_id="run/a1")
    for one in (trajectory([said(0, "z")]), child, grandchild, trajectory([], name="run/other")):
        stored(db, one)
    assert forget(db, doomed(db, Scope(trajectory="run"))) == 3
    assert [entry.trajectory_id for entry in entries(db, Scope())] == ["run/other"]
    late = replace(trajectory([said(0, "new")], name="run/a2"), parent_trajectory_id="run")
    assert [stored(db, one).state for one in (child, late)] == ["forgotten"] * 2
    db.close()


def test_single_steps_stay_forgotten_until_they_are_wanted_again(tmp_path: Path) -> None:
    log = run_file(tmp_path / "a.json", *TURNS)
    with Memory(encoder=None) as memory:
        memory.ingest(log)
        assert memory.forget(steps="g/s1-s2") == 2
        assert memory.forget(steps="g/s1") == 0
        assert "three" not in memory.recall("what was said?", 200).text
        run_file(log, *TURNS, ("user", "five"))
        memory.ingest(log)
        assert messages(memory) == [["one", "", "", "four", "five"]]
        assert [m.summary for m in memory.timeline()][1:3] == ["(forgotten)"] * 2
        memory.ingest(log, again=True)
        assert messages(memory) == [["one", "two", "three", "four", "five"]]
        with pytest.raises(NotFoundError):
            memory.forget(steps="other/s1")


def test_what_is_older_than_a_date_goes_and_a_run_that_goes_on_keeps_the_rest() -> None:
    day = timedelta(days=1)
    with Memory(encoder=None) as memory:
        for name, days in (("old", (0, 1)), ("both", (1, 3)), ("new", (3, 4))):
            for offset in days:
                step = replace(said(0, f"{name} {offset}"), t_start=NOW + offset * day)
                memory.add(step, trajectory=name)
        assert [entry.trajectory_id for entry in memory.doomed(before=NOW + 2 * day).runs] == [
            "old"
        ]
        assert memory.forget(before=NOW + 2 * day) == 2
        assert messages(memory) == [["", "both 3"], ["new 3", "new 4"]]
        assert memory.forget(before=NOW + 2 * day) == 0
        with pytest.raises(InvalidInputError, match="before="):
            memory.forget(before=NOW.replace(tzinfo=None))


def test_what_a_reader_kept_in_the_file_is_erased_when_it_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Memory(path, encoder=None) as memory:
        memory.add("the quokka sleeps", trajectory="gone")
        memory.add("kept", trajectory="kept")
        reader = apsw.Connection(str(path))
        reader.execute("BEGIN; SELECT count(*) FROM steps").fetchall()
        assert memory.forget(scope={"trajectory": "gone"}) == 1
        assert memory.stats().is_erasing
        assert any(b"quokka" in one.read_bytes() for one in tmp_path.iterdir())
        reader.close()
    with Memory(path, encoder=None) as memory:
        assert not memory.stats().is_erasing
    assert not any(b"quokka" in one.read_bytes() for one in tmp_path.iterdir())


def test_a_deletion_that_was_killed_before_it_erased_is_finished_by_the_next_open(
    tmp_path: Path,
) -> None:
    path = tmp_path / "m.db"
    killed = (
        "import os, sys\n"
        "from stepwell import Memory\n"
        "from stepwell.store import forget\n"
        "from stepwell.memory import forgetting\n"
        "memory = Memory(sys.argv[1], encoder=None)\n"
        "memory.add('the quokka sleeps', trajectory='gone')\n"
        "forgetting.erase_traces = lambda *_, **__: os._exit(9)\n"
        "memory.forget(scope={'trajectory': 'gone'})\n"
    )
    done = subprocess.run([sys.executable, "-c", killed, str(path)], check=False)
    assert done.returncode == 9
    assert any(b"quokka" in one.read_bytes() for one in tmp_path.iterdir())
    with Memory(path, encoder=None) as memory:
        assert memory.sessions() == []
    assert not any(b"quokka" in one.read_bytes() for one in tmp_path.iterdir())
