from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.errors import InvalidInputError
from stepwell.learn.proposers.edits import as_rules, dropped, inserted, named, rereading, rule_of
from stepwell.policy.base import STRUCTURES
from stepwell.policy.conditions import parse_condition
from stepwell.policy.kinds import ANY, All, Fixed, Program, Rule, Rules, Single, Table

COUNTS, WHY = parse_condition("asks count"), parse_condition("asks why")
ONE = Rule(when=(COUNTS,), read=("graph",))
TWO = Rule(when=(WHY, COUNTS), read=("units", "vector"), tokens={"units": 90})
NEW = Rule(when=(), read=("summary",))
RULES = Rules(rules=(ONE, TWO), default=("episodic",))


@pytest.mark.parametrize(
    ("policy", "default"),
    [
        (All(), STRUCTURES),
        (Single(structure="graph"), ("graph",)),
        (Fixed(structures=("units", "graph")), ("units", "graph")),
    ],
)
def test_a_policy_of_one_choice_is_a_default(
    policy: All | Single | Fixed, default: tuple[str, ...]
) -> None:
    assert as_rules(policy, STRUCTURES) == Rules(rules=(), default=default)


def test_rules_stay_as_they_are() -> None:
    assert as_rules(RULES, ("graph",)) is RULES


def test_the_cells_of_a_table_become_rules_the_narrowest_first() -> None:
    cells = {
        (ANY, ANY): ("summary",),
        (ANY, "why"): ("units",),
        ("web", ANY): ("episodic",),
        ("web", "why"): ("vector",),
        ("games", "why"): ("graph",),
    }
    found = as_rules(Table(cells=cells, default=("temporal",)), STRUCTURES)
    said = [(" and ".join(map(str, rule.when)), rule.read) for rule in found.rules]
    assert said == [
        ("domain is games and kind is why", ("graph",)),
        ("domain is web and kind is why", ("vector",)),
        ("domain is web", ("episodic",)),
        ("kind is why", ("units",)),
        ("", ("summary",)),
    ]
    assert found.default == ("temporal",)


def test_a_program_cannot_be_changed_and_the_error_says_what_can() -> None:
    with pytest.raises(InvalidInputError, match="A program cannot be changed") as raised:
        as_rules(Program(source="def select(question, context): return []"), STRUCTURES)
    assert "--proposer model" in raised.value.hint


@pytest.mark.parametrize(
    ("number", "expected"), [(0, (NEW, ONE, TWO)), (1, (ONE, NEW, TWO)), (2, (ONE, TWO, NEW))]
)
def test_a_rule_is_inserted_before_the_one_of_its_number(
    number: int, expected: tuple[Rule, ...]
) -> None:
    found = inserted(RULES, number, NEW)
    assert (found.rules, found.default) == (expected, RULES.default)


@given(st.integers(0, 2))
def test_dropping_undoes_inserting(number: int) -> None:
    assert dropped(inserted(RULES, number, NEW), number) == RULES


def test_a_rule_is_dropped_by_its_number() -> None:
    assert dropped(RULES, 0).rules == (TWO,)
    assert dropped(RULES, 1).rules == (ONE,)


def test_a_rule_that_reads_something_else_keeps_its_conditions_and_place() -> None:
    found = rereading(RULES, 0, (("temporal",), (("temporal", 50),)))
    changed = Rule(when=(COUNTS,), read=("temporal",), tokens={"temporal": 50})
    assert found == Rules(rules=(changed, TWO), default=("episodic",))
    without = rereading(RULES, 1, (("units",), ()))
    assert without.rules[1] == Rule(when=(WHY, COUNTS), read=("units",))


def test_a_default_reads_something_else() -> None:
    assert rereading(RULES, 2, (("graph",), ())) == Rules(rules=(ONE, TWO), default=("graph",))


def test_a_default_with_limits_becomes_a_rule_that_always_applies() -> None:
    found = rereading(RULES, 2, (("graph",), (("graph", 70),)))
    last = Rule(when=(), read=("graph",), tokens={"graph": 70})
    assert found == Rules(rules=(ONE, TWO, last), default=("graph",))


def test_a_rule_is_made_of_conditions_and_a_reading() -> None:
    assert rule_of([WHY, COUNTS], (("units", "vector"), (("units", 90),))) == TWO


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (ONE, "asks count: graph"),
        (TWO, "asks why and asks count: units + vector, units to 90 tokens"),
        (NEW, "else: summary"),
    ],
)
def test_what_is_read_when_is_said(rule: Rule, said: str) -> None:
    assert named(rule.when, (rule.read, tuple(rule.tokens.items()))) == said
