"""What a recall says of a policy that names structures there are none of."""

from __future__ import annotations

import pytest

from stepwell.memory.memory import Memory


@pytest.fixture
def memory() -> Memory:
    found = Memory(None, encoder=None)
    found.add("The zebra's port is 80.")
    return found


def test_names_that_are_no_structures_are_told(memory: Memory) -> None:
    evidence = memory.recall("which port?", 300, policy=["temporl", "diary"])
    (told,) = (one for one in evidence.notices if "no such structure" in one)
    assert told.startswith("the policy names temporl, diary, and there is no such structure; ")
    assert "episodic" in told
    partly = memory.recall("which port?", 300, policy=["episodic", "diary"])
    assert any("names diary, and" in one and "episodic was read" in one for one in partly.notices)


def test_a_structure_that_is_only_not_here_is_none_that_is_unknown(memory: Memory) -> None:
    evidence = memory.recall("which port?", 300, policy=["vector", "episodic"])
    assert not any("no such structure" in one for one in evidence.notices)
