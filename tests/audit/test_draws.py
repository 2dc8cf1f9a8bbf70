"""Plausible evidence: steps that are near in time or in words, of those that can be evidence."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stepwell.audit.draws import (
    candidate_steps,
    drawn_sets,
    nearest_in_time,
    nearest_in_words,
)
from support.trajectories import said, step_lists, turn

if TYPE_CHECKING:
    from stepwell.trajectory.model import Step


def test_steps_that_call_are_candidates_and_others_are_not() -> None:
    steps = [said(0, "deploy"), turn(1, "make", "ok"), replace(turn(2, "ls", ""), active=False)]
    assert candidate_steps(steps) == [1]


def test_without_any_call_every_message_is_a_candidate_but_prompts_are_not() -> None:
    steps = [replace(said(0, "You are helpful."), kind="system"), said(1, "hello"), said(2, "hi")]
    assert candidate_steps(steps) == [1, 2]


def test_copied_context_is_never_evidence() -> None:
    assert candidate_steps([replace(turn(0, "ls", ""), is_copied_context=True)]) == []


@given(st.integers(1, 30), st.data())
def test_the_nearest_in_time_are_nearer_than_all_others(n_steps: int, data: st.DataObject) -> None:
    anchor = data.draw(st.integers(0, n_steps - 1))
    n = data.draw(st.integers(0, n_steps - 1))
    near = nearest_in_time(anchor, n_steps, n=n)
    rest = set(range(n_steps)) - {anchor, *near}
    assert len(near) == len(set(near)) == n
    assert anchor not in near
    farthest = max((abs(step - anchor) for step in near), default=0)
    assert all(abs(step - anchor) >= farthest for step in rest)


def test_the_nearest_in_words_share_the_rare_ones() -> None:
    texts = ["cat src/login.py", "ls", "ls again", "edit src/login.py", "ls once more"]
    assert nearest_in_words(texts, np.array([0, 1]), n=1)[0] == [3]


def test_texts_without_words_are_no_error() -> None:
    assert nearest_in_words(["", "", ""], np.array([1]), n=2) == [[0, 2]]


@given(step_lists(max_size=12), st.integers(2, 4), st.integers(1, 6), st.integers(0, 9))
def test_sets_are_distinct_candidates_around_their_anchor(
    steps: list[Step], size: int, most: int, seed: int
) -> None:
    found = list(drawn_sets(steps, size=size, most=most, rng=np.random.default_rng(seed)))
    candidates = set(candidate_steps(steps))
    if len(candidates) < size:
        assert found == []
        return
    assert len(found) == 3 * min(most, len(candidates))
    assert {origin for origin, _ in found} == {"time", "words", "chance"}
    for _, drawn in found:
        assert len(set(drawn)) == size
        assert set(drawn) <= candidates
    again = list(drawn_sets(steps, size=size, most=most, rng=np.random.default_rng(seed)))
    assert again == found
