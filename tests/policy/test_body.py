"""The part of a policy file that depends on its kind: there and back, and what is wrong in it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from stepwell.errors import PolicyError
from stepwell.policy.body import body_of, document_of
from stepwell.policy.kinds import ANY, All, Fixed, Kind, Program, Rules, Single, Table
from support.policies import kinds


@given(kinds())
def test_a_policy_comes_back_from_its_document(policy: Kind) -> None:
    head, tables = document_of(policy)
    assert body_of({"kind": policy.name, **head, **tables}, "mine") == policy


@pytest.mark.parametrize(
    ("document", "policy"),
    [
        ({"kind": "all"}, All()),
        ({"kind": "single", "structure": "graph"}, Single(structure="graph")),
        ({"kind": "fixed", "structures": ["a", "b", "a"]}, Fixed(structures=("a", "b"))),
        ({"kind": "program", "source": "x = 1"}, Program(source="x = 1")),
        ({"kind": "rules", "default": ["a"]}, Rules(rules=(), default=("a",))),
        (
            {"kind": "table", "default": ["a"], "cell": [{"read": ["b"]}]},
            Table(cells={(ANY, ANY): ("b",)}, default=("a",)),
        ),
    ],
)
def test_documents_of_each_kind(document: dict[str, Any], policy: Kind) -> None:
    assert body_of(document, "mine") == policy


TABLE: dict[str, Any] = {"kind": "table", "default": ["a"]}
RULE: dict[str, Any] = {"kind": "rules", "default": ["a"]}


@pytest.mark.parametrize(
    ("document", "said", "hint"),
    [
        ({}, "mine: `kind` is missing", "one of all, single, fixed, table, rules, program"),
        ({"kind": "python"}, "mine: `kind`", "one of all"),
        ({"kind": "all", "read": 1}, "mine: `read` means nothing", "There are: kind."),
        ({"kind": "single", "structure": ""}, "`structure`", "names of structures"),
        ({"kind": "single", "structure": "x" * 101}, "`structure`", "names of structures"),
        ({"kind": "fixed", "structures": "graph"}, "`structures`", "names of structures"),
        ({"kind": "program", "source": " \n"}, "`source`", "text"),
        ({**TABLE, "cell": [3]}, "`cell`", "[[cell]]"),
        ({**TABLE, "cell": [{"read": []}]}, "mine, cell 1: `read`", "names of structures"),
        ({**TABLE, "cell": [{"read": ["a"], "domain": ""}]}, "cell 1: `domain`", "text"),
        ({**TABLE, "cell": [{"read": ["a"]}] * 2}, "cell 2: there is one", "Leave one out"),
        ({**RULE, "rule": {}}, "`rule`", "[[rule]]"),
        ({**RULE, "rule": [{"read": ["a"]}]}, "mine, rule 1: `when`", "a list of conditions"),
        ({**RULE, "rule": [{"when": [1], "read": ["a"]}]}, "rule 1: `when`", "conditions"),
        (
            {**RULE, "rule": [{"when": [], "read": ["a"], "tokens": {"a": True}}]},
            "rule 1: `tokens`",
            "whole numbers from 1",
        ),
        (
            {**RULE, "rule": [{"when": [], "read": ["a"], "tokens": {"a": 10**9 + 1}}]},
            "rule 1: `tokens`",
            "whole numbers from 1",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_place(
    document: dict[str, Any], said: str, hint: str
) -> None:
    with pytest.raises(PolicyError) as caught:
        body_of(document, "mine")
    assert said in str(caught.value)
    assert hint in caught.value.hint


def test_names_and_limits_up_to_the_largest_are_taken() -> None:
    rule = {"when": [], "read": ["x" * 100], "tokens": {"x": 10**9}}
    found = body_of({**RULE, "rule": [rule]}, "mine")
    assert isinstance(found, Rules)
    assert found.rules[0].tokens == {"x": 10**9}
