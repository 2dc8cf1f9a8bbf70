"""A full disk loses nothing: all can be read, it is told, and work goes on by itself."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from stepwell.errors import StoreError
from stepwell.memory import indexing
from stepwell.memory.memory import Memory
from support.encoders import HashEncoder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def fill(memory: Memory) -> int:
    """Leave the file no page to grow by, as on a full disk; return what it may have."""
    pages = int(memory._db.execute("PRAGMA page_count").get)
    memory._db.execute(f"PRAGMA max_page_count = {pages}")
    return pages


def make_room(memory: Memory) -> None:
    memory._db.execute("PRAGMA max_page_count = 1000000")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "m.db", encoder=None) as memory:
        for at in range(30):
            memory.add({"action": f"look at {at}", "observation": f"walrus {at} " * 20})
        yield memory


def add_until_full(memory: Memory) -> list[str]:
    """Add steps until there is no room, and return those that were acknowledged."""
    fill(memory)
    added: list[str] = []
    texts = (f"penguin {at} " * 50 for at in range(10_000))
    with pytest.raises(StoreError) as raised:
        added.extend(map(memory.add, texts))
    assert raised.value.reason == "full"
    assert "disk is full" in str(raised.value)
    assert "forget" in raised.value.hint
    return added


def test_what_was_acknowledged_is_there_and_what_was_not_left_no_trace(memory: Memory) -> None:
    added = add_until_full(memory)
    steps = memory.trajectory().steps
    assert len(steps) == 30 + len(added)
    assert "walrus 7" in memory.recall("walrus 7", 400).text
    assert "penguin" in memory.recall("penguin 0", 400).text or not added


def test_it_can_be_added_to_again_when_there_is_room(memory: Memory) -> None:
    added = add_until_full(memory)
    make_room(memory)
    assert memory.add("a last penguin") == f"live/s{30 + len(added)}"


def test_a_full_disk_can_forget(memory: Memory) -> None:
    memory.add("kept", trajectory="other")
    add_until_full(memory)
    assert memory.forget(scope={"trajectory": "live"}) == 1
    assert [one.trajectory_id for one in memory.trajectories()] == ["other"]


def test_vectors_wait_for_room_and_then_go_on_by_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "_PAUSE", 0.05)
    monkeypatch.setattr(indexing, "_QUIET", 0.01)
    with Memory(tmp_path / "m.db", encoder=None) as memory:
        for at in range(300):
            memory.add(f"walrus {at}")
    with Memory(tmp_path / "m.db", encoder=HashEncoder(dimension=512)) as memory:
        fill(memory)
        memory._wake()
        told = wait_for(memory, lambda notices: any("disk is full" in one for one in notices))
        assert any("vectors are not filled in any more" in one for one in told)
        make_room(memory)
        wait_for(memory, lambda notices: not any("disk is full" in one for one in notices))
        while memory.unindexed():
            time.sleep(0.01)


def wait_for(memory: Memory, is_so: Callable[[tuple[str, ...]], bool]) -> tuple[str, ...]:
    notices: tuple[str, ...] = ()
    for _ in range(2_000):
        notices = memory.recall("walrus 7", 200).notices
        if is_so(notices):
            return notices
        time.sleep(0.01)
    return pytest.fail(f"in vain: {notices}")
