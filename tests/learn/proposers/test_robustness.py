from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stepwell.learn.proposers.guide import Guide, reading_of
from stepwell.learn.proposers.robustness import robustness_variants
from stepwell.policy.base import STRUCTURES
from stepwell.policy.conditions import parse_condition
from stepwell.policy.kinds import Rule, Rules
from support.worlds import PENALTY, World, cases_of

TRAIN = cases_of(30, seed=1)
GUIDE = Guide(evaluator=World(), cases=TRAIN, penalty=PENALTY, limits=False)
WEB, NOWHERE = parse_condition("domain is web"), parse_condition("domain is nowhere")


def variants(rules: Rules, guide: Guide = GUIDE, *, seed: int = 0) -> dict[str, Rules]:
    found = robustness_variants(rules, guide, (), np.random.default_rng(seed))
    return {one.description: one.rules for one in found}


def best_pair(guide: Guide = GUIDE) -> tuple[str, ...]:
    pairs = [one for one in guide.readings(()) if len(one[0]) == 2]
    return max(pairs, key=lambda one: float(guide.worth(one).mean()))[0]


def test_to_repair_everything_is_read_or_the_pair_worth_most() -> None:
    rules = Rules(rules=(), default=("graph",))
    found = list(robustness_variants(rules, GUIDE, (WEB,), np.random.default_rng(0)))
    assert [one.rules.rules[0].read for one in found] == [STRUCTURES, best_pair()]
    assert {one.rules.rules[0].when for one in found} == {(WEB,)}
    assert all(one.description.startswith("first of all, domain is web: ") for one in found)


def test_without_pairs_everything_is_read() -> None:
    guide = replace_reach(1)
    found = list(
        robustness_variants(
            Rules(rules=(), default=("graph",)), guide, (WEB,), np.random.default_rng(0)
        )
    )
    assert [one.rules.rules[0].read for one in found] == [STRUCTURES]


def replace_reach(reach: int) -> Guide:
    return Guide(evaluator=World(), cases=TRAIN, penalty=PENALTY, reach=reach, limits=False)


def test_a_rule_that_never_applies_is_widened_or_dropped() -> None:
    rules = Rules(rules=(Rule(when=(NOWHERE,), read=("graph",)),), default=("vector",))
    found = variants(rules)
    wide = f"rule 1, of which little is known: {' + '.join(STRUCTURES)}"
    assert found[wide].rules == (Rule(when=(NOWHERE,), read=STRUCTURES),)
    assert f"rule 1, of which little is known: {' + '.join(best_pair())}" in found
    assert found["without rule 1"] == Rules(rules=(), default=("vector",))
    assert not any("rule 2" in said for said in found)  # the default has cases enough


@pytest.mark.parametrize(("n", "widened"), [(19, True), (20, False)])
def test_little_is_known_below_twenty_cases(n: int, widened: bool) -> None:  # noqa: FBT001
    cases = [
        replace(case, context=replace(case.context, domain="rare" if place < n else "common"))
        for place, case in enumerate(TRAIN)
    ]
    guide = Guide(evaluator=Flat(), cases=cases, penalty=PENALTY, limits=False)
    rare = Rule(when=(parse_condition("domain is rare"),), read=("graph",))
    found = variants(Rules(rules=(rare,), default=("vector",)), guide)
    assert any("rule 1, of which little is known" in said for said in found) is widened
    assert "without rule 1" not in found


class Flat(World):
    """A world in which everything is worth the same."""

    def reward(self, case: object, names: tuple[str, ...]) -> float:  # noqa: ARG002
        return 0.5


def test_what_is_read_already_is_no_way_to_read_more() -> None:
    rules = Rules(rules=(Rule(when=(NOWHERE,), read=STRUCTURES),), default=("vector",))
    little = [said for said in variants(rules) if "little is known" in said]
    assert little == [f"rule 1, of which little is known: {' + '.join(best_pair())}"]


def test_a_structure_that_adds_no_reward_is_left_out_with_its_limit() -> None:
    guide = Guide(evaluator=Flat(), cases=TRAIN, penalty=PENALTY, limits=False)
    rule = Rule(when=(), read=("graph", "units"), tokens={"units": 70, "graph": 80})
    found = variants(Rules(rules=(rule,), default=("vector",)), guide)
    assert found["rule 1 without graph"].rules == (
        Rule(when=(), read=("units",), tokens={"units": 70}),
    )
    assert found["rule 1 without units"].rules == (
        Rule(when=(), read=("graph",), tokens={"graph": 80}),
    )


class Lost(World):
    """A world in which leaving the graph out costs so much, whatever else is read."""

    cost = 0.0

    def reward(self, case: object, names: tuple[str, ...]) -> float:  # noqa: ARG002
        return 0.5 if "graph" in names else 0.5 - self.cost


@pytest.mark.parametrize(("cost", "left_out"), [(0.004, True), (0.006, False)])
def test_half_a_point_of_reward_is_nothing(cost: float, left_out: bool) -> None:  # noqa: FBT001
    world = Lost()
    world.cost = cost
    guide = Guide(evaluator=world, cases=TRAIN, penalty=PENALTY, limits=False)
    found = variants(Rules(rules=(), default=("graph", "units")), guide)
    assert ("rule 1 without graph" in found) is left_out
    assert "rule 1 without units" in found


def test_the_only_structure_of_a_rule_stays() -> None:
    assert variants(Rules(rules=(), default=("graph",))) == {}


@pytest.mark.parametrize(
    ("tokens", "budget", "expected"),
    [
        ({}, 4000, {2000, 4000}),  # an only structure has the whole budget, which is the most
        ({"graph": 600}, 4000, {300, 1200}),
        ({"graph": 3000}, 4000, {1500, 4000}),
        ({"graph": 99}, 4000, {198}),  # half is too little for a structure
        ({"graph": 100}, 4000, {50, 200}),
        ({"graph": 4000}, 4000, {2000}),  # doubling changes nothing
    ],
)
def test_tokens_of_a_structure_are_halved_or_doubled(
    tokens: dict[str, int], budget: int, expected: set[int]
) -> None:
    cases = [replace(case, context=replace(case.context, budget=budget)) for case in TRAIN]
    guide = Guide(evaluator=World(), cases=cases, penalty=PENALTY)
    rules = Rules(rules=(Rule(when=(), read=("graph",), tokens=tokens),), default=("graph",))
    found = {said: one for said, one in variants(rules, guide).items() if " tokens of " in said}
    assert set(found) == {f"rule 1 with {limit} tokens of graph" for limit in expected}
    assert {one.rules[0].tokens["graph"] for one in found.values()} == expected


def test_a_structure_without_a_limit_is_taken_to_have_an_equal_part() -> None:
    guide = Guide(evaluator=World(), cases=TRAIN, penalty=PENALTY)
    rules = Rules(rules=(), default=("graph", "units"))
    limits = {
        int(said.split(" with ")[1].split()[0])
        for seed in range(4)
        for said in variants(rules, guide, seed=seed)
        if " tokens of " in said
    }
    assert limits == {1000, 4000}
    assert reading_of(("graph",))[1] == ()
