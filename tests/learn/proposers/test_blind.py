from __future__ import annotations

import numpy as np

from stepwell.learn.proposers.blind import blind_variants
from stepwell.learn.proposers.guide import Guide
from stepwell.policy.conditions import parse_condition
from stepwell.policy.kinds import Rule, Rules
from support.worlds import PENALTY, World, cases_of

TRAIN = cases_of(30, seed=1)
RULES = Rules(
    rules=(Rule(when=(parse_condition("asks count"),), read=("graph",)),), default=("vector",)
)


def found(rules: Rules = RULES, seed: int = 0, **options: object) -> list[tuple[Rules, str]]:
    world = World()
    guide = Guide(evaluator=world, cases=TRAIN, penalty=PENALTY, **options)  # type: ignore[arg-type]
    variants = blind_variants(rules, guide, np.random.default_rng(seed))
    told = [(one.rules, one.description) for one in variants]
    assert world.n_evaluated == 0  # nothing is known of rewards
    return told


def test_a_hundred_changes_are_drawn_and_a_seed_draws_the_same() -> None:
    assert len(found()) == 100
    assert found() == found()
    assert found(seed=1) != found()


def test_each_is_a_rule_added_dropped_or_read_anew() -> None:
    kinds = set()
    for rules, said in found():
        n = len(rules.rules)
        if said.startswith("new rule"):
            kinds.add("added")
            number = int(said.split()[2].rstrip(":")) - 1
            assert n == 2
            assert len(rules.rules[number].when) == 1
            assert rules.rules[1 - number] == RULES.rules[0]
        elif said.startswith("without rule"):
            kinds.add("dropped")
            assert (said, rules) == ("without rule 1", Rules(rules=(), default=("vector",)))
        else:
            kinds.add("anew")
            assert n == 1
            read = said.split(": ")[1].split(" + ")
            changed = rules.rules[0].read if said.startswith("rule 1") else rules.default
            assert list(changed) == read
    assert kinds == {"added", "dropped", "anew"}


def test_every_subset_may_be_drawn_and_none_is_empty() -> None:
    read = {
        rules.default
        for seed in range(8)
        for rules, _ in found(Rules(rules=(), default=("vector",)), seed)
    }
    assert () not in read
    assert {len(one) for one in read} >= {1, 2, 3, 4, 5}


def test_without_conditions_no_rule_is_added() -> None:
    told = found(subjects=frozenset())
    assert not [said for _, said in told if said.startswith("new rule")]
    assert len(told) == 100
