from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.learn.controls import (
    PLAIN,
    best_fixed,
    best_single,
    best_table,
    controls,
    random_subsets,
    zero_shot,
)
from stepwell.learn.tables import SubsetTable, subset_table, subsets_of
from stepwell.policy.base import STRUCTURES
from stepwell.policy.kinds import ANY, All, Fixed, Table
from support.worlds import NEEDED, PENALTY, World, cases_of

if TYPE_CHECKING:
    from stepwell.learn.cases import Case, Evaluation

CASES = cases_of(12)


def of(policy: Fixed | All) -> Evaluation:
    return World().evaluate(policy, CASES)


def test_tables_hold_the_best_subset_of_each_domain() -> None:
    table = subset_table(World(), CASES, subsets_of(STRUCTURES))
    found = best_table(table, PENALTY, kinds=False)
    assert set(found.cells) == {(domain, "*") for domain, _ in NEEDED}
    for (domain, _), subset in found.cells.items():
        among = [case for case in CASES if case.context.domain == domain]
        values = {
            names: World().evaluate(Fixed(structures=names), among).objective(PENALTY)
            for names in table.subsets
        }
        assert values[subset] == pytest.approx(max(values.values()))


def test_fixed_controls_are_the_best_of_their_kind() -> None:
    table = subset_table(World(), CASES, subsets_of(STRUCTURES))
    single = best_single(table, PENALTY)
    values = [of(Fixed(structures=(name,))).objective(PENALTY) for name in STRUCTURES]
    assert of(Fixed(structures=(single.structure,))).objective(PENALTY) == max(values)
    fixed = best_fixed(table, PENALTY)
    assert of(fixed).objective(PENALTY) == pytest.approx(table.objectives(PENALTY).max())


def test_random_subsets_differ_by_question_and_not_by_call() -> None:
    policy = random_subsets(3)
    chosen = [policy.select(case.question, case.context).structures for case in CASES]
    assert chosen == [policy.select(case.question, case.context).structures for case in CASES]
    assert len(set(chosen)) > 20


def test_the_rules_that_come_along_choose_for_every_case() -> None:
    assert all(zero_shot().select(case.question, case.context).structures for case in CASES)


def table_of(
    cases: list[Case], subsets: list[tuple[str, ...]], rewards: list[list[float]]
) -> SubsetTable:
    array = np.array(rewards)
    return SubsetTable(
        cases=cases,
        subsets=subsets,
        rewards=array,
        tokens=np.zeros_like(array),
        weights=np.ones_like(array),
    )


def test_the_best_single_is_no_pair_however_good_and_the_first_of_equals() -> None:
    subsets = [("a", "b"), ("b",), ("a",)]
    assert best_single(table_of(CASES[:1], subsets, [[1.0, 0.5, 0.5]]), 0.0).structure == "b"
    assert best_single(table_of(CASES[:1], subsets, [[1.0, 0.4, 0.5]]), 0.0).structure == "a"


def test_tokens_count_in_what_is_best() -> None:
    table = table_of(CASES[:1], [("a",), ("b",)], [[0.9, 0.8]])
    table = replace(table, tokens=np.array([[1000.0, 100.0]]))
    assert best_fixed(table, 0.0) == Fixed(structures=("a",))
    assert best_fixed(table, 1e-3) == Fixed(structures=("b",))


def test_a_table_of_kinds_has_a_cell_for_each_pair_and_any_for_what_is_blank() -> None:
    contexts = [("web", "why"), ("web", " "), ("", "why"), (" web ", "why")]
    cases = [
        replace(case, context=replace(case.context, domain=domain, kind=kind))
        for case, (domain, kind) in zip(CASES, contexts, strict=False)
    ]
    rewards = [[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [0.1, 0.0]]
    found = best_table(table_of(cases, [("a",), ("b",)], rewards), 0.0, kinds=True)
    expected = {("web", "why"): ("a",), ("web", ANY): ("b",), (ANY, "why"): ("b",)}
    assert found == Table(cells=expected, default=("b",))


def test_all_controls_are_there_by_name() -> None:
    found = controls(World(), CASES, penalty=PENALTY, seed=3)
    assert list(found) == [
        "all",
        "plain",
        "route-to-one",
        "best fixed",
        "domain table",
        "domain and kind table",
        "zero-shot rules",
        "random subset",
    ]
    assert found["plain"] is PLAIN
    assert found["random subset"] == random_subsets(3)
    best = World().evaluate(found["best fixed"], CASES).objective(PENALTY)
    assert best >= World().evaluate(found["all"], CASES).objective(PENALTY)


@pytest.mark.parametrize(
    ("largest", "expected"), [(1, 6 + 1), (2, 6 + 15 + 1), (6, 63), (None, 63)]
)
def test_subsets_up_to_the_largest_are_tried_and_everything(
    largest: int | None, expected: int
) -> None:
    world = World()
    controls(world, CASES, penalty=PENALTY, largest=largest)
    assert world.n_evaluated == expected * len(CASES)


def test_random_subsets_of_another_seed_are_others() -> None:
    one, other = (
        [random_subsets(seed).select(case.question, case.context).structures for case in CASES]
        for seed in (0, 1)
    )
    assert one != other
