"""A policy in words, and names in it that are no structures."""

from __future__ import annotations

import pytest

from stepwell.policy.conditions import parse_condition
from stepwell.policy.describe import lines_of, unknown_in
from stepwell.policy.kinds import ANY, All, Fixed, Kind, Program, Rule, Rules, Single, Table

RULES = Rules(
    rules=(
        Rule(
            when=(parse_condition("asks count"), parse_condition("signal temporal.slots >= 1")),
            read=("temporal", "diary"),
            tokens={"temporal": 300, "log": 5},
        ),
        Rule(when=(), read=("graph",)),
    ),
    default=("vector", "mine"),
)
TABLE = Table(
    cells={
        ("shop", "why"): ("graph",),
        (ANY, "why"): ("diary", "graph"),
        ("shop", ANY): ("temporal",),
        (ANY, ANY): ("summary",),
    },
    default=("mine",),
)


@pytest.mark.parametrize(
    ("policy", "lines"),
    [
        (All(), ["read everything that can be read"]),
        (Single(structure="graph"), ["read graph"]),
        (Fixed(structures=("graph", "mine")), ["read graph, mine"]),
        (Program(source="a\nb\n"), ["a", "b"]),
        (
            RULES,
            [
                (
                    "1. if asks count and signal temporal.slots >= 1: "
                    "read temporal (at most 300 tokens), diary"
                ),
                "2. always: read graph",
                "otherwise: read vector, mine",
            ],
        ),
        (
            TABLE,
            [
                "any domain: read summary",
                "any domain, kind why: read diary, graph",
                "domain shop: read temporal",
                "domain shop, kind why: read graph",
                "otherwise: read mine",
            ],
        ),
    ],
    ids=lambda value: value.name if not isinstance(value, list) else "",
)
def test_a_policy_in_words(policy: Kind, lines: list[str]) -> None:
    assert list(lines_of(policy)) == lines


@pytest.mark.parametrize(
    ("policy", "names"),
    [
        (All(), []),
        (Program(source="mine"), []),
        (Single(structure="mine"), ["mine"]),
        (Fixed(structures=("graph", "mine", "mine")), ["mine"]),
        (RULES, ["diary", "log", "mine"]),
        (TABLE, ["diary", "mine"]),
    ],
    ids=lambda value: value.name if not isinstance(value, list) else "",
)
def test_names_that_are_no_structures_of_stepwell(policy: Kind, names: list[str]) -> None:
    assert unknown_in(policy) == names
