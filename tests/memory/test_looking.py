"""What is looked up by citation is there, or the error says what is."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from stepwell.errors import InvalidInputError, NotFoundError
from stepwell.memory.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(encoder=None) as memory:
        for text in ("hello", "two\nlines", "last"):
            memory.add(text)
        yield memory


def test_columns_are_counted_from_one(memory: Memory) -> None:
    assert memory.get("live/s0.m:L1C2-5").text == "ello"


@pytest.mark.parametrize("columns", ["C0-5", "C1-6", "C4-3", "C9-9"])
def test_columns_that_do_not_exist_are_not_found(memory: Memory, columns: str) -> None:
    with pytest.raises(NotFoundError, match="characters 1 to 5"):
        memory.get(f"live/s0.m:L1{columns}")


def test_characters_are_cited_over_lines(memory: Memory) -> None:
    assert memory.get("live/s1.m:C3-6").text == "o\nli"
    assert memory.get("live/s1.m:L1C2-L2C3").text == "wo\nlin"
    assert memory.get("live/s1.m:L1C3-L2C1").id == "live/s1.m:L1C3-L2C1"


@pytest.mark.parametrize("columns", ["C9-10", "L1C4-L2C1", "L1C1-L2C6", "L1C0-L2C1", "L1C1-L2C0"])
def test_characters_that_do_not_exist_are_not_found(memory: Memory, columns: str) -> None:
    with pytest.raises(NotFoundError, match="characters 1 to"):
        memory.get(f"live/s1.m:{columns}")


def test_a_negative_context_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidInputError, match="context=-1"):
        memory.get("live/s0", context=-1)


def test_a_wide_context_is_the_whole_trajectory(memory: Memory) -> None:
    assert [step.index for step in memory.get("live/s0", context=10**30).context] == [0, 1, 2]
    assert [step.index for step in memory.get("live/s2", context=10**30).context] == [0, 1, 2]


def test_a_step_far_beyond_the_end_is_not_found(memory: Memory) -> None:
    with pytest.raises(NotFoundError, match="its steps are 0 to 2"):
        memory.get(f"live/s{10**30}")


def test_an_empty_memory_says_so_and_a_prefix_prefers_the_run_to_its_subagents() -> None:
    with Memory(encoder=None) as memory:
        with pytest.raises(NotFoundError, match="nothing in this scope"):
            memory.timeline()
        memory.add("one", trajectory="run7")
        assert memory.get("[s0.m agent]").text == "one"
        assert memory.get("run/s0.m").text == "one"


@pytest.mark.parametrize("citation", ["s{}", "s1.c{}", "s1.m:L{}", "s1.m:L1-L{}", "s1.m:L1C1-{}"])
def test_a_number_of_any_length_is_an_error_that_explains(memory: Memory, citation: str) -> None:
    with pytest.raises(InvalidInputError, match="not a citation"):
        memory.get(citation.format("9" * 5000))


def test_the_task_that_a_log_states_is_cited_and_quoted() -> None:
    task = "Bring the walrus home.\nBefore dark."
    log = {"task": task, "messages": [{"role": "assistant", "content": "ice"}] * 2}
    with Memory(encoder=None) as memory:
        memory.add({"action": "look", "observation": "ice"}, trajectory="bare")
        with pytest.raises(NotFoundError, match="has no task"):
            memory.get("bare/s0.task")
    with Memory(encoder=None) as memory, TemporaryDirectory() as folder:
        path = Path(folder) / "run.json"
        path.write_text(json.dumps(log), encoding="utf-8")
        memory.ingest(path)
        (entry,) = memory.sessions()
        (item,) = (i for i in memory.recall("What was the task?", 300).items if i.part == "task")
        assert item.text == task
        assert item.id == f"{entry.trajectory_id}/s0.task"
        assert memory.get(item.id).text == task
        assert memory.get("s0.task:L2").text == "Before dark."
        with pytest.raises(NotFoundError, match="lines 1 to 2"):
            memory.get("s0.task:L3")
        with pytest.raises(NotFoundError, match="has no task"):
            memory.get("s1.task")
