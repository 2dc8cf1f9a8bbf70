"""What a policy would see of a memory."""

from __future__ import annotations

import pytest

from stepwell.errors import BudgetTooSmallError
from stepwell.memory.memory import Memory
from stepwell.memory.preview import context_of


@pytest.fixture
def memory() -> Memory:
    found = Memory(None, encoder=None, log_recalls=True)
    for n in range(4):
        found.add({"action": f"ss -ltn {n}", "observation": f"LISTEN 543{n}"})
    return found


def test_every_signal_is_computed(memory: Memory) -> None:
    context = context_of(memory, "how often was ss run?", 300)
    assert context is not None
    assert (context.n_steps, context.budget) == (4, 300)
    names = set(context.signals)
    assert {"temporal.slots", "words.top"} <= names
    plain = memory.recall("how often was ss run?", 300, policy="plain").context
    assert plain is not None
    assert set(plain.signals) < names


def test_a_preview_is_no_recall_of_a_memory_that_logs_none() -> None:
    memory = Memory(None, encoder=None, log_recalls=False)
    memory.add("x")
    context_of(memory, "x?", 300)
    assert memory.recalls() == []


def test_a_budget_that_holds_nothing_is_an_error(memory: Memory) -> None:
    with pytest.raises(BudgetTooSmallError):
        context_of(memory, "which port?", 3)
