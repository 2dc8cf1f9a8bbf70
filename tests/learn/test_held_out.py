from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.errors import PolicyError
from stepwell.learn.controls import (
    best_fixed,
    best_single,
    best_table,
    random_subsets,
    zero_shot,
)
from stepwell.learn.held_out import compare, hold_out, shares
from stepwell.learn.install import install_better, policy_file
from stepwell.learn.tables import subset_table, subsets_of
from stepwell.policy.base import STRUCTURES
from stepwell.policy.files import digest
from stepwell.policy.kinds import All, Fixed
from stepwell.policy.registry import find
from support.worlds import COST, NEEDED, PENALTY, World, cases_of

if TYPE_CHECKING:
    from pathlib import Path

    from stepwell.learn.cases import Evaluation

CASES = cases_of(12)


def of(policy: Fixed | All) -> Evaluation:
    return World().evaluate(policy, CASES)


def test_a_better_policy_beats_and_a_like_one_does_not() -> None:
    better = compare(
        of(Fixed(structures=("temporal", "graph"))),
        of(Fixed(structures=("summary",))),
        name="summary",
        penalty=PENALTY,
    )
    assert better.beats
    assert better.objective_difference.low > 0
    assert better.p < 0.05
    assert better.tokens_difference.mean == COST["temporal"] + COST["graph"] - COST["summary"]
    same = compare(of(All()), of(All()), name="itself", penalty=PENALTY)
    assert not same.beats
    assert same.p == 1


def test_a_worse_policy_does_not_beat_however_clearly_it_differs() -> None:
    worse = compare(
        of(Fixed(structures=("summary",))),
        of(Fixed(structures=("temporal", "graph"))),
        name="best",
        penalty=PENALTY,
    )
    assert worse.objective_difference.high < 0
    assert not worse.beats


def test_differences_are_those_of_the_objectives() -> None:
    found = hold_out(World(), All(), {"one": Fixed(structures=("units",))}, CASES, penalty=PENALTY)
    (one,) = found.against
    assert one.objective_difference.mean == pytest.approx(found.objective - one.objective)
    assert one.reward_difference.mean == pytest.approx(found.reward - one.reward)
    assert found.n_episodes == 12


def test_shares_of_weighted_values_have_the_weighted_mean() -> None:
    rng = np.random.default_rng(0)
    weighted = replace(of(All()), weights=rng.exponential(size=len(CASES)))
    assert shares(weighted, weighted.rewards).mean() == pytest.approx(weighted.reward)
    assert shares(of(All()), of(All()).rewards) == pytest.approx(of(All()).rewards)
    nothing = replace(weighted, weights=np.zeros(len(CASES)))
    assert shares(nothing, nothing.rewards).tolist() == [0.0] * len(CASES)


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


def test_what_is_better_is_installed_with_its_origin(tmp_path: Path) -> None:
    current, learned = find("plain"), Fixed(structures=("temporal", "graph"))
    better = compare(of(learned), of(Fixed(structures=("summary",))), name="plain", penalty=PENALTY)
    origin: dict[str, str | int | float] = {"data": "a world", "seed": 0}
    first = policy_file(learned, name="mine", parent=current, origin=origin)
    install_better(first, better, tmp_path)
    stored = find("mine", [tmp_path])
    assert stored.policy == learned
    assert stored.origin["parent"] == "plain.v1"
    assert stored.origin["parent_digest"] == digest(current)
    assert stored.origin["data"] == "a world"
    next_one = policy_file(Fixed(structures=("graph",)), name="mine", parent=stored, origin=origin)
    install_better(next_one, better, tmp_path)
    assert find("mine", [tmp_path]).version == 2
    assert find("mine.v1", [tmp_path]) == stored


def test_what_is_not_better_is_not_installed(tmp_path: Path) -> None:
    file = policy_file(All(), name="mine", parent=find("plain"), origin={})
    same = compare(of(All()), of(All()), name="plain", penalty=PENALTY)
    with pytest.raises(PolicyError, match=r"not shown to be better than plain.*interval"):
        install_better(file, same, tmp_path)
    assert list(tmp_path.iterdir()) == []
