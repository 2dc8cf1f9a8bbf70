"""From what was found to candidates: named steps with their neighbours, and the best by score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stepwell import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.recall.evidence import Evidence


@pytest.fixture
def memory() -> Iterator[Memory]:
    """Yield a memory of a run of sixty steps of which the thirtieth names a walrus."""
    with Memory(encoder=None) as memory:
        for number in range(60):
            topic = "walrus" if number == 30 else "yard"
            memory.add({"role": "user", "content": f"the {topic} is number {number}"})
        yield memory


def considered(evidence: Evidence) -> list[int]:
    """Return the steps that were quoted or left out, ascending."""
    quoted = {item.step for item in evidence.items}
    return sorted(quoted | {int(cut.id.rpartition("/s")[2]) for cut in evidence.cut})


@pytest.mark.parametrize(
    ("budget", "n"), [(100, 24), (432, 24), (449, 24), (450, 25), (900, 50), (5_000, 60)]
)
def test_as_many_steps_are_considered_as_outlines_would_fit(
    memory: Memory, budget: int, n: int
) -> None:
    assert len(considered(memory.recall("where is the walrus?", budget))) == n


def test_the_step_that_matches_and_those_around_it_are_considered(memory: Memory) -> None:
    steps = considered(memory.recall("where is the walrus?", 100))
    assert {28, 29, 30, 31, 32} <= set(steps)


@pytest.mark.parametrize(("step", "n"), [(50, [49, 50, 51]), (0, [0, 1]), (59, [58, 59])])
def test_the_neighbours_of_a_named_step_are_considered(
    memory: Memory, step: int, n: list[int]
) -> None:
    assert considered(memory.recall(f"what happened at step {step}?", 100)) == n


def test_steps_after_the_end_are_not_considered(memory: Memory) -> None:
    evidence = memory.recall("what of the walrus at step 9?", 100, before=10)
    assert max(considered(evidence)) == 9
