"""Steps of a time that the question names come first, and are shown with their days."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell import Memory
from stepwell.recall.rank.score import PassageScores, Scored
from stepwell.recall.rank.timed import over_time, put_first
from stepwell.store.rowids import MAX_PLACES
from support.trajectories import said

if TYPE_CHECKING:
    from collections.abc import Iterator

NOW = datetime(2026, 9, 24, 12, tzinfo=UTC)


def scored(keys: list[int], total: list[float], hits: list[int]) -> Scored:
    rows = np.array([key * MAX_PLACES for key in hits], dtype=np.int64)
    passages = PassageScores(rows=rows, values=np.ones(len(rows)), least=0.0)
    every = np.array(keys, dtype=np.int64)
    return Scored(keys=every, total=np.array(total), parts={}, passages=passages)


def test_steps_of_the_time_stand_above_all_others_in_their_order() -> None:
    found = put_first(scored([1, 2, 3, 4], [5.0, 1.0, 2.0, 4.0], []), [2, 3])
    assert found.total.tolist() == [5.0, 6.0, 7.0, 4.0]
    assert put_first(found, [9]) is found
    assert put_first(found, [1, 2, 3, 4]) is found


def test_a_time_no_word_is_found_in_is_outlined() -> None:
    named = over_time(scored([1, 2, 3, 4], [0.0] * 4, [1]), [2, 3, 4])
    assert [(key, one.rank) for key, one in named.items()] == [(2, 0), (4, 1), (3, 2)]
    assert over_time(scored([1, 2], [0.0] * 2, [2]), [2]) == {}


@pytest.fixture
def memory() -> Iterator[Memory]:
    """Yield a memory of twenty days, on each of which some vegetable was planted at noon."""
    with Memory(encoder=None, clock=lambda: NOW) as memory:
        for n in range(20):
            step = replace(said(n, f"planted bed {n} today"), t_start=NOW - timedelta(days=n))
            memory.add(replace(step, index=0), trajectory=f"day{n:02}")
        yield memory


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("What was planted on 2026-09-12?", [12]),
        ("What was planted yesterday?", [1]),
        ("what happened three days ago?", [3]),
        ("last week?", [4, 5, 6, 7, 8, 9, 10]),
    ],
)
def test_a_question_with_a_date_finds_that_day(
    memory: Memory, question: str, days: list[int]
) -> None:
    evidence = memory.recall(question, 400)
    first = sorted(evidence.items, key=lambda item: -item.score)[: len(days)]
    assert sorted(int(item.trajectory[3:]) for item in first) == days
    assert f" on {NOW - timedelta(days=days[0]):%Y-%m-%d}]" in evidence.text


def test_on_after_and_before_leave_nothing_else(memory: Memory) -> None:
    def days(**limits: object) -> list[int]:
        evidence = memory.recall("What was planted?", 2_000, **limits)  # type: ignore[arg-type]
        return sorted(int(item.trajectory[3:]) for item in evidence.items)

    assert days(on="yesterday") == [1]
    assert days(on=NOW.date()) == [0]
    assert days(after=NOW - timedelta(days=2)) == [0, 1, 2]
    assert days(before=NOW - timedelta(days=17)) == [18, 19]
    assert days(after=0) == []


def test_after_a_step_only_later_ones_are_quoted_and_computed_from() -> None:
    with Memory(encoder=None) as memory:
        for n in range(8):
            memory.add({"role": "user", "content": f"planted bed {n}"})
        for question in ("What was planted?", "What does step 2 say?", "zebra"):
            evidence = memory.recall(question, 2_000, after=4)
            assert {item.step for item in evidence.items} <= {5, 6, 7}
        assert {item.step for item in memory.recall("planted", after=4).items} == {5, 6, 7}
        for n in range(2):
            memory.add({"action": "take rope 1 from crate 1", "observation": f"Taken: {n}."})
        notes = memory.recall("How often was rope 1 taken?", 2_000, after=8).notes
        assert notes
        assert {step for note in notes for step in note.steps} == {9}
