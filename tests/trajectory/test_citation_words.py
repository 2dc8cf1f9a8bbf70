"""Several steps in one word, as payloads name them, can be asked for at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell import Memory
from stepwell.errors import InvalidInputError, NotFoundError
from stepwell.recall.evidence import address
from stepwell.trajectory.atoms import parse_citation, parse_citations


@given(
    st.sets(st.integers(0, 400), min_size=1, max_size=60), st.sampled_from(["", "run7/", "a/b,c/"])
)
def test_a_word_of_steps_is_read_as_it_was_written(steps: set[int], prefix: str) -> None:
    word = address(sorted(steps), listed=len(steps))
    read = parse_citations(f"[{prefix}{word} tail]")
    assert [citation.step for citation in read] == sorted(steps)
    assert {citation.trajectory for citation in read} == {prefix.rstrip("/") or None}


@pytest.mark.parametrize("one", ["s4", "s4.o1", "s4.o1:L3-L9", "run7/s4.c2", "s4.o1:L3C1-20"])
def test_one_citation_is_itself(one: str) -> None:
    assert parse_citations(one) == (parse_citation(one),)


def test_a_count_of_more_names_nothing() -> None:
    assert [one.step for one in parse_citations("s0,s2,s4,s6,+16")] == [0, 2, 4, 6]


@pytest.mark.parametrize("wrong", ["", "s", "s1,,s2", "s1;s2", "s3-s5.o1", "3-5", "s1, s2"])
def test_what_is_no_such_word_is_refused(wrong: str) -> None:
    with pytest.raises(InvalidInputError):
        parse_citations(wrong)


def test_a_range_of_half_the_world_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="more than 1000 steps"):
        parse_citations("s0-s999999999999")


def test_a_memory_expands_each_of_them() -> None:
    with Memory(encoder=None) as memory:
        for number in range(6):
            memory.add({"role": "user", "content": f"message {number}"}, trajectory="run7")
        shown = memory.expand("run7/s1-s2,s5", context=1)
        assert [one.step.index for one in shown] == [1, 2, 5]
        assert [step.index for step in shown[0].context] == [0, 1, 2]
        assert [one.text for one in memory.expand("s3.m")] == ["message 3"]
        with pytest.raises(NotFoundError, match="no step 9"):
            memory.expand("s1,s9")
