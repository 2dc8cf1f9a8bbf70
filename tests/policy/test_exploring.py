from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.errors import InvalidInputError
from stepwell.learn.tables import subsets_of
from stepwell.policy.base import STRUCTURES, Context
from stepwell.policy.exploring import Exploring
from stepwell.policy.kinds import Fixed, Rule, Rules

CONTEXT = Context(available=("temporal", "vector", "episodic"))


@given(st.floats(0, 1), st.text(max_size=30), st.integers(0, 1000))
def test_what_is_chosen_is_available_and_has_a_chance(share: float, text: str, seed: int) -> None:
    policy = Exploring(policy=Fixed(structures=("vector",)), share=share, seed=seed)
    found = policy.select(text, CONTEXT)
    assert found.structures
    assert set(found.structures) <= set(CONTEXT.available)
    assert 0 < found.chance <= 1
    assert policy.select(text, CONTEXT) == found


@given(st.integers(1, 6), st.floats(0.2, 1), st.integers(1, 63))
def test_the_chances_of_all_subsets_sum_to_one(n: int, share: float, inner: int) -> None:
    context = Context(available=STRUCTURES[:n])
    subsets = subsets_of(context.available)
    chosen = subsets[inner % len(subsets)]
    policy = Exploring(policy=Fixed(structures=chosen), share=share)
    chances: dict[tuple[str, ...], float] = {}
    number = 0
    while len(chances) < len(subsets):
        found = policy.select(f"Why {number}?", context)
        number += 1
        assert chances.setdefault(found.structures, found.chance) == found.chance
    assert sum(chances.values()) == pytest.approx(1)
    assert chances[chosen] == pytest.approx(share / len(subsets) + 1 - share)


def test_choices_come_as_often_as_their_chance_says() -> None:
    policy = Exploring(policy=Fixed(structures=("vector",)), share=0.5)
    drawn = [policy.select(f"Why {number}?", CONTEXT) for number in range(7000)]
    counts = Counter(one.structures for one in drawn)
    assert len(counts) == 7
    for one in drawn[:50]:
        assert counts[one.structures] / 7000 == pytest.approx(one.chance, abs=0.02)


def test_what_is_tried_by_chance_but_is_the_inner_choice_keeps_its_tokens() -> None:
    rule = Rule(when=(), read=("vector",), tokens={"vector": 70})
    policy = Exploring(policy=Rules(rules=(rule,), default=("vector",)), share=0.9)
    found = [policy.select(f"Why {number}?", CONTEXT) for number in range(200)]
    assert {one.tokens["vector"] for one in found if one.structures == ("vector",)} == {70}


def test_any_text_can_be_asked() -> None:
    policy = Exploring(policy=Fixed(structures=("vector",)), share=1.0)
    assert policy.select("\ud800 \x00", CONTEXT).structures


def test_what_is_no_share_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="no share"):
        Exploring(policy=Fixed(structures=("vector",)), share=1.5)
