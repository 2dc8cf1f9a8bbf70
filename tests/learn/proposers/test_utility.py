from __future__ import annotations

import numpy as np

from stepwell.learn.proposers.cells import smoothed_means
from stepwell.learn.proposers.guide import Guide, reading_of
from stepwell.learn.proposers.utility import utility_variants
from stepwell.policy.conditions import parse_condition
from stepwell.policy.kinds import Rule, Rules
from support.worlds import PENALTY, World, cases_of

TRAIN = cases_of(30, seed=1)
GUIDE = Guide(evaluator=World(), cases=TRAIN, penalty=PENALTY)
READINGS = GUIDE.readings(())
EVERYWHERE = np.ones(len(TRAIN), dtype=np.bool_)
COUNTS, WEB = parse_condition("asks count"), parse_condition("domain is web")
OLD = Rule(when=(COUNTS,), read=("summary",))
RULES = Rules(rules=(OLD,), default=("summary",))
SUBJECTS = {"domain", "kind", "asks"}


def best(*when: str) -> tuple[str, ...]:
    cell = GUIDE.holds(map(parse_condition, when))
    means = smoothed_means(GUIDE, READINGS, cell=cell, around=EVERYWHERE)
    return READINGS[int(np.argmax(means))][0]


def test_a_rule_for_a_cell_comes_first_and_reads_what_is_worth_most_in_it() -> None:
    found = [
        one
        for one in utility_variants(RULES, GUIDE, (), READINGS)
        if "table" not in one.description
    ]
    assert found
    for one in found:
        new, old = one.rules.rules
        assert old == OLD
        assert one.rules.default == ("summary",)
        assert new.read == best(*map(str, new.when))
        assert {sign.subject for sign in new.when} <= SUBJECTS
        assert 1 <= len(new.when) <= 2
        assert one.description.startswith("first of all, ")
    cells = [one.rules.rules[0].when for one in found]
    assert len(set(cells)) == len(cells) <= 40
    assert {len(cell) for cell in cells} == {1, 2}


def test_what_is_needed_by_a_domain_and_a_cue_is_among_them() -> None:
    readings = [reading_of(("temporal", "graph")), reading_of(("summary",))]
    found = {
        " and ".join(map(str, one.rules.rules[0].when)): one.rules.rules[0].read
        for one in utility_variants(RULES, GUIDE, (), readings)
    }
    assert found["domain is games and asks count"] == ("temporal", "graph")


def test_whole_tables_are_offered_where_nothing_is_to_be_repaired() -> None:
    tables = [
        one for one in utility_variants(RULES, GUIDE, (), READINGS) if "table" in one.description
    ]
    (table,) = tables  # no kinds are known here, so there is one of domains alone
    assert table.description == "a table by domain"
    assert {str(rule.when[0]) for rule in table.rules.rules} == {
        "domain is games",
        "domain is sql",
        "domain is web",
    }
    for rule in table.rules.rules:
        assert rule.read == best(*map(str, rule.when))
    assert table.rules.default == best()
    repairing = utility_variants(RULES, GUIDE, (WEB,), READINGS)
    assert not [one for one in repairing if "table" in one.description]


def test_to_repair_every_rule_is_for_what_failed() -> None:
    one = [reading_of(("episodic", "vector"))]
    found = list(utility_variants(RULES, GUIDE, (WEB, COUNTS), one))
    cells = [one.rules.rules[0].when for one in found]
    assert (WEB, COUNTS) in cells
    for cell in cells:
        assert len({sign.subject for sign in cell}) == len(cell)  # a cell takes the focus's place
        assert WEB in cell or any(sign.subject == "domain" for sign in cell)
    assert len(set(cells)) == len(cells)


def test_nothing_is_offered_without_cells() -> None:
    guide = Guide(evaluator=World(), cases=TRAIN, penalty=PENALTY, subjects=frozenset({"steps"}))
    assert list(utility_variants(RULES, guide, (), [reading_of(("graph",))])) == []
