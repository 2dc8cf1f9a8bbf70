"""A grid keeps which questions are asked how, and which rewards are known."""

from __future__ import annotations

import pytest

from stepwell.learn.cases import Case
from stepwell.learn.replay.ledger import Reading
from stepwell.policy.base import Context
from stepwell_bench.mesa.grid import Grid, asked, at_budget

IDS = ("a#0 as-asked", "a#0 stripped", "a#1 as-asked")
"""The second question names no step, so it is the same in both ways."""


def case(name: str) -> Case:
    return Case(id=name, episode=name[0], question="Why?", context=Context(budget=100))


def reading(name: str, *, evidence: float, literal: float | None, rules: str = "") -> Reading:
    return Reading(name, 100, "episodic", 50, evidence, evidence, literal, None, rules)


CASES = tuple(map(case, IDS))


@pytest.mark.parametrize(
    ("mode", "wanted"), [("as-asked", (IDS[0], IDS[2])), ("stripped", (IDS[1], IDS[2]))]
)
def test_a_question_that_is_the_same_in_both_ways_counts_in_both(
    mode: str, wanted: tuple[str, ...]
) -> None:
    assert tuple(one.id for one in asked(CASES, mode)) == wanted  # type: ignore[arg-type]  # of two


def test_cases_can_be_given_another_budget() -> None:
    assert {one.context.budget for one in at_budget(CASES, 700)} == {700}
    assert {one.context.budget for one in CASES} == {100}


def test_an_unknown_reward_has_no_weight_and_rules_are_counted() -> None:
    rows = [
        (reading(IDS[0], evidence=0.5, literal=None, rules="over-budget"),),
        (reading(IDS[1], evidence=0.1, literal=0.2, rules="over-budget misquoted"),),
        (reading(IDS[2], evidence=1.0, literal=0.75),),
    ]
    grid = Grid(cases=CASES, subsets=(("episodic",),), readings=tuple(rows))
    table = grid.table("literal", "as-asked")
    assert table.rewards.tolist() == [[0.0], [0.75]]
    assert table.weights.tolist() == [[0.0], [1.0]]
    assert grid.table("evidence", "stripped").rewards.tolist() == [[0.1], [1.0]]
    assert grid.violations == {"misquoted": 1, "over-budget": 2}
