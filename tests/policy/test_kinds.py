"""Every kind of policy keeps to the Policy protocol, and decides as its documentation says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from stepwell.errors import PolicyError
from stepwell.policy.base import STRUCTURES, Context, Policy
from stepwell.policy.conditions import parse_condition
from stepwell.policy.files import PolicyFile
from stepwell.policy.kinds import ANY, All, Fixed, Kind, Program, Rule, Rules, Single, Table
from stepwell.policy.registry import BUILT_IN, find
from support.policies import contexts, kinds, programs, questions

PLAIN = Program(source='def select(question, context):\n    return ["vector"]\n')


def check_conformance(policy: Policy, question: str, context: Context) -> None:
    """Check what the protocol promises of a selection."""
    selection = policy.select(question, context)
    assert policy.name
    assert selection.structures
    assert set(selection.structures) <= set(context.available)
    assert len(set(selection.structures)) == len(selection.structures)
    assert set(selection.tokens) <= set(selection.structures)
    assert all(limit > 0 for limit in selection.tokens.values())
    assert selection.why
    assert policy.select(question, context) == selection


@given(kinds(), questions, contexts())
def test_a_selection_is_some_of_what_is_available(
    policy: Kind, question: str, context: Context
) -> None:
    check_conformance(policy, question, context)
    check_conformance(PolicyFile(name="any", policy=policy), question, context)


@settings(max_examples=50)
@given(programs(), questions, contexts())
def test_so_is_that_of_a_program(policy: Kind, question: str, context: Context) -> None:
    check_conformance(policy, question, context)


@given(questions, contexts())
def test_so_are_those_of_the_policies_that_come_with_stepwell(
    question: str, context: Context
) -> None:
    for name in BUILT_IN:
        check_conformance(find(name), question, context)


@pytest.mark.parametrize(
    "policy",
    [All(), Single(structure="vector"), Fixed(structures=("vector",)), PLAIN],
    ids=lambda policy: policy.name,
)
def test_where_nothing_can_be_read_there_is_an_error(policy: Kind) -> None:
    with pytest.raises(PolicyError, match="no structure to read"):
        policy.select("Why?", Context(available=()))


@pytest.mark.parametrize(
    "policy",
    [
        Single(structure="vector"),
        Fixed(structures=("vector", "nobody")),
        Table(cells={}, default=("vector",)),
        Rules(rules=(Rule(when=(), read=("nobody",)),), default=("vector",)),
        PLAIN,
    ],
    ids=lambda policy: policy.name,
)
def test_where_nothing_named_is_there_everything_is_read(policy: Kind) -> None:
    selection = policy.select("Why?", Context(available=("units", "episodic")))
    assert selection.structures == ("units", "episodic")
    assert "everything is read" in selection.why


def test_a_structure_of_ones_own_can_be_read() -> None:
    context = Context(available=(*STRUCTURES, "glossary"))
    assert Single(structure="glossary").select("Why?", context).structures == ("glossary",)


def cells() -> Table:
    return Table(
        cells={
            ("Games", "A"): ("temporal",),
            ("games", ANY): ("graph",),
            (ANY, "A"): ("summary",),
        },
        default=("episodic",),
    )


@pytest.mark.parametrize(
    ("domain", "kind", "read"),
    [
        ("games", "a", "temporal"),
        ("Games", "B", "graph"),
        ("web", "A", "summary"),
        ("web", "B", "episodic"),
        ("", "", "episodic"),
    ],
)
def test_the_nearest_cell_decides(domain: str, kind: str, read: str) -> None:
    selection = cells().select("Why?", Context(domain=domain, kind=kind))
    assert selection.structures == (read,)


def test_a_cell_of_which_nothing_is_there_is_passed_over() -> None:
    context = Context(available=("summary", "episodic"), domain="Games", kind="A")
    assert cells().select("Why?", context).structures == ("summary",)


def rules() -> Rules:
    return Rules(
        rules=(
            Rule(
                when=(parse_condition("asks count"), parse_condition("signal temporal.slots >= 1")),
                read=("temporal", "episodic"),
                tokens={"temporal": 300, "nobody": 5},
            ),
            Rule(when=(parse_condition("asks count"),), read=("vector",)),
        ),
        default=("units",),
    )


def test_the_first_rule_whose_conditions_all_hold_decides() -> None:
    selection = rules().select("How many?", Context(signals={"temporal.slots": 1.0}))
    assert selection.structures == ("temporal", "episodic")
    assert selection.tokens == {"temporal": 300}
    assert selection.why == "rule 1: asks count and signal temporal.slots >= 1"


def test_a_rule_of_which_nothing_is_there_is_passed_over() -> None:
    context = Context(available=("vector", "units"), signals={"temporal.slots": 1.0})
    assert rules().select("How many?", context).structures == ("vector",)
    assert rules().select("Why?", context).structures == ("units",)
