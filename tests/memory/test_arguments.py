"""A wrong argument is refused by name, with what to give instead; a right one comes back."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from stepwell.errors import InvalidInputError, StoreError
from stepwell.memory.arguments import (
    check_budget,
    check_context,
    check_format,
    check_place,
    check_times,
)
from stepwell.memory.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "wrong",
    [
        {"query": None},
        {"query": 5},
        {"query": b"x"},
        {"budget": "800"},
        {"budget": None},
        {"budget": 800.5},
        {"budget": math.nan},
        {"budget": True},
        {"before": "2026-01-01"},
        {"before": 1.5},
        {"before": True},
        {"before": -1},
        {"before": NOON.replace(tzinfo=None)},
        {"format": "xml"},
        {"format": ["text"]},
        {"scope": "abc"},
        {"scope": {"user_id": 5}},
        {"scope": {"nobody": "x"}},
    ],
    ids=str,
)
def test_recall_refuses(wrong: dict[str, Any]) -> None:
    with Memory(encoder=None) as memory, pytest.raises(InvalidInputError) as refused:
        memory.recall(**{"query": "which port?", **wrong})
    assert next(iter(wrong)) in str(refused.value) or "user_id" in str(refused.value)
    assert refused.value.hint


@pytest.mark.parametrize(
    "call",
    [
        lambda memory: memory.get(None),
        lambda memory: memory.get("live/s0", context="1"),
        lambda memory: memory.timeline(5),
        lambda memory: memory.trajectory(b"x"),
        lambda memory: memory.sessions(scope=5),
    ],
    ids=["get", "context", "timeline", "trajectory", "sessions"],
)
def test_looking_refuses(call: Callable[[Any], object]) -> None:
    with Memory(encoder=None) as memory:
        memory.add("hello")
        with pytest.raises(InvalidInputError) as refused:
            call(memory)
    assert refused.value.hint


def test_an_encoder_is_no_name() -> None:
    name: Any = "minilm"
    with pytest.raises(InvalidInputError, match="registry"):
        Memory(encoder=name)


def test_what_is_right_comes_back() -> None:
    assert check_budget(np.int64(800)) == 800
    assert check_place(None, name="before") is None
    assert [check_place(one, name="before") for one in (0, NOON)] == [0, NOON]
    assert check_context(10**30) == 10**30
    assert [check_format("text"), check_format("json")] == ["text", "json"]


def test_a_time_is_a_day_or_words_that_name_one() -> None:
    day = datetime(2026, 9, 12, tzinfo=UTC)
    now = datetime(2026, 9, 13, 9, tzinfo=UTC)
    for on in (day.date(), "2026-09-12", "yesterday", "on 12 September"):
        assert check_times(on, after=None, before=None, now=now) == (day, day + timedelta(days=1))
    assert check_times(None, after=3, before=day, now=now) == (3, day)


@pytest.mark.parametrize("on", ["soon", "", 5, "2026-09-12 or 2026-09-13"])
def test_what_is_no_one_time_is_refused(on: object) -> None:
    with pytest.raises(InvalidInputError, match="cannot be used"):
        check_times(on, after=None, before=None, now=NOON)


def test_a_time_and_its_limits_are_not_given_together() -> None:
    for limits in ({"after": 1, "before": None}, {"after": None, "before": NOON}):
        with pytest.raises(InvalidInputError, match="Both"):
            check_times("today", now=NOON, **limits)


def test_a_long_wrong_argument_is_not_repeated_whole() -> None:
    with pytest.raises(InvalidInputError) as refused:
        check_budget("9" * 10_000)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(
    "call",
    [
        lambda memory, _: memory.add("x"),
        lambda memory, path: memory.ingest(path),
        lambda memory, _: memory.recall("x"),
        lambda memory, _: memory.get("live/s0"),
        lambda memory, _: memory.sessions(),
        lambda memory, _: memory.trajectory(),
        lambda memory, _: memory.timeline(),
        lambda memory, _: memory.forget(everything=True),
        lambda memory, _: memory.stats(),
        lambda memory, _: memory.index(),
        lambda memory, _: memory.reindex(),
        lambda memory, _: memory.unindexed(),
    ],
    ids=[
        "add",
        "ingest",
        "recall",
        "get",
        "sessions",
        "trajectory",
        "timeline",
        "forget",
        "stats",
        "index",
        "reindex",
        "unindexed",
    ],
)
def test_a_closed_memory_says_so(call: Callable[[Any, Path], object], tmp_path: Path) -> None:
    memory = Memory(encoder=None)
    memory.add("hello")
    memory.close()
    memory.close()  # closing twice is no error
    with pytest.raises(StoreError, match="this memory is closed"):
        call(memory, tmp_path)
