"""What is looked up in a memory: citations, trajectories, steps and media, in one scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stepwell.errors import InvalidInputError, NotFoundError, ScopeError
from stepwell.memory.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path


def test_looking_up_what_is_not_there_says_what_is() -> None:
    with Memory(encoder=None) as memory:
        memory.add("one", trajectory="run-a")
        memory.add("two", trajectory="run-b")
        with pytest.raises(NotFoundError, match="no step 9; its steps are 0 to 0"):
            memory.get("run-a/s9")
        with pytest.raises(NotFoundError, match="has no o3; its parts are: m"):
            memory.get("run-a/s0.o3")
        with pytest.raises(NotFoundError, match="lines 1 to 1"):
            memory.get("run-a/s0.m:L5-L9")
        with pytest.raises(InvalidInputError, match="ambiguous"):
            memory.get("run/s0")
        with pytest.raises(InvalidInputError, match="No trajectory is named"):
            memory.get("s0")
        with pytest.raises(InvalidInputError, match="not a citation"):
            memory.get("hello")
        assert memory.get("run-b/s0").text == "[s0.m] agent\ntwo"
        assert [moment.summary for moment in memory.timeline("run-b")] == ["two"]


def test_media_are_found_by_trajectory_and_by_the_beginning_of_their_digest() -> None:
    pictures = {run: f"data:image/gif;base64,{run.upper()}" for run in ("aaaa", "bbbb")}
    with Memory(encoder=None) as memory:
        for run, picture in pictures.items():
            memory.add({"role": "user", "content": f"{picture} {picture}"}, trajectory=run)
        (one,) = memory.media("aaaa")
        assert (one.media_type, one.data) == ("image/gif", b"\0\0\0")
        assert memory.media("aaaa", sha256=one.sha256[:12]) == [one]
        assert memory.media("aaaa", sha256=one.sha256) == [one]
        assert memory.media("aaaa", sha256="%") == []
        assert memory.media("bbbb", sha256=one.sha256[:12]) == []
        with pytest.raises(NotFoundError):
            memory.media("cccc")


def test_all_trajectories_are_read_whole_whoever_owns_them() -> None:
    with Memory(encoder=None) as memory:
        memory.add("one", trajectory="run")
        memory.add("two", trajectory="other")
        assert [run.steps[0].message for run in memory.trajectories()] == ["one", "two"]
        runs = memory.trajectories()
        next(runs)
        memory.forget(scope={"trajectory": "other"})
        assert list(runs) == []
        (found,) = memory.trajectories(scope={"trajectory": "run"})
        assert found == memory.trajectory("run")


def told(*runs: str, memory: Memory | None = None) -> Memory:
    """Return a memory in which each run has three steps."""
    found = memory or Memory(encoder=None)
    for run in runs:
        for at in range(3):
            found.add(f"{run} {at}", trajectory=run)
    return found


@pytest.fixture
def owned(tmp_path: Path) -> Path:
    """Make a memory in which two users have a run each."""
    path = tmp_path / "m.db"
    for owner, run in (("ann", "a"), ("ben", "b")):
        with Memory(path, encoder=None, scope={"user_id": owner}) as memory:
            told(run, memory=memory)
    return path


@pytest.mark.parametrize(
    ("word", "ids"),
    [
        ("a/s1", ["a/s1"]),
        ("a/s0-s2", ["a/s0", "a/s1", "a/s2"]),
        ("a/s0,s2", ["a/s0", "a/s2"]),
        ("a/s1.m", ["a/s1.m"]),
    ],
)
def test_a_word_of_several_steps_names_each(word: str, ids: list[str]) -> None:
    with told("a", "b") as memory:
        shown = memory.expand(word)
        assert [one.id for one in shown] == ids
        assert shown == [memory.get(one) for one in ids]


def test_one_step_that_is_not_there_is_an_error_of_the_whole_word() -> None:
    with told("a") as memory, pytest.raises(NotFoundError):
        memory.expand("a/s1,s9")


@pytest.mark.parametrize(("context", "steps"), [(0, [1]), (1, [0, 1, 2]), (9, [0, 1, 2])])
def test_context_is_the_steps_around_and_no_more_than_there_are(
    context: int, steps: list[int]
) -> None:
    with told("a") as memory:
        shown = memory.get("a/s1", context=context)
        assert [step.index for step in shown.context] == steps
        assert (shown.trajectory, shown.step.index) == ("a", 1)


def test_sessions_come_in_the_order_they_were_added_and_grow_in_place() -> None:
    with told("b", "a") as memory:
        memory.add("more", trajectory="b")
        found = [(entry.trajectory_id, entry.n_steps) for entry in memory.sessions()]
        assert found == [("b", 4), ("a", 3)]


def test_a_trajectory_is_found_by_its_beginning_or_as_the_only_one() -> None:
    with told("run-a") as memory:
        assert memory.trajectory().trajectory_id == "run-a"
        told("run-b", memory=memory)
        assert memory.trajectory("run-b").trajectory_id == "run-b"
        with pytest.raises(InvalidInputError):
            memory.trajectory()
        with pytest.raises(InvalidInputError):
            memory.trajectory("run")
        with pytest.raises(NotFoundError):
            memory.trajectory("b")
        assert [moment.step.index for moment in memory.timeline("run-b")] == [0, 1, 2]


def test_a_scope_shows_one_owner_s_runs(owned: Path) -> None:
    with Memory(owned, encoder=None) as memory:
        (entry,) = memory.sessions(scope={"user_id": "ann"})
        assert entry.trajectory_id == "a"
        (run,) = memory.trajectories(scope={"user_id": "ben"})
        assert run.trajectory_id == "b"


def test_a_memory_that_is_bound_shows_nothing_else(owned: Path) -> None:
    with Memory(owned, encoder=None, scope={"user_id": "ann"}) as ann:
        assert [entry.trajectory_id for entry in ann.sessions()] == ["a"]
        assert ann.get("a/s0").text
        for look in (ann.get, ann.expand):
            with pytest.raises(NotFoundError):
                look("b/s0")
        for read in (ann.trajectory, ann.timeline, ann.media):
            with pytest.raises(NotFoundError):
                read("b")
        with pytest.raises(ScopeError):
            ann.sessions(scope={"user_id": "ben"})


def test_an_empty_memory_has_nothing_to_show() -> None:
    with Memory(encoder=None) as memory:
        assert memory.sessions() == []
        assert list(memory.trajectories()) == []
        for read in (memory.trajectory, memory.timeline, memory.media):
            with pytest.raises(NotFoundError):
                read()
