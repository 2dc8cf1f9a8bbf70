from __future__ import annotations

from dataclasses import replace

import pytest

from stepwell.learn.proposers.demand import demand_variants
from stepwell.learn.proposers.guide import Guide
from stepwell.policy.conditions import Condition, parse_condition
from stepwell.policy.kinds import Rule, Rules
from support.worlds import PENALTY, World, cases_of

TRAIN = cases_of(30, seed=1)
GUIDE = Guide(evaluator=World(), cases=TRAIN, penalty=PENALTY, reach=1)
READINGS = GUIDE.readings(())
COUNTS, WHY, WEB = (parse_condition(text) for text in ("asks count", "asks why", "domain is web"))
ONE = Rule(when=(COUNTS,), read=("graph",))
RULES = Rules(rules=(ONE,), default=("vector",))
SIGNS = [one for one in GUIDE.conditions() if one.subject not in {"domain", "kind"}]


def test_signs_are_added_then_replaced_then_rules_dropped() -> None:
    said = [one.description for one in demand_variants(RULES, GUIDE, (), READINGS)]
    kinds = [
        "new"
        if text.startswith("new rule")
        else "in place"
        if " in place of " in text
        else "without"
        for text in said
    ]
    assert kinds == sorted(kinds, key=["new", "in place", "without"].index)
    # Thirty for what the rule takes, at most, and thirty for the default.
    assert kinds.count("new") == 2 * 30
    assert kinds.count("in place") == 2 * len(SIGNS) - 1
    assert kinds.count("without") == 1


def test_a_new_rule_takes_cases_from_the_one_behind_it() -> None:
    for one in demand_variants(RULES, GUIDE, (), READINGS):
        if one.description.startswith("new rule 1: "):
            first, second = one.rules.rules
            assert second == ONE
            assert first.when[0] == COUNTS
            assert len(first.when) == 2
        elif one.description.startswith("new rule 2: "):
            assert one.rules.rules[0] == ONE
            assert len(one.rules.rules[1].when) == 1
        assert one.rules.default == ("vector",)


def test_neither_domain_nor_kind_is_a_sign_of_demand() -> None:
    assert "domain is web" in set(map(str, GUIDE.conditions()))
    for one in demand_variants(Rules(rules=(), default=("vector",)), GUIDE, (), READINGS):
        for rule in one.rules.rules:
            assert {sign.subject for sign in rule.when} <= {"asks", "steps", "has"}


def test_a_sign_may_be_that_something_is_not_asked() -> None:
    start = Rules(rules=(), default=("vector",))
    added = [one.rules.rules[0].when for one in demand_variants(start, GUIDE, (), READINGS)]
    assert any(sign.negated for when in added for sign in when)


def test_a_sign_is_replaced_where_it_stands() -> None:
    rules = Rules(rules=(replace(ONE, when=(COUNTS, WEB)),), default=("vector",))
    found = {
        one.description: one.rules.rules[0].when
        for one in demand_variants(rules, GUIDE, (), READINGS)
        if " in place of " in one.description
    }
    assert found["rule 1: asks why in place of asks count"] == (WHY, WEB)
    assert found["rule 1: asks why in place of domain is web"] == (COUNTS, WHY)
    assert not [when for when in found.values() if len(set(when)) < len(when)]


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ((COUNTS,), ["without rule 1"]),
        (
            (COUNTS, WEB),
            ["without rule 1", "rule 1 without asks count", "rule 1 without domain is web"],
        ),
    ],
)
def test_a_condition_is_dropped_only_beside_another(
    when: tuple[Condition, ...],
    expected: list[str],
) -> None:
    rules = Rules(rules=(replace(ONE, when=when),), default=("vector",))
    found = {
        one.description: one.rules.rules
        for one in demand_variants(rules, GUIDE, (), READINGS)
        if "without" in one.description
    }
    assert list(found) == expected
    assert found["without rule 1"] == ()
    if len(expected) > 1:
        assert found["rule 1 without asks count"][0].when == (WEB,)


def test_to_repair_only_rules_for_what_failed_are_added() -> None:
    found = list(demand_variants(RULES, GUIDE, (WEB,), READINGS))
    assert found
    for one in found:
        assert one.description.startswith("new rule ")
        (new,) = [rule for rule in one.rules.rules if rule != ONE]
        assert WEB in new.when
    assert any(rule.when == (WEB,) for one in found for rule in one.rules.rules)


def test_what_a_rule_asks_already_is_not_asked_twice() -> None:
    for one in demand_variants(RULES, GUIDE, (COUNTS,), READINGS):
        for rule in one.rules.rules:
            assert len(set(rule.when)) == len(rule.when)
