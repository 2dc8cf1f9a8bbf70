"""What is exported: a trajectory with all below it, and media under the names the text shows."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from stepwell.errors import NotFoundError
from stepwell.formats.chat.media import SHOWN_DIGITS
from stepwell.memory.exporting import media_files, with_subagents
from stepwell.memory.memory import Memory
from stepwell.store.database import transaction
from stepwell.store.scope import Scope
from stepwell.store.write import put_trajectory
from support.trajectories import said, trajectory

if TYPE_CHECKING:
    from datetime import datetime

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(40))


def family(parents: dict[str, str | None]) -> Memory:
    """Return a memory of trajectories, each with the id of the one that started it."""
    memory = Memory(None, encoder=None)
    now: datetime = memory._clock()
    with transaction(memory._db):
        for name, parent in parents.items():
            run = replace(
                trajectory([said(0, f"I am {name}")], name=name), parent_trajectory_id=parent
            )
            put_trajectory(memory._db, run, scope=Scope(), now=now)
    return memory


def names(memory: Memory, trajectory: str | None = None) -> list[str]:
    return [one.trajectory_id for one in with_subagents(memory, trajectory)]


def test_all_below_come_after_the_one_that_was_named() -> None:
    memory = family({"a": None, "a/1": "a", "a/2": "a", "a/1/x": "a/1", "b": None, "b/1": "b"})
    assert names(memory, "a")[0] == "a"
    assert sorted(names(memory, "a")) == ["a", "a/1", "a/1/x", "a/2"]
    assert names(memory, "a/1") == ["a/1", "a/1/x"]
    assert names(memory, "b") == ["b", "b/1"]


def test_the_only_one_needs_no_name() -> None:
    assert names(family({"a": None, "a/1": "a"})) == ["a", "a/1"]


def test_a_log_that_is_its_own_ancestor_ends() -> None:
    assert names(family({"a": "b", "b": "a"}), "a") == ["a", "b", "a"]


def test_what_is_not_there_is_an_error() -> None:
    with pytest.raises(NotFoundError, match="no trajectory 'zz'"):
        with_subagents(family({"a": None}), "zz")


def test_media_are_named_by_the_digits_in_the_text() -> None:
    memory = Memory(None, encoder=None)
    url = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
    part = {"type": "image_url", "image_url": {"url": url}}
    memory.add({"role": "user", "content": [{"type": "text", "text": "see"}, part]})
    runs = with_subagents(memory, None)
    ((name, data),) = media_files(memory, runs)
    digits = hashlib.sha256(PNG).hexdigest()[:SHOWN_DIGITS]
    assert (name, data) == (f"{digits}.png", PNG)
    assert digits in memory.get("s0").text
    assert list(media_files(memory, [])) == []
