"""What a policy sees and gives, when nothing else is said."""

from __future__ import annotations

import pytest

from stepwell.policy.base import STRUCTURES, Context, Selection
from stepwell.policy.conditions import parse_condition
from stepwell.policy.files import PolicyFile
from stepwell.policy.kinds import All, Fixed
from stepwell.structures.registry import NAMES


def test_a_policy_knows_the_structures_that_there_are() -> None:
    assert STRUCTURES == NAMES
    assert Context().available == NAMES


def test_a_selection_is_certain_unless_something_is_tried_out() -> None:
    selection = Selection(structures=("graph",))
    assert (selection.chance, selection.why, selection.tokens) == (1.0, "", {})


def test_a_context_that_says_nothing_has_no_signals() -> None:
    context = Context()
    assert (context.budget, context.n_steps, context.domain) == (800, 0, "")
    with pytest.raises(KeyError):
        _ = context.signals["temporal.slots"]
    assert not parse_condition("signal temporal.slots >= 0").holds("Why?", context)


def test_a_file_selects_as_its_policy_does() -> None:
    context = Context(available=("graph", "units"))
    for policy in (All(), Fixed(structures=("units",))):
        file = PolicyFile(name="mine", policy=policy)
        assert file.select("Why?", context) == policy.select("Why?", context)
