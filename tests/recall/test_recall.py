"""A recall from question to evidence: what is told first, what fails, what is known besides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.errors import BudgetTooSmallError, PolicyError
from stepwell.memory.memory import Memory

if TYPE_CHECKING:
    from stepwell.policy.base import Context, Selection


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


def test_a_budget_that_holds_no_payload_is_told_before_the_policy_is_asked(memory: Memory) -> None:
    class Never:
        name = "never"

        def select(self, question: str, context: Context) -> Selection:
            raise AssertionError(question, context)

    with pytest.raises(BudgetTooSmallError):
        memory.recall("which port?", 3, policy=Never())


def test_a_policy_that_fails_is_an_error_of_its_kind(memory: Memory) -> None:
    class Fails:
        name = "fails"

        def select(self, question: str, context: Context) -> Selection:
            raise PolicyError(f"No idea of {question!r}.", hint=f"Ask {context.domain or 'me'}.")

    with pytest.raises(PolicyError, match="No idea of 'which port"):
        memory.recall("which port?", 300, policy=Fails())


def test_how_well_a_question_is_supported_is_told_and_is_whole_where_it_names_its_step(
    memory: Memory,
) -> None:
    asked = ("What is the zebra's port?", "Who painted the lighthouse?")
    something, nothing = (memory.recall(question, 300) for question in asked)
    assert (something.support or 0) > 0.5 > (nothing.support or 0)
    assert (something.absence, bool(nothing.absence)) == ("", True)
    assert memory.recall("What happened at step 0?", 300).support == 1.0


@pytest.mark.parametrize("form", ["text", "json"])
@given(question=st.text(max_size=60), budget=st.integers(120, 600))
@settings(max_examples=25, deadline=None)
def test_any_question_gets_a_payload_within_its_budget_and_the_same_one_twice(
    form: Literal["text", "json"], question: str, budget: int
) -> None:
    with Memory(encoder=None, log_recalls=False) as memory:
        memory.add({"action": f"echo {question}", "observation": "The zebra's port is 80."})
        memory.add("The walrus sleeps.")
        asked = question.strip() or "?"
        one, other = (memory.recall(asked, budget, format=form) for _ in range(2))
        assert one.tokens <= budget
        assert (one.text, one.tokens, one.items) == (other.text, other.tokens, other.items)
